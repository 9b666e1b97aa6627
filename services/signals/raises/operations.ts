import { containing } from "#libs/contract/filters/meanings.ts";
import type { Handler, Params } from "#libs/contract/index.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { replyList } from "#libs/postgres/replies/list.ts";
import { allOf, coverageMeta, nameContains } from "../records/storing.ts";

export function listCapitalRaises(sql: Sql): Handler<"listCapitalRaises"> {
	return async ({ page, per_page, cursor, ...filters }) =>
		replyList(
			sql,
			{
				filters,
				chosen: sql`raises r where ${raiseCondition(sql, filters)}`,
				sort: [
					{ column: "filing_date", order: "desc" },
					{ column: "accession_number", order: "desc" },
				],
				rows: sql`select r.accession_number, r.filing_date, r.is_amendment::int as is_amendment, r.issuer_name, r.cik, r.entity_type,
						r.jurisdiction, r.issuer_city, r.issuer_state, r.year_of_inc, r.industry_group, r.total_offering_amount,
						r.total_amount_sold, r.date_of_first_sale, r.is_equity::int as is_equity, r.is_debt::int as is_debt,
						r.related_persons, r.energy::int as energy_keyword, d.canonical_name as developer_canonical, r.project_name,
						r.match_method, r.match_confidence, r.matched_text, r.chain, r.is_latest
					from page join raises r using (accession_number) left join developers d using (developer_id)`,
				...(filters.since !== undefined && {
					meta: coverageMeta(sql, "capital_raises", sql`select max(filing_date) from raises`),
				}),
			},
			{ page, per_page, cursor },
		);
}

type Filters = Omit<Params<"listCapitalRaises">, "page" | "per_page" | "cursor">;

function raiseCondition(sql: Sql, filters: Filters): Fragment {
	const parts: Fragment[] = [];
	if (filters.developer !== undefined) parts.push(nameContains(sql, sql`r.developer_id`, filters.developer));
	if (filters.issuer !== undefined) parts.push(sql`r.issuer_name ilike ${containing(filters.issuer)}`);
	if (filters.matched_only) parts.push(sql`r.developer_id is not null`);
	if (filters.energy_only) parts.push(sql`r.energy`);
	if (filters.min_amount_sold !== undefined) parts.push(sql`r.total_amount_sold >= ${filters.min_amount_sold}::float8`);
	if (filters.since !== undefined) parts.push(sql`r.filing_date >= ${filters.since}::text::date`);
	if (filters.is_amendment !== undefined) parts.push(sql`r.is_amendment = ${filters.is_amendment}`);
	return allOf(sql, parts);
}
