/** Finds the lists that contain a request as of a day, and its rows in them. */
import type { AsOf } from "#libs/contract/operations/as-of.ts";
import type { Cell } from "#libs/files/values.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { endOf, stateCondition } from "../history/past.ts";
import { factColumns } from "../queues/columns.ts";
import type { StandardRequest } from "../queues/standardise.ts";
import { isSameRequest } from "../queues/status-evidence.ts";
import { fileName } from "../sources/archive.ts";
import { columnNames, type RowOrigin, type TableLayout } from "../sources/filed-cells.ts";
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
	asOf: string;
	/** Layouts of the file's tables; null if the adapter does not report them. */
	tables: TableLayout[] | null;
	mapped: MappedWord[] | null;
	origins: RowOrigin[];
	/** Values of this list's row alone, if the request belongs to another list or its rows were merged. */
	unmerged: Record<string, unknown> | null;
	/** Cells of the row, if they are stored with the request instead of being read from the archived file. */
	cells?: Cell[];
}

/** Maximum lists returned. No request has only partial rows in this many consecutive lists. */
const maxLists = 24;
/** Maximum lists searched in the feed of the request, which may have vanished from it: four years of daily lists. */
const maxSearched = 1_500;
/** Maximum lists searched in a feed that may never have contained the request. */
export const maxRecentLists = 24;

interface StoredList extends Omit<StatingList, "origins" | "cells"> {
	table: number | null;
	row: number | null;
	further: [table: number, row: number, fields: string[]][] | null;
}

/**
 * Returns the newest list of the feed with a row of the request. If that row is partial, also returns the lists before it, up to the first one
 * with a complete row. Newest first.
 * @param listsToSearch number of the newest lists with recorded rows that are searched
 */
export async function findStatingLists(
	sql: Sql,
	id: string,
	feed: Feed,
	asOf: AsOf,
	listsToSearch = maxSearched,
): Promise<StatingList[]> {
	const lists: StatingList[] = [];
	for await (const [stored] of sql<StoredList[]>`
		select f.snapshot_id as "snapshotId", f.feed, f.sha256, ${fileName(sql, sql`f.name`)} as name, f.url, iso(f.fetched_at) as "loadedAt",
			f.published_on as "publishedOn", iso(f.as_of) as "asOf", f.tables, f.mapped_words as mapped, f.stated_tables[i.at] as table, f.stated_rows[i.at] as row,
			f.further_rows -> ${id}::text as further, f.unmerged -> ${id}::text as unmerged
		from (
			select f.* from snapshot_files f join snapshots s on s.id = f.snapshot_id
			where f.feed = ${feed} and f.stated is not null and s.outcome in ('applied', 'backfilled')
				and ${asOf.as_of === undefined ? sql`true` : sql`f.as_of <= ${endOf(sql, asOf.as_of)}`}
			order by f.as_of desc, f.snapshot_id desc limit ${listsToSearch}) f
		cross join lateral (select array_position(f.stated, ${id}::text) as at) i
		where i.at is not null order by f.as_of desc, f.snapshot_id desc limit ${maxLists}`.cursor(1)) {
		if (stored === undefined) continue;
		const { table, row, further, ...list } = stored;
		const mainRow = table === null || row === null ? [] : [{ table, row }];
		const furtherRows = (further ?? []).map(([at, number, fields]) => ({ table: at, row: number, fields }));
		lists.push({ ...list, origins: [...mainRow, ...furtherRows] });
		if (table === null || list.tables?.[table]?.partial !== true) break;
	}
	return lists;
}

/** Orders the lists by their precedence for a field of a request whose newest row is partial. */
export function byPrecedence(field: string, lists: readonly StatingList[]): StatingList[] {
	const column = factColumns.find(({ name }) => name === field);
	return column?.partial === "set" ? [...lists] : [...lists].reverse();
}

export interface RequestState {
	body: Record<string, unknown>;
	/** Values that the operator's lists have for fields whose value comes from another source. */
	asFiled: Record<string, unknown> | null;
	feed: Feed;
	region: string;
}

export async function readState(sql: Sql, id: string, asOf: AsOf): Promise<RequestState | undefined> {
	const state =
		asOf.as_of === undefined
			? sql`select body, as_filed as "asFiled", feed, region from projects where id = ${id}`
			: sql`
				select state_body(p) as body, p.as_filed as "asFiled", p.feed, p.region from project_history p
				where p.id = ${id} and ${stateCondition(sql, asOf.as_of)} order by p.version desc limit 1`;
	const [row] = await sql<(Omit<RequestState, "body"> & { body: string })[]>`${state}`;
	return row && { ...row, body: JSON.parse(row.body) as Record<string, unknown> };
}

interface BerkeleyLabRow extends Omit<StatingList, "origins" | "unmerged" | "cells"> {
	request: StandardRequest & { filed?: Record<string, string> | null };
}

/** Maximum rows read. No number has this many rows in any edition. */
const maxRows = 50;

/**
 * Finds Berkeley Lab's row of a request. Returns undefined if the edition has no such row or is later than the day, or if several requests have
 * its number, which then identifies none of them.
 */
export async function findBerkeleyLabRow(
	sql: Sql,
	id: string,
	body: Record<string, unknown>,
	asOf: AsOf,
): Promise<StatingList | undefined> {
	const rows = await sql<BerkeleyLabRow[]>`
		with edition as (
			select s.snapshot_id as "snapshotId", s.feed, s.sha256, ${fileName(sql, sql`s.name`)} as name, s.url, iso(s.fetched_at) as "loadedAt",
				s.published_on as "publishedOn", iso(f.applied_as_of) as "asOf", s.tables, s.mapped_words as mapped
			from feeds f join snapshot_files s on s.feed = f.feed and s.sha256 = f.applied_sha256
			where f.feed = 'lbnl' and s.tables is not null
				and ${asOf.as_of !== undefined ? sql`f.applied_as_of <= ${endOf<Fragment>(sql, asOf.as_of)}` : sql`true`}
			order by s.snapshot_id desc limit 1)
		select e.*, l.request from edition e
		join project_aliases a on a.project_id = ${id}
		join lbnl_requests l on l.lbnl_region = a.region and l.key = a.key
		where not exists (select from project_aliases b
			where b.region = a.region and b.key = a.key and b.project_id <> a.project_id)
		order by l.repeat limit ${maxRows}`;
	const identity = { name: body.name as string | null, queueDate: body.queue_date as string | null };
	const row = rows.find(({ request }) => isSameRequest(identity, request));
	if (row === undefined) return undefined;
	const { request, ...list } = row;
	const { origins = [] } = request;
	const names = columnNames(list.tables?.[origins[0]?.table ?? 0]?.headers ?? []);
	const facts = factColumns.map(({ name, value }) => [name, value(request)]);
	return {
		...list,
		origins,
		unmerged: Object.fromEntries(facts),
		cells: names.map((name) => request.filed?.[name] ?? null),
	};
}
