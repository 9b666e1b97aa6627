/**
 * A developer's standing as its profile shows it, of a row `s` of standings and `d` of developers. Shaped in SQL. The leaderboard shows
 * the same, as it is kept by `leaderboard_heads` and `leaderboard_tails`: who changes the one changes the other.
 */
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { distressVersion } from "../domain/distress/distress.ts";

export const countOf = (sql: Sql, name: string): Fragment => sql`(s.counts -> ${name}::text)::integer`;

/** A developer is listed when somebody knows it, or a request names it. */
export const listed = (sql: Sql): Fragment => sql`(d.known or s.requests > 0)`;

const divergence = (sql: Sql): Fragment => sql`
	(case when s.operational_mw > 0 then round((s.capital_raised / s.operational_mw)::numeric, 2)::float8 end)`;

export const standing = (sql: Sql): Fragment => sql`
	d.developer_id, d.canonical_name as developer, d.tier, s.capital_raised,
	${countOf(sql, "raiseCount")} as raise_count, s.counts ->> 'latestRaise' as latest_raise,
	s.operational_mw as operational_capacity_mw, (s.counts ->> 'activeMw')::float8 as active_capacity_mw,
	${divergence(sql)} as capital_per_operational_mw`;

export const eventCounts = (sql: Sql): Fragment => sql`
	${countOf(sql, "financing")} as financing_events, ${countOf(sql, "ma")} + ${countOf(sql, "transfers")} as ma_events,
	${countOf(sql, "distress")} as distress_events, ${countOf(sql, "litigation")} as litigation_events`;

/** Null until a cost of one of its requests is known. */
export const costs = (sql: Sql): Fragment => sql`
	case when ${countOf(sql, "withCost")} > 0 then ${countOf(sql, "highCost")} end as high_ic_cost_projects,
	(s.counts ->> 'maxCostPerKw')::float8 as max_ic_cost_per_kw`;

export const distressSignal = (sql: Sql): Fragment => sql`
	json_build_object('level', s.distress_level, 'score', s.distress_score, 'components', s.distress_components,
		'judged', s.distress_components is not null,
		'version', ${distressVersion}::integer) as distress_signal`;
