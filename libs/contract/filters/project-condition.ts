/** The filters of interconnection requests (the contract's `projectFilters`) in SQL, for any relation with the contract's columns. */

import { containing } from "#libs/contract/filters/meanings.ts";
import { dayFilters, filterFields } from "#libs/contract/records/project.ts";
import { circleOf, countyName, type Filters, fieldValues, listedOf, statusesOf } from "./meanings.ts";

export type { Filters } from "./meanings.ts";

export type Value = string | number | boolean;
/** A template tag that builds conditions: that of postgres.js, or that of exports (libs/parquet/select.ts). */
export type Tag<F> = (strings: TemplateStringsArray, ...values: (Value | F)[]) => F;

/**
 * Condition for an open request: listed, and active or partly in operation. It has no parameters, so that the index with this condition can be
 * used.
 */
export const openCondition = <F>(sql: Tag<F>): F => sql`p.kind = 'generation' and p.listed = 'listed'
	and (p.status_std = 'Active' or p.plant_state = 'partially_operating')`;

/** Why an open request is not active (`activeLeftOut`); null for an active one. */
export const exclusionReason = <F>(sql: Tag<F>): F => sql`case when p.status_flag = 'void_window' then 'void_window'
	when p.request_class in ('capacity_rights', 'replacement', 'surplus') then p.request_class end`;

/** Condition for an active request, as counted in `/stats`, the SQL view `active_requests`, the MCP tool `get_stats` and the pages. */
export const activeCondition = <F>(sql: Tag<F>): F => sql`(${openCondition(sql)} and ${exclusionReason(sql)} is null)`;

/** Condition for an active request or a utility's request. All of the latter count, because the rules of utilities' queues are not known. */
export const waitingCondition = <F>(sql: Tag<F>): F =>
	sql`(${activeCondition(sql)} or p.kind = 'utility' and p.listed = 'listed' and p.status_std = 'Active')`;

/** MW that an active request adds and that are not yet in operation. */
export const activeMw = <F>(sql: Tag<F>): F =>
	sql`greatest(coalesce(p.incremental_mw, 0) - coalesce(p.operating_mw, 0), 0)`;

/** Condition of the filters on a relation `p`. It refers only to the columns that the filters need. Values are bound. */
export function projectCondition<F>(sql: Tag<F>, filters: Filters): F {
	const parts: F[] = [];
	const when = <T>(value: T | undefined, part: (value: T) => F) => {
		if (value !== undefined) parts.push(part(value));
	};
	if (filters.population !== "all" && filters.kind === undefined) parts.push(sql`p.kind = 'generation'`);
	const among = (column: string, values: readonly string[] | undefined) =>
		when(values, (some) => isAmong(sql, column, some));
	among("listed", listedOf(filters));
	among("region", filters.region ?? filters.iso);
	for (const name of filterFields) among(name, fieldValues(filters, name));
	when(
		filters.county,
		(value) => sql`exists (select from unnest(p.counties) c (name) where lower(name) = ${countyName(value)})`,
	);
	among("type_std", filters.fuel_type);
	when(filters.active, (value) => (value ? activeCondition(sql) : sql`${activeCondition(sql)} is not true`));
	when(filters.status, (values) => statusCondition(sql, values));
	when(filters.id, (values) => sql`p.id = any(${arrayText(values)}::text::text[])`);
	when(filters.q, (value) => {
		const pattern = containing(value);
		return sql`(p.name ilike ${pattern} or p.queue_id ilike ${pattern} or p.poi ilike ${pattern}
			or p.developer ilike ${pattern} or p.developer_canonical ilike ${pattern})`;
	});
	when(
		filters.developer,
		(value) => sql`(p.developer ilike ${containing(value)} or p.developer_canonical ilike ${containing(value)})`,
	);
	when(filters.developer_id, (values) => sql`p.developer_id = any(${arrayText(values)}::text::integer[])`);
	when(filters.poi, (value) => sql`p.poi ilike ${containing(value)}`);
	when(filters.capacity_min, (value) => sql`p.capacity_mw >= ${value}`);
	when(filters.capacity_max, (value) => sql`p.capacity_mw <= ${value}`);
	for (const [name, day] of Object.entries(dayFilters) as [keyof typeof dayFilters, string][]) {
		const column = textOf(sql, `p.${day}`);
		when(filters[`${name}_from`], (value) => sql`${column} >= ${value}::text::date`);
		when(filters[`${name}_to`], (value) => sql`${column} <= ${value}::text::date`);
	}
	when(
		filters.updated_since,
		(value) => sql`p.last_changed_at >= (${value}::text::date)::timestamp at time zone 'UTC'`,
	);
	when(
		filters.bbox,
		([west, south, east, north]) => sql`p.lat between ${south} and ${north} and p.lon between ${west} and ${east}`,
	);
	when(filters.polygon, (corners) => sql`${`(${corners.join()})`}::text::polygon @> point(p.lon, p.lat)`);
	when(circleOf(filters), ({ lat, lon, radius_km }) => sql`distance_km(p.lat, p.lon, ${lat}, ${lon}) <= ${radius_km}`);
	when(filters.energy_community, (value) => sql`p.energy_community_eligible = ${value}`);
	when(filters.low_income, (value) => sql`p.low_income_eligible = ${value}`);
	when(filters.has_tax_credit, (value) => (value ? sql`p.tax_credit_pct > 0` : sql`p.tax_credit_pct <= 0`));
	when(
		filters.study_phase,
		(value) => sql`(lower(p.study_phase) = lower(${value}) or lower(p.study_phase_filed) = lower(${value}))`,
	);
	when(
		filters.ia_status,
		(value) => sql`(lower(p.ia_status) = lower(${value}) or lower(p.ia_status_filed) = lower(${value}))`,
	);
	when(filters.min_confidence, (value) => sql`p.construction_stage_confidence >= ${value}`);
	when(filters.investable, (value) => sql`p.investable = ${value}`);
	when(filters.needs_capital, (value) => sql`p.needs_capital = ${value}`);
	when(filters.min_score, (value) => sql`p.investability_score >= ${value}`);
	return parts.reduce((all, part, at) => (at === 0 ? part : sql`${all} and ${part}`), sql`true`);
}

/** Inserts text into the statement literally. */
export const textOf = <F>(sql: Tag<F>, text: string): F => sql(Object.assign([text], { raw: [text] }));

/** Chooses the condition for one value or for several. A single value is compared with `=`, so that an index returns rows in the list's order. */
export function anyOf<F>(values: readonly string[], one: (value: string) => F, several: (all: string) => F): F {
	const [first] = values;
	return values.length === 1 && first !== undefined ? one(first) : several(arrayText(values));
}

function isAmong<F>(sql: Tag<F>, name: string, values: readonly string[]): F {
	const column = textOf(sql, `p.${name}`);
	return anyOf(
		values,
		(value) => sql`${column} = ${value}`,
		(all) => sql`${column} = any(${all}::text::text[])`,
	);
}

/** Compares standard statuses with their column, others with the filed status. */
function statusCondition<F>(sql: Tag<F>, values: readonly string[]): F {
	const { standard, filed } = statusesOf(values);
	const isStandard = isAmong(sql, "status_std", standard);
	const isFiled = sql`lower(p.status) = any(${arrayText(filed)}::text::text[])`;
	if (filed.length === 0) return isStandard;
	return standard.length === 0 ? isFiled : sql`(${isStandard} or ${isFiled})`;
}

/** PostgreSQL's text form of an array, which can be bound as one value. */
export const arrayText = (values: readonly (string | number)[]): string =>
	`{${values.map((value) => `"${String(value).replaceAll(/["\\]/g, "\\$&")}"`).join(",")}}`;
