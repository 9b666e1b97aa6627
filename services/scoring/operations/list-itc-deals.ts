import type { Handler, Reply } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";
import { filtersOf, listedColumns, pageOf, scored } from "./lists.ts";

/** A request whose usual credit is the production tax credit is no deal for the investment tax credit, though it could elect it. */
export function listItcDeals(sql: Sql): Handler<"listItcDeals"> {
	return async ({ min_rate, status, page, per_page, ...filters }) => {
		const chosen = sql`${scored(sql)} and c.credit_type = 'ITC' and c.effective_rate > 0 and c.effective_rate >= ${min_rate ?? 0}
			and (${status ?? null}::text is null or c.status = ${status ?? null}) and ${filtersOf(sql, filters)}`;
		return oneJsonReply<Reply<"listItcDeals">>(
			sql,
			pageOf(
				sql,
				sql`select ${listedColumns(sql)}, c.base_rate as base_credit_pct, c.at_risk_rate, c.energy_community_eligible,
						c.domestic_content_eligible, c.low_income_eligible, c.cod_year,
						c.notice as energy_community_notice, c.warnings
					from ${chosen} order by c.estimated_value desc nulls last, c.effective_rate desc, p.project_id`,
				chosen,
				{ page, per_page },
			),
		);
	};
}
