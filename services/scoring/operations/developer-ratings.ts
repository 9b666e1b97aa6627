/** What the leaderboard and a developer's profile show of a row `r` of `shown_ratings`. Shaped in SQL. */
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { distressVersion } from "../domain/distress/distress.ts";

export const countOf = (sql: Sql, name: string): Fragment => sql`(r.counts -> ${name}::text)::integer`;

export const capital = (sql: Sql): Fragment => sql`
	r.developer_id, r.canonical_name as developer, r.tier, r.capital_raised,
	${countOf(sql, "raiseCount")} as raise_count, r.counts ->> 'latestRaise' as latest_raise,
	r.operational_mw as operational_capacity_mw, (r.counts ->> 'activeMw')::float8 as active_capacity_mw,
	r.capital_per_operational_mw`;

export const eventCounts = (sql: Sql): Fragment => sql`
	${countOf(sql, "financing")} as financing_events, ${countOf(sql, "ma")} + ${countOf(sql, "transfers")} as ma_events,
	${countOf(sql, "distress")} as distress_events, ${countOf(sql, "litigation")} as litigation_events`;

/** Null until a cost of one of its requests is known. */
export const costs = (sql: Sql): Fragment => sql`
	case when ${countOf(sql, "withCost")} > 0 then ${countOf(sql, "highCost")} end as high_ic_cost_projects,
	(r.counts ->> 'maxCostPerKw')::float8 as max_ic_cost_per_kw`;

export const distressSignal = (sql: Sql): Fragment => sql`
	json_build_object('level', r.distress_level, 'score', r.distress_score, 'components', r.distress_components,
		'judged', r.distress_components is not null, 'version', ${distressVersion}::integer) as distress_signal, r.coverage`;
