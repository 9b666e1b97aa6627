/** The row of Berkeley Lab's edition in use that is of a request, with its cells. */
import type { AsOf } from "#libs/contract/operations/as-of.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { endOf } from "../history/past.ts";
import { factColumns } from "../queues/columns.ts";
import type { StandardRequest } from "../queues/standard-request.ts";
import { isSameRequest } from "../queues/status-evidence.ts";
import { columnNames } from "../sources/filed-cells.ts";
import type { StatingList } from "./stating-lists.ts";

type ListedRequest = StandardRequest & { filed?: Record<string, string> | null };

interface Listed extends Omit<StatingList, "origins" | "unmerged" | "cells"> {
	request: ListedRequest;
}

/** More rows of one number than any edition has. */
const mostRows = 50;

/**
 * Undefined where the edition has no such row, or is of after the day; and of a number that several requests have, as it alone identifies
 * none of them.
 */
export async function berkeleyLabRow(
	sql: Sql,
	id: string,
	body: Record<string, unknown>,
	asOf: AsOf,
): Promise<StatingList | undefined> {
	const rows = await sql<Listed[]>`
		with edition as (
			select s.snapshot_id as "snapshotId", s.feed, s.sha256, s.name, s.url, iso(s.fetched_at) as "loadedAt",
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
		order by l.repeat limit ${mostRows}`;
	const own = { name: body.name as string | null, queueDate: body.queue_date as string | null };
	const found = rows.find(({ request }) => isSameRequest(own, request));
	if (found === undefined) return undefined;
	const { request, ...list } = found;
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
