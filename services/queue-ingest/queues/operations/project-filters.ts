/** What several operations select of the `projects` table. */
import type { Params } from "#libs/contract/index.ts";
import { statuses } from "#libs/contract/vocabulary.ts";
import { containing } from "#libs/postgres/containing.ts";

type Filters = Partial<Omit<Params<"listProjects">, "sort" | "order" | "page" | "per_page">>;

export type Value = string | number | boolean;
/** What a condition is written with: postgres.js, or what an export needs (export-select.ts). */
export type Tag<F> = (strings: TemplateStringsArray, ...values: (Value | F)[]) => F;

/** What `project_counts` is grouped by: under these filters alone its counts are the totals. */
const keptFilters = new Set(["population", "region", "iso", "state", "fuel_type", "status"]);

export const isKept = (filters: Filters): boolean =>
	Object.entries(filters).every(([name, value]) => value === undefined || keptFilters.has(name));

/** The condition of a set of filters on `projects p` (kept filters: on `project_counts p` too). Values stay apart from the text. */
export function projectCondition<F>(sql: Tag<F>, filters: Filters): F {
	const parts: F[] = [];
	const when = <T>(value: T | undefined, part: (value: T) => F) => {
		if (value !== undefined) parts.push(part(value));
	};
	if (filters.population !== "all") parts.push(sql`p.kind = 'generation'`);
	when(filters.region ?? filters.iso, (value) => sql`p.region = ${value}`);
	when(filters.state, (value) => sql`p.state = ${value}`);
	when(filters.fuel_type, (value) => sql`p.type_std ilike ${containing(value)}`);
	when(filters.status, (value) => {
		const standard = statuses.find((status) => status.toLowerCase() === value.toLowerCase());
		return standard === undefined ? sql`lower(p.status) = lower(${value})` : sql`p.status_std = ${standard}`;
	});
	when(
		filters.developer,
		(value) => sql`(p.developer ilike ${containing(value)} or p.developer_canonical ilike ${containing(value)})`,
	);
	when(filters.capacity_min, (value) => sql`p.capacity_mw >= ${value}`);
	when(filters.capacity_max, (value) => sql`p.capacity_mw <= ${value}`);
	when(filters.date_from, (value) => sql`p.queue_date >= ${value}::text::date`);
	when(filters.date_to, (value) => sql`p.queue_date <= ${value}::text::date`);
	when(filters.energy_community, (value) => sql`p.energy_community_eligible = ${value}`);
	when(filters.low_income, (value) => sql`p.low_income_eligible = ${value}`);
	when(filters.has_tax_credit, (value) =>
		value ? sql`coalesce(p.tax_credit_pct, 0) > 0` : sql`coalesce(p.tax_credit_pct, 0) = 0`,
	);
	when(filters.construction_stage, (value) => sql`p.construction_stage = ${value}`);
	when(
		filters.study_phase,
		(value) => sql`(lower(p.study_phase) = lower(${value}) or lower(p.study_phase_filed) = lower(${value}))`,
	);
	when(
		filters.ia_status,
		(value) => sql`(lower(p.ia_status) = lower(${value}) or lower(p.ia_status_filed) = lower(${value}))`,
	);
	when(filters.min_confidence, (value) => sql`p.construction_stage_confidence >= ${value}`);
	when(filters.developer_tier, (value) => sql`p.developer_tier = ${value}`);
	// What is not scored passes no rule.
	when(filters.investable, (value) => sql`coalesce(p.investable, false) = ${value}`);
	when(filters.needs_capital, (value) => sql`p.needs_capital = ${value}`);
	when(filters.min_score, (value) => sql`p.investability_score >= ${value}`);
	return parts.reduce((all, part, at) => (at === 0 ? part : sql`${all} and ${part}`), sql`true`);
}
