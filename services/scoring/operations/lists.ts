/** What the lists of scored requests share: their rows and filters, of `p` projects, `c` credits, `s` scores and `d` developers. */
import type { Params } from "#libs/contract/index.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";

type Filters = Pick<Params<"listInvestable">, "state" | "region" | "technology" | "capacity_min">;

export const listedColumns = (sql: Sql): Fragment => sql`
	p.project_id as id, p.queue_id, p.name, p.region, p.state, p.county, p.developer, p.developer_canonical, p.developer_tier, p.type_std,
	p.capacity_mw, p.cod, p.construction_stage, c.credit_type as tax_credit_type, c.status as tax_credit_status,
	c.effective_rate as effective_credit_rate, c.estimated_value as estimated_credit_value, s.score as investability_score, s.grade`;

/** Of the version of the score that is served. */
export const scored = (sql: Sql): Fragment => sql`
	scores s join projects p using (project_id) join credits c using (project_id)
	where s.score_version = (select active_version from settings)`;

export function filtersOf(sql: Sql, { state, region, technology, capacity_min }: Filters): Fragment {
	const parts: Fragment[] = [];
	if (state !== undefined) parts.push(sql`p.state = ${state}`);
	if (region !== undefined) parts.push(sql`p.region = ${region}`);
	if (technology !== undefined) parts.push(sql`p.type_std ilike ${containing(technology)}`);
	if (capacity_min !== undefined) parts.push(sql`p.capacity_mw >= ${capacity_min}`);
	return parts.reduce((all, part) => sql`${all} and ${part}`, sql`true`);
}

/** A pattern for `ilike` in which the text has no special characters. */
const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;

/** `{data, meta}` of a query's page and the number of all its rows. */
export const pageOf = (
	sql: Sql,
	rows: Fragment,
	all: Fragment,
	{ page, per_page }: { page: number; per_page: number },
) => sql`
	select json_build_object(
		'data', coalesce((select json_agg(row_to_json(r)) from (${rows} limit ${per_page} offset ${(page - 1) * per_page}) r), '[]'),
		'meta', (select json_build_object('total', count(*), 'page', ${page}::int, 'per_page', ${per_page}::int,
			'pages', ceil(count(*) / ${per_page}::float8)) from ${all}))`;
