/** The tables `cursors` (how far each feed has been read) and `fetched` (when each address was last requested). */
import type { Validators } from "#libs/files/download.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { writtenAhead } from "#libs/postgres/written-ahead.ts";
import type { StepRun } from "./poll.ts";

export async function readCursor(sql: Sql, feed: string): Promise<string | undefined> {
	const [row] = await sql<{ position: string }[]>`select position from cursors where feed = ${feed}`;
	return row?.position;
}

/** Call this when everything before `position` is stored. */
export async function moveCursor({ sql, now }: StepRun, feed: string, position: string): Promise<void> {
	await sql`
		insert into cursors (feed, position, moved_at) values (${feed}, ${position}, ${now().toISOString()})
		on conflict (feed) do update set position = excluded.position, moved_at = excluded.moved_at`;
}

/** Call this when the response is stored. If `validators` is null, the recorded ones are retained, because nothing new was stored. */
export async function recordRequest({ sql, now }: StepRun, url: string, validators: Validators | null): Promise<void> {
	const { etag, lastModified } = validators ?? { etag: null, lastModified: null };
	await sql`
		insert into fetched as t (url, etag, last_modified, fetched_at)
		values (${url}, ${etag}, ${lastModified}, ${now().toISOString()})
		on conflict (url) do update set fetched_at = excluded.fetched_at,
			etag = case when ${validators === null} then t.etag else excluded.etag end,
			last_modified = case when ${validators === null} then t.last_modified else excluded.last_modified end`;
}

/** Returns the addresses not requested within the last `ageMs`: first those never requested, then the others by their last request. */
export async function dueUrls({ sql, now }: StepRun, urls: readonly string[], ageMs: number): Promise<string[]> {
	const since = new Date(now().getTime() - ageMs).toISOString();
	const rows = await sql<{ url: string }[]>`
		select u.url from unnest(${[...urls]}::text[]) with ordinality as u (url, place)
		left join fetched f on f.url = u.url
		where f.fetched_at is null or f.fetched_at <= ${since} or ${writtenAhead(sql, sql`f.fetched_at`, now())}
		order by f.fetched_at nulls first, u.place`;
	return rows.map(({ url }) => url);
}
