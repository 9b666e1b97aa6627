/** What the lists of scored requests share: their filters, and columns of a row. */
import { type Filters, projectCondition, type Tag } from "#libs/filters/project-condition.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { containing } from "#libs/postgres/containing.ts";

/** Of `p` projects, `c` credits and `s` scores. */
export const listedColumns = <F = Fragment>(sql: Tag<F>): F => sql`
	p.project_id as id, p.queue_id, p.name, p.region, p.state, p.county, p.developer, p.developer_canonical, p.developer_tier, p.type_std,
	p.capacity_mw, p.cod, p.construction_stage, c.credit_type as tax_credit_type, c.status as tax_credit_status,
	c.effective_rate as effective_credit_rate, c.estimated_value as estimated_credit_value, s.score as investability_score, s.grade,
	s.p_built`;

/** The rows of `page`, by its `project_id`, with the score of the version that is served. */
export const scoredPage = (sql: Sql): Fragment => sql`
	page join projects p using (project_id) join credits c using (project_id) join scores s using (project_id)
	where s.score_version = (select active_version from settings)`;

/** On the views `scored_requests p` and `credited_requests p`: what is scored is open, listed and for generation. */
export function filtersOf<F = Fragment>(
	sql: Tag<F>,
	{ technology, ...filters }: Filters & { technology?: string | undefined },
): F {
	const condition = projectCondition(sql, { ...filters, population: "all", include_unlisted: true });
	return technology === undefined ? condition : sql`${condition} and p.type_std ilike ${containing(technology)}`;
}
