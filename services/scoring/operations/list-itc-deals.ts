import type { Handler, Params } from "#libs/contract/index.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { replyList, type SortColumn } from "#libs/postgres/list.ts";
import type { Resources } from "../resources.ts";
import { filtersOf, listedColumns, scoredPage } from "./lists.ts";
import { replyOn } from "./lists-on.ts";

type Asked = Params<"listItcDeals">;

const sort: readonly SortColumn[] = [
	{ column: "estimated_value", order: "desc", nullable: true },
	{ column: "effective_rate", order: "desc" },
	{ column: "project_id" },
];

const conditionOf = (
	sql: Sql,
	{ min_rate, status, ...others }: Omit<Asked, "page" | "per_page" | "as_of">,
): Fragment => sql`
	credit_type = 'ITC' and effective_rate > 0
	${min_rate === undefined ? sql`` : sql`and effective_rate >= ${min_rate}`}
	${status === undefined ? sql`` : sql`and credit_status = ${status}`} and ${filtersOf(sql, others)}`;

/** A request whose usual credit is the production tax credit is no deal for the investment tax credit, though it could elect it. */
export function listItcDeals(resources: Resources): Handler<"listItcDeals"> {
	const { sql } = resources;
	return async (params) => {
		if (params.as_of !== undefined) return listItcDealsOn(resources, params.as_of, params);
		const { page, per_page, cursor, fields, ...filters } = params;
		const { as_of: _, ...others } = filters;
		return replyList(
			sql,
			{
				filters,
				chosen: sql`credited_requests p where ${conditionOf(sql, others)}`,
				sort,
				rows: sql`select ${listedColumns(sql)}, c.base_rate as base_credit_pct, c.at_risk_rate, c.energy_community_eligible,
						c.domestic_content_eligible, c.domestic_content_basis, c.low_income_eligible, c.cod_year, c.notice as energy_community_notice, c.warnings
					from ${scoredPage(sql)}`,
			},
			{ page, per_page, cursor, fields },
		);
	};
}

function listItcDealsOn(
	resources: Resources,
	day: string,
	{ page, per_page, cursor, fields, ...filters }: Asked,
): ReturnType<Handler<"listItcDeals">> {
	const { as_of: _, ...others } = filters;
	return replyOn<"listItcDeals">(
		resources,
		{
			day,
			filters,
			candidate: ({ credit: { credit_type, status, effective_rate } }) =>
				credit_type === "ITC" &&
				effective_rate > 0 &&
				effective_rate >= (others.min_rate ?? 0) &&
				(others.status === undefined || status === others.status),
			condition: conditionOf(resources.sql, others),
			sort,
			rowOf: ({ basis, ...row }, { credit }) => ({
				...row,
				base_credit_pct: credit.base_rate,
				at_risk_rate: credit.at_risk_rate,
				energy_community_eligible: credit.energy_community_eligible,
				domestic_content_eligible: credit.domestic_content_eligible,
				domestic_content_basis: credit.domestic_content_basis,
				low_income_eligible: credit.low_income_eligible,
				cod_year: credit.cod_year,
				energy_community_notice: credit.notice,
				warnings: credit.warnings,
				basis,
			}),
		},
		{ page, per_page, cursor, fields },
	);
}
