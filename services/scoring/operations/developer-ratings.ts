/** What the leaderboard and a developer's profile show of a row `r` of `shown_ratings`. Shaped in SQL. */
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { distressVersion } from "../domain/distress/distress.ts";

export const countOf = (sql: Sql, name: string): Fragment => sql`(r.counts -> ${name}::text)::integer`;

export const capital = (sql: Sql): Fragment => sql`
	r.developer_id, r.canonical_name as developer, r.tier, r.capital_raised,
	${countOf(sql, "raiseCount")} as raise_count, r.counts ->> 'latestRaise' as latest_raise,
	r.operational_mw as operational_capacity_mw, (r.counts ->> 'activeMw')::float8 as active_capacity_mw,
	r.capital_per_operational_mw`;

/** Those of the developer, and its worldwide parent's where they are asked for. */
export const eventCounts = (sql: Sql, includeParent: boolean): Fragment => {
	const of = (name: string) =>
		includeParent
			? sql`(${countOf(sql, name)} + (r.counts -> 'parent' -> ${name}::text)::integer)`
			: countOf(sql, name);
	return sql`
	${of("financing")} as financing_events, ${of("ma")} + ${countOf(sql, "transfers")} as ma_events,
	${of("distress")} as distress_events, ${of("litigation")} as litigation_events`;
};

/** Null until a cost of one of its requests is known. */
export const costs = (sql: Sql): Fragment => sql`
	case when ${countOf(sql, "withCost")} > 0 then ${countOf(sql, "highCost")} end as high_ic_cost_projects,
	(r.counts ->> 'maxCostPerKw')::float8 as max_ic_cost_per_kw`;

export const distressSignal = (sql: Sql): Fragment => sql`
	json_build_object('level', r.distress_level, 'score', r.distress_score, 'components', r.distress_components,
		'judged', r.distress_components is not null, 'version', ${distressVersion}::integer) as distress_signal, r.coverage`;
