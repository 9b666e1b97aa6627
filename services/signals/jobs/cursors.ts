/** How far each feed was read, and when each address was asked: the tables `cursors` and `fetched`. */
import type { Validators } from "#libs/files/download.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { writtenAhead } from "#libs/postgres/written-ahead.ts";

export async function readCursor(sql: Sql, feed: string): Promise<string | undefined> {
	const [row] = await sql<{ position: string }[]>`select position from cursors where feed = ${feed}`;
	return row?.position;
}

/** To be called when everything before `position` is stored. */
export async function moveCursor(sql: Sql, feed: string, position: string, now: Date): Promise<void> {
	await sql`
		insert into cursors (feed, position, moved_at) values (${feed}, ${position}, ${now.toISOString()})
		on conflict (feed) do update set position = excluded.position, moved_at = excluded.moved_at`;
}

/** To be called when what came is stored. `validators` null: nothing new came, those known stay. */
export async function noteFetched(sql: Sql, url: string, validators: Validators | null, now: Date): Promise<void> {
	const { etag, lastModified } = validators ?? { etag: null, lastModified: null };
	await sql`
		insert into fetched as t (url, etag, last_modified, fetched_at)
		values (${url}, ${etag}, ${lastModified}, ${now.toISOString()})
		on conflict (url) do update set fetched_at = excluded.fetched_at,
			etag = case when ${validators === null} then t.etag else excluded.etag end,
			last_modified = case when ${validators === null} then t.last_modified else excluded.last_modified end`;
}

/** Which of these addresses were not asked since, in the order of their last look, those never asked first. */
export async function notAskedSince(sql: Sql, urls: readonly string[], since: Date, now: Date): Promise<string[]> {
	const rows = await sql<{ url: string }[]>`
		select u.url from unnest(${[...urls]}::text[]) with ordinality as u (url, place)
		left join fetched f on f.url = u.url
		where f.fetched_at is null or f.fetched_at <= ${since.toISOString()} or ${writtenAhead(sql, sql`f.fetched_at`, now)}
		order by f.fetched_at nulls first, u.place`;
	return rows.map(({ url }) => url);
}
