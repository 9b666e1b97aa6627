import type { Handler } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { filtersOf, listedColumns, rowsOf, Totals } from "./lists.ts";

interface Found {
	/** JSON as PostgreSQL wrote it. */
	data: string;
	total: number | null;
	version: number;
}

/** A request whose usual credit is the production tax credit is no deal for the investment tax credit, though it could elect it. */
export function listItcDeals(sql: Sql): Handler<"listItcDeals"> {
	const totals = new Totals();
	return async ({ page, per_page, ...filters }) => {
		const { min_rate, status } = filters;
		const chosen = sql`credits where credit_type = 'ITC' and effective_rate > 0
			${min_rate === undefined ? sql`` : sql`and effective_rate >= ${min_rate}`}
			${status === undefined ? sql`` : sql`and status = ${status}`} and ${filtersOf(sql, filters)}`;
		const rows = rowsOf(
			sql,
			{
				chosen,
				order: sql`estimated_value desc nulls last, effective_rate desc, project_id`,
				columns: sql`${listedColumns(sql)}, c.base_rate as base_credit_pct, c.at_risk_rate, c.energy_community_eligible,
					c.domestic_content_eligible, c.low_income_eligible, c.cod_year, c.notice as energy_community_notice, c.warnings`,
				rowOrder: sql`c.estimated_value desc nulls last, c.effective_rate desc, p.project_id`,
			},
			{ page, per_page },
		);
		const { data, total, version } = await totals.read(filters, async (counted) => {
			const [row] = await sql<Found[]>`
				select (${rows})::text as data, ${counted ? sql`(select count(*) from ${chosen})` : sql`null::bigint`} as total, version
				from data_version`;
			if (row === undefined) throw new Error("no page");
			return row;
		});
		const meta = JSON.stringify({ total, page, per_page, pages: Math.ceil(total / per_page) });
		return { json: `{"data":${data},"meta":${meta}}`, dataVersion: version };
	};
}
