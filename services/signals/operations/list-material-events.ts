import type { Handler, Params, Reply } from "#libs/contract/index.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";
import { allOf, namedLike, pageMeta } from "./filters.ts";

export function listMaterialEvents(sql: Sql): Handler<"listMaterialEvents"> {
	return async ({ page, per_page, ...filters }) => {
		const condition = filingCondition(sql, filters);
		return oneJsonReply<Reply<"listMaterialEvents">>(
			sql,
			sql`
			select json_build_object(
				'data', coalesce((select json_agg(row_to_json(t)) from (
					select f.accession_number, f.filing_date, f.report_date, f.form_type, f.issuer_name, f.cik, f.items, f.categories,
						f.event_type, f.url, f.energy::int as energy_keyword, d.canonical_name as developer_canonical, f.match_method,
						f.first_told
					from filings f left join developers d using (developer_id) where ${condition}
					order by f.filing_date desc, f.accession_number desc
					limit ${per_page} offset ${(page - 1) * per_page}) t), '[]'),
				'meta', ${pageMeta(sql, sql`select count(*) from filings f where ${condition}`, page, per_page)})`,
		);
	};
}

type Filters = Omit<Params<"listMaterialEvents">, "page" | "per_page">;

function filingCondition(sql: Sql, filters: Filters): Fragment {
	const parts: Fragment[] = [sql`f.event_type is not null`];
	if (filters.event_type !== undefined) parts.push(sql`f.event_type = ${filters.event_type}`);
	if (filters.developer !== undefined) parts.push(namedLike(sql, sql`f.developer_id`, filters.developer));
	if (filters.category !== undefined) parts.push(sql`${filters.category} = any(f.categories)`);
	if (filters.matched_only) parts.push(sql`f.developer_id is not null`);
	if (filters.energy_only) parts.push(sql`f.energy`);
	if (filters.since !== undefined) parts.push(sql`f.filing_date >= ${filters.since}::text::date`);
	return allOf(sql, parts);
}
