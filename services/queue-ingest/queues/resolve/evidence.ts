/** Which lists state requests, and in which rows: of many requests at once. */
import type { Sql } from "#libs/postgres/connect.ts";

export interface Place {
	source: string;
	file: string;
	sha256: string;
	sheet: string | null;
	row: number | null;
}

/** Further back than a request stays in partial rows alone. */
const mostLists = 24;

/** By id: the newest list of the request's feed that has a row of it. Without an entry where none of the last lists has. */
export async function placesOf(sql: Sql, ids: readonly string[]): Promise<Map<string, Place>> {
	const places = new Map<string, Place>();
	for (const [from, to] of [
		[1, 1],
		[2, mostLists],
	] as const) {
		const open = ids.filter((id) => !places.has(id));
		if (open.length === 0) break;
		const rows = await sql<(Place & { id: string })[]>`
			with wanted as (select id, feed from projects where id = any(${open}::text[])),
			lists as (
				select * from (
					select f.*, row_number() over (partition by f.feed order by f.snapshot_id desc) as nth
					from snapshot_files f join snapshots s on s.id = f.snapshot_id
					where s.outcome = 'applied' and f.feed in (select feed from wanted)) numbered
				where nth between ${from} and ${to})
			select distinct on (w.id) w.id, l.feed as source, l.name as file, l.sha256, l.tables -> u.tab ->> 'sheet' as sheet, u.line as row
			from lists l cross join lateral unnest(l.stated, l.stated_tables::int[], l.stated_rows) as u (id, tab, line)
			join wanted w on w.id = u.id and w.feed = l.feed order by w.id, l.snapshot_id desc`;
		for (const { id, ...place } of rows) places.set(id, place);
	}
	return places;
}
