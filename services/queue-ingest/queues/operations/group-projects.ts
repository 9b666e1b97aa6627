import { circleOf } from "#libs/contract/filters/meanings.ts";
import { projectCondition } from "#libs/contract/filters/project-condition.ts";
import type { Handler } from "#libs/contract/index.ts";
import { checkDay } from "#libs/contract/operations/as-of.ts";
import type { groupings } from "#libs/contract/operations/projects/tiles.ts";
import { studyPhases } from "#libs/contract/vocabulary.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { replyList } from "#libs/postgres/replies/list.ts";
import { coverageMeta, stagesOf, windowEnd } from "../../history/past.ts";
import type { Resources } from "../../resources.ts";
import { countPlants, countsMegawatts, plantsAt } from "./distinct.ts";

export function groupProjects(resources: Resources): Handler<"groupProjects"> {
	const { sql } = resources;
	return async ({ by, page, per_page, cursor, as_of, distinct, ...filters }) => {
		const asOf = { as_of };
		checkDay(resources, asOf);
		const chosen = sql`${plantsAt(sql, asOf, distinct)} ${countsMegawatts(sql, distinct)} and ${projectCondition(sql, filters)}`;
		const near = filters.near === undefined ? undefined : circleOf(filters);
		const until = windowEnd(resources, asOf).toISOString();
		// Reading every past state is fast enough for hundreds of loads, but not for all queues.
		const areLoads = filters.kind?.every((kind) => kind === "load") === true;
		const list = {
			filters: { by, ...filters, ...asOf, distinct },
			tables: sql`
				counted as materialized (
					select ${groupsBy(sql, by)}, ${countPlants(sql, distinct)} as requests, coalesce(sum(p.capacity_mw::numeric), 0) as capacity,
						percentile_cont(0.5) within group (order by ${as_of ?? until.slice(0, 10)}::text::date - p.queue_date) filter (where p.status_std = 'Active') as waiting,
						percentile_cont(0.5) within group (order by p.capacity_mw) as median_mw,
						${as_of === undefined ? sql`percentile_cont(0.5) within group (order by p.p_cod_36)` : sql`null::float8`} as median_chance,
						${areLoads ? sql`array_agg(p.id)` : sql`null::text[]`} as ids
					from ${chosen} group by ${by === "county" || by === "poi" ? sql`1, 2, 3, 4` : sql`1`}),
				groups as materialized (
					select *, row_number() over (order by requests desc, capacity desc, value nulls last, state nulls last, county nulls last)
						as place
					from counted),`,
			chosen: sql`groups g where true`,
			sort: [{ column: "place" }],
			rows: sql`
				select g.value, g.state, g.county, g.fips, g.lat, g.lon, g.location_precision, g.requests,
					round(g.capacity, 3)::float8 as capacity_mw, round(g.median_mw::numeric, 3)::float8 as median_capacity_mw,
					round(g.waiting)::integer as median_days_waiting, round(g.median_chance::numeric, 3)::float8 as median_p_cod_36,
					${areLoads ? stageMedians(sql, until) : sql`null::json`} as stages
				from page join groups g using (place)`,
			meta: {
				requests: sql`select coalesce(sum(requests), 0) from counted`,
				capacity_mw: sql`select coalesce(round(sum(capacity), 3), 0)::float8 from counted`,
				...coverageMeta(sql, { ...filters, ...asOf }),
				...(near && { near: sql`json_build_object('lat', ${near.lat}::float8, 'lon', ${near.lon}::float8)` }),
			},
		};
		return replyList(sql, list, { page, per_page, cursor });
	};
}

/** Median days that the requests of group `g` were in each study phase, in the order of the phases. */
const stageMedians = (sql: Sql, until: string): Fragment => sql`(
	select coalesce(json_agg(json_build_object('study_phase', study_phase, 'requests', requests, 'median_days', median)
		order by array_position(${[...studyPhases]}::text[], study_phase)), '[]')
	from (
		select s.study_phase, count(distinct r.id) as requests, round(percentile_cont(0.5) within group (order by s.days))::integer as median
		from unnest(g.ids) as r (id) cross join lateral ${stagesOf(sql, sql`r.id`, sql`${until}::timestamptz`)} s
		group by s.study_phase) medians)`;

/** Selects a group's value and place. Coordinates come only from requests that are located as precisely as the group. */
function groupsBy(sql: Sql, by: (typeof groupings)[number]): Fragment {
	const noPlace = sql`null::text as state, null::text as county, null::text as fips, null::float8 as lat, null::float8 as lon,
		null::text as location_precision`;
	switch (by) {
		case "county":
			return sql`p.county as value, p.state, p.county, p.fips,
				min(p.lat) filter (where p.location_precision = 'county') as lat,
				min(p.lon) filter (where p.location_precision = 'county') as lon,
				min(p.location_precision) filter (where p.location_precision = 'county') as location_precision`;
		case "poi":
			return sql`p.poi as value, p.state, p.county, p.fips,
				round(avg(p.lat::numeric) filter (where p.location_precision = 'poi'), 6)::float8 as lat,
				round(avg(p.lon::numeric) filter (where p.location_precision = 'poi'), 6)::float8 as lon,
				min(p.location_precision) filter (where p.location_precision = 'poi') as location_precision`;
		case "status":
			return sql`p.status_std as value, ${noPlace}`;
		case "technology":
			return sql`p.type_std as value, ${noPlace}`;
		case "queue_year":
			return sql`to_char(p.queue_date, 'YYYY') as value, ${noPlace}`;
		case "cod_year":
			return sql`to_char(p.cod, 'YYYY') as value, ${noPlace}`;
		default:
			return sql`p.${sql(by)} as value, ${noPlace}`;
	}
}
