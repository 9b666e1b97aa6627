/** Which lists state a request on a day, and in which of their rows. */
import type { AsOf } from "#libs/contract/operations/as-of.ts";
import type { Cell } from "#libs/files/values.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { endOf, stateCondition } from "../history/past.ts";
import { factColumns } from "../queues/columns.ts";
import type { RowOrigin, TableLayout } from "../sources/filed-cells.ts";
import type { Feed } from "../sources/source.ts";
import type { MappedWord } from "../sources/vocabulary.ts";

export interface StatingList {
	snapshotId: number;
	feed: Feed;
	sha256: string;
	name: string;
	url: string | null;
	loadedAt: string;
	publishedOn: string | null;
	/** ISO moment. */
	asOf: string;
	/** Null: the adapter does not say. */
	tables: TableLayout[] | null;
	/** Words that were read as others. */
	mapped: MappedWord[] | null;
	/** Its own row first. */
	origins: RowOrigin[];
	/** The row as the list has it, where the request is another list's or was merged. */
	unmerged: Record<string, unknown> | null;
	/** Cells of its own row, where they are stored with the request and not read from the archived file. */
	cells?: Cell[];
}

/** Further back than a request stays in partial rows alone. */
const mostLists = 24;
/** Lists of a feed that are looked through for a request that it states, or stated before it vanished: four years of daily ones. */
const mostLooked = 1_500;
/** The same of a feed that may never have stated it: what stood in older lists alone is no longer said of it. */
export const recentLists = 24;

interface Stored extends Omit<StatingList, "origins" | "cells"> {
	table: number | null;
	row: number | null;
	further: [table: number, row: number, fields: string[]][] | null;
}

/**
 * The newest list of the feed that has a row of the request; where the row says less than a main list's, those before it too, to the first
 * whose row is whole. The newest first.
 * @param within so many of the newest lists that kept which requests they state
 */
export async function statingLists(
	sql: Sql,
	id: string,
	feed: Feed,
	asOf: AsOf,
	within = mostLooked,
): Promise<StatingList[]> {
	const lists: StatingList[] = [];
	for await (const [stored] of sql<Stored[]>`
		select f.snapshot_id as "snapshotId", f.feed, f.sha256, f.name, f.url, iso(f.fetched_at) as "loadedAt",
			f.published_on as "publishedOn", iso(f.as_of) as "asOf", f.tables, f.mapped_words as mapped, f.stated_tables[i.at] as table, f.stated_rows[i.at] as row,
			f.further_rows -> ${id}::text as further, f.unmerged -> ${id}::text as unmerged
		from (
			select f.* from snapshot_files f join snapshots s on s.id = f.snapshot_id
			where f.feed = ${feed} and f.stated is not null and s.outcome in ('applied', 'backfilled')
				and ${asOf.as_of === undefined ? sql`true` : sql`f.as_of <= ${endOf(sql, asOf.as_of)}`}
			order by f.as_of desc, f.snapshot_id desc limit ${within}) f
		cross join lateral (select array_position(f.stated, ${id}::text) as at) i
		where i.at is not null order by f.as_of desc, f.snapshot_id desc limit ${mostLists}`.cursor(1)) {
		if (stored === undefined) continue;
		const { table, row, further, ...list } = stored;
		const own = table === null || row === null ? [] : [{ table, row }];
		const others = (further ?? []).map(([at, number, fields]) => ({ table: at, row: number, fields }));
		lists.push({ ...list, origins: [...own, ...others] });
		if (table === null || list.tables?.[table]?.partial !== true) break;
	}
	return lists;
}

/** The lists in the order in which they decide a field of a request whose newest row says less than a whole one. */
export function byPrecedence(field: string, lists: readonly StatingList[]): StatingList[] {
	const column = factColumns.find(({ name }) => name === field);
	return column?.partial === "set" ? [...lists] : [...lists].reverse();
}

export interface RequestState {
	body: Record<string, unknown>;
	feed: Feed;
	region: string;
}

/** The request as it is, or as it was on the day; undefined where no list has it then. */
export async function stateOf(sql: Sql, id: string, asOf: AsOf): Promise<RequestState | undefined> {
	const [row] =
		asOf.as_of !== undefined
			? await sql<{ body: string; feed: Feed; region: string }[]>`
			select state_body(p) as body, p.feed, p.region from project_history p where p.id = ${id} and ${stateCondition(sql, asOf.as_of)}
			order by p.version desc limit 1`
			: await sql<
					{ body: string; feed: Feed; region: string }[]
				>`select body, feed, region from projects where id = ${id}`;
	return row && { ...row, body: JSON.parse(row.body) as Record<string, unknown> };
}
