/** What the lists of data centres rest on, for the answers that show their rows. */
import { states } from "#libs/contract/vocabulary.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";

const says: Record<string, string> = {
	"datacenter-map":
		"Name, street address and coordinates; neither operator, capacity nor status. Coordinates outside the state, or far from the rest of their market, are left out.",
	"datacenter-energy":
		"Brand and county, with a low and a high estimate of the yearly use of electricity. Placed at the county's centre: other lists may hold the same facilities.",
	"datacenter-guide":
		"Large sites with operator, city, status and an estimate of the capacity. Placed at the city's centre.",
	"datacenter-proposals":
		"Proposals with phase, companies, site and capacity, gathered from announcements and hearings.",
};
const ofQueue = "Load requests of the operator's queue whose end use, or whose name, is a data centre.";

/** `sources` of those lists that hold rows, as a JSON value. `feeds` are in the order in which they are shown; `rows`: source, as_of, state. */
export function describedSources(sql: Sql, feeds: readonly string[], rows: Fragment): Fragment {
	return sql`
		coalesce((select json_agg(json_build_object('source', c.source, 'records', c.records, 'as_of', c.as_of,
				'says', concat_ws(' ', coalesce((${JSON.stringify(says)}::text::jsonb) ->> c.source, ${ofQueue}), ${without(sql)}))
			order by array_position(${feeds as string[]}::text[], c.source))
			from (select source, count(*) as records, max(as_of) as as_of, array_agg(distinct state) filter (where state is not null) as states from (${rows}) r group by source) c), '[]')`;
}

/** Where a list has no row, so that its absence is not taken for no data centre. An operator's queue is of its own territory. */
const without = (sql: Sql): Fragment => sql`(
	select 'It has none in ' || string_agg(code, ', ' order by code) || '.' from unnest(${states as string[]}::text[]) code
	where starts_with(c.source, 'datacenter-') and code <> all (coalesce(c.states, '{}')))`;
