/** Replies whose JSON PostgreSQL writes, together with the data version of the snapshot. */
import type { Json, Versioned } from "#libs/contract/index.ts";
import { regions } from "#libs/contract/vocabulary.ts";
import type { Fragment, Sql } from "../connect.ts";

/**
 * Runs `body`, a query of one `json` or `jsonb` value, and reads the data version in the same statement, and therefore in the same snapshot.
 * Returns null if the query has no row.
 */
export async function jsonReply<R>(sql: Sql, body: Fragment): Promise<Versioned<R> | null> {
	const [row] = await sql<{ json: string | null; version: number }[]>`
		select (${body})::text as json, (select version from data_version) as version`;
	if (row === undefined || row.json === null) return null;
	return { json: row.json as Json<R>, dataVersion: row.version };
}

/** Like `jsonReply`, for a query that always has a row. */
export async function oneJsonReply<R>(sql: Sql, body: Fragment): Promise<Versioned<R>> {
	const reply = await jsonReply<R>(sql, body);
	if (reply === null) throw new Error("a statement that must return one JSON value returned none");
	return reply;
}

/** The coverage of a list: a query of one JSON object with the day that the lists of each region reach. `days`: a query of region and day; a region that it lacks has null. */
export const coverageOf = (sql: Sql, days: Fragment, of: readonly string[] = regions): Fragment => sql`
	select json_object_agg(region, day order by place)
	from unnest(${[...of]}::text[]) with ordinality as r (region, place) left join (${days}) d using (region)`;
