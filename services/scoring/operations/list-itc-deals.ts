import type { Handler } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { replyList } from "#libs/postgres/list.ts";
import { filtersOf, listedColumns, scoredPage } from "./lists.ts";

/** A request whose usual credit is the production tax credit is no deal for the investment tax credit, though it could elect it. */
export function listItcDeals(sql: Sql): Handler<"listItcDeals"> {
	return async ({ page, per_page, cursor, fields, ...filters }) => {
		const { min_rate, status, ...others } = filters;
		return replyList(
			sql,
			{
				filters,
				chosen: sql`credited_requests p where credit_type = 'ITC' and effective_rate > 0
					${min_rate === undefined ? sql`` : sql`and effective_rate >= ${min_rate}`}
					${status === undefined ? sql`` : sql`and credit_status = ${status}`} and ${filtersOf(sql, others)}`,
				sort: [
					{ column: "estimated_value", order: "desc", nullable: true },
					{ column: "effective_rate", order: "desc" },
					{ column: "project_id" },
				],
				rows: sql`select ${listedColumns(sql)}, c.base_rate as base_credit_pct, c.at_risk_rate, c.energy_community_eligible,
						c.domestic_content_eligible, c.domestic_content_basis, c.low_income_eligible, c.cod_year, c.notice as energy_community_notice, c.warnings
					from ${scoredPage(sql)}`,
			},
			{ page, per_page, cursor, fields },
		);
	};
}
