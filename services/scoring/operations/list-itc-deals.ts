import type { Handler } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import type { Start } from "#libs/postgres/page-starts.ts";
import { Pages } from "#libs/postgres/pages.ts";
import { filtersOf, listedColumns, nearPages, type Place, scoredPageOf } from "./lists.ts";

interface Found {
	/** JSON as PostgreSQL wrote it. */
	data: string;
	starts: Start<Place>[] | null;
	total: number | null;
	version: number;
}

/** A request whose usual credit is the production tax credit is no deal for the investment tax credit, though it could elect it. */
export function listItcDeals(sql: Sql): Handler<"listItcDeals"> {
	const pages = new Pages<Place>();
	return async ({ page, per_page, ...filters }) => {
		const { min_rate, status } = filters;
		const chosen = sql`credits where credit_type = 'ITC' and effective_rate > 0
			${min_rate === undefined ? sql`` : sql`and effective_rate >= ${min_rate}`}
			${status === undefined ? sql`` : sql`and status = ${status}`} and ${filtersOf(sql, filters)}`;
		const asked = { filters, order: "", row: (page - 1) * per_page, seeks: page > nearPages };
		const found = await pages.read(asked, async ({ counted, start }) => {
			const { tables, data, starts } = scoredPageOf(
				sql,
				{
					chosen,
					by: [
						{ column: "estimated_value", nullable: true },
						{ column: "effective_rate", nullable: false },
					],
					columns: sql`${listedColumns(sql)}, c.base_rate as base_credit_pct, c.at_risk_rate, c.energy_community_eligible,
						c.domestic_content_eligible, c.low_income_eligible, c.cod_year, c.notice as energy_community_notice, c.warnings`,
				},
				{ page, per_page },
				start,
			);
			const [row] = await sql<Found[]>`
				with ${tables} select (${data})::text as data, ${starts} as starts,
					${counted ? sql`(select count(*) from ${chosen})` : sql`null::bigint`} as total, version
				from data_version`;
			if (row === undefined) throw new Error("no page");
			return row;
		});
		const { data, total, version } = found;
		const meta = JSON.stringify({ total, page, per_page, pages: Math.ceil(total / per_page) });
		return { json: `{"data":${data},"meta":${meta}}`, dataVersion: version };
	};
}
