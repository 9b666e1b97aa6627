import type { Handler, Params } from "#libs/contract/index.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { replyList, type SortColumn } from "#libs/postgres/list.ts";
import type { Resources } from "../resources.ts";
import { filtersOf, listedColumns, scoredPage } from "./lists.ts";

type Asked = Params<"listItcDeals">;

const sort: readonly SortColumn[] = [
	{ column: "estimated_value", order: "desc", nullable: true },
	{ column: "effective_rate", order: "desc" },
	{ column: "project_id" },
];

const conditionOf = (sql: Sql, { min_rate, status, ...others }: Omit<Asked, "page" | "per_page">): Fragment => sql`
	credit_type = 'ITC' and effective_rate > 0
	${min_rate === undefined ? sql`` : sql`and effective_rate >= ${min_rate}`}
	${status === undefined ? sql`` : sql`and credit_status = ${status}`} and ${filtersOf(sql, others)}`;

/** A request whose usual credit is the production tax credit is no deal for the investment tax credit, though it could elect it. */
export function listItcDeals({ sql }: Resources): Handler<"listItcDeals"> {
	return async ({ page, per_page, cursor, fields, ...filters }) => {
		return replyList(
			sql,
			{
				filters,
				chosen: sql`credited_requests p where ${conditionOf(sql, filters)}`,
				sort,
				rows: sql`select ${listedColumns(sql)}, c.base_rate as base_credit_pct, c.at_risk_rate, c.energy_community_eligible,
						c.domestic_content_eligible, c.domestic_content_basis, c.low_income_eligible, c.cod_year, c.notice as energy_community_notice, c.warnings
					from ${scoredPage(sql)}`,
			},
			{ page, per_page, cursor, fields },
		);
	};
}
