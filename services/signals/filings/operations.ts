import type { Handler, Params } from "#libs/contract/index.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { replyList } from "#libs/postgres/replies/list.ts";
import { allOf, coverageMeta, nameContains } from "../records/storing.ts";

export function listMaterialEvents(sql: Sql): Handler<"listMaterialEvents"> {
	return async ({ page, per_page, cursor, ...filters }) =>
		replyList(
			sql,
			{
				filters,
				chosen: sql`filings f where ${filingCondition(sql, filters)}`,
				sort: [
					{ column: "filing_date", order: "desc" },
					{ column: "accession_number", order: "desc" },
				],
				rows: sql`select f.accession_number, f.filing_date, f.report_date, f.form_type, f.issuer_name, f.cik, f.items, f.categories,
						f.event_type, f.url, f.energy::int as energy_keyword, d.canonical_name as developer_canonical, f.match_method,
						f.first_told, f.subsidiary_bankruptcy
					from page join filings f using (accession_number) left join developers d using (developer_id)`,
				...(filters.since !== undefined && {
					meta: coverageMeta(
						sql,
						"material_events",
						sql`select max(filing_date) from filings where event_type is not null`,
					),
				}),
			},
			{ page, per_page, cursor },
		);
}

type Filters = Omit<Params<"listMaterialEvents">, "page" | "per_page" | "cursor">;

function filingCondition(sql: Sql, filters: Filters): Fragment {
	const parts: Fragment[] = [sql`f.event_type is not null`];
	if (filters.event_type !== undefined) parts.push(sql`f.event_type = ${filters.event_type}`);
	if (filters.developer !== undefined) parts.push(nameContains(sql, sql`f.developer_id`, filters.developer));
	if (filters.category !== undefined) parts.push(sql`${filters.category} = any(f.categories)`);
	if (filters.matched_only) parts.push(sql`f.developer_id is not null`);
	if (filters.energy_only) parts.push(sql`f.energy`);
	if (filters.since !== undefined) parts.push(sql`f.filing_date >= ${filters.since}::text::date`);
	return allOf(sql, parts);
}
