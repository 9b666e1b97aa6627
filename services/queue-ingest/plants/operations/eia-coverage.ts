/** Which schedules of form EIA-860 are loaded, year by year: a missing one says nothing, and the answers say so. */
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { generatorSchedules, schedules } from "../sources/schedule.ts";

/** A JSON value. The full list of generators holds those of the other schedules, which then are not missing. `shown` is the rows' year. */
export function eiaCoverage(sql: Sql, shown: Fragment): Fragment {
	return sql`
		(select coalesce(json_agg(json_build_object('year', year, 'shown', coalesce(year = ${shown}, false), 'loaded', loaded,
			'missing', array(select m.name from unnest(${[...schedules]}::text[]) with ordinality as m (name, place)
				where m.name <> all(loaded) and not ('generator' = any(loaded) and m.name = any(${[...generatorSchedules]}::text[]))
				order by m.place),
			'generators', case when 'generator' = any(loaded) then 'all'
				when loaded && ${[...generatorSchedules]}::text[] then 'partial' else 'none' end) order by year desc), '[]')
		from (select year, array_agg(schedule order by array_position(${[...schedules]}::text[], schedule)) as loaded
			from eia_schedules group by year) s)`;
}
