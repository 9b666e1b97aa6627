/** The coverage of a list: how far the lists of each operator reach. */
import { regions } from "#libs/contract/vocabulary.ts";
import type { Fragment, Sql } from "../connect.ts";

/** A query of one JSON object with the day of each region. `days`: a query of region and day; a region that it lacks has null. */
export const coverageOf = (sql: Sql, days: Fragment, of: readonly string[] = regions): Fragment => sql`
	select json_object_agg(region, day order by place)
	from unnest(${[...of]}::text[]) with ordinality as r (region, place) left join (${days}) d using (region)`;
