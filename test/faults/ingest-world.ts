/** A database that holds one good list, and what must be as before after a broken one. */
import { expect } from "vitest";
import { subjectOf } from "../../libs/contract/events/event.ts";
import { events } from "../../libs/contract/index.ts";
import { readWorkbook } from "../../libs/files/workbook.ts";
import { connect, type Sql } from "../../libs/postgres/connect.ts";
import { ingestSnapshot } from "../../services/queue-ingest/queues/jobs/ingest-snapshot.ts";
import type { IngestResult } from "../../services/queue-ingest/queues/jobs/record-attempt.ts";
import { sourceOf } from "../../services/queue-ingest/queues/sources/index.ts";
import type { IncomingFile } from "../../services/queue-ingest/sources/archive.ts";
import { createDatabase } from "../support/database.ts";
import { workbook } from "../support/file-formats.ts";
import { type QueueFeed, queueFile, queueRows } from "../support/queue-files.ts";

/** Day of the good list. */
const baselineDay = "2026-07-20T00:00:00Z";

/** An ISO moment some days after the good list. */
export const daysLater = (days: number): string =>
	new Date(Date.parse(baselineDay) + days * 86_400_000).toISOString().replace(/\.\d+Z$/, "Z");

export interface World extends AsyncDisposable {
	sql: Sql;
	url: string;
	feed: QueueFeed;
	ingest(file: IncomingFile, asOf: string): Promise<IngestResult>;
}

/** A database of one's own in which `good` is the feed's applied list. */
export async function openWorld(feed: QueueFeed, good: IncomingFile): Promise<World> {
	await using opened = new AsyncDisposableStack();
	const database = opened.use(await createDatabase());
	const sql = opened.use(
		connect(database.url, { schema: "queue_ingest", name: "faults", max: 3, statementTimeoutMs: 0 }),
	);
	const ingest = (file: IncomingFile, asOf: string) =>
		ingestSnapshot(sql, { region: regionOf(feed), files: [file], asOf });
	const result = await ingest(good, baselineDay);
	expect(result).toMatchObject({ outcome: "applied", reason: null });
	const rest = opened.move();
	return { sql, url: database.url, feed, ingest, [Symbol.asyncDispose]: () => rest.disposeAsync() };
}

export function regionOf(feed: QueueFeed) {
	const { region } = sourceOf(feed);
	if (region === null) throw new Error(`${feed} is no operator's`);
	return region;
}

/** Differences in a list's structure are recorded of a held-back list, too. */
const listDrifted = subjectOf(events.listDrifted);

/** Published and served state, which a held-back list must not change. */
export async function stateOf(sql: Sql) {
	const [state] = await sql<
		{ served: number; statuses: string; withdrawals: number; disappeared: number; everything: string }[]
	>`
		select
			(select count(*) from projects where kind = 'generation') as served,
			(select md5(string_agg(id || '=' || coalesce(status, '') || '/' || status_std, ',' order by id)) from projects)
				as statuses,
			(select count(*) from changes where change_type = 'status_change' or field_name = 'withdrawn_date'
				or change_type not in ('first_listed', 'raw_update') and new_value ilike '%withdrawn%') as withdrawals,
			(select count(*) from changes where change_type = 'disappeared') as disappeared,
			md5(concat(
				(select string_agg(p::text, ',' order by id) from projects p),
				(select string_agg(v::text, ',' order by project_id, version) from project_versions v),
				(select string_agg(c::text, ',' order by seq) from changes c),
				(select string_agg(a::text, ',' order by project_id, number) from project_aliases a),
				(select count(*) from outbox where subject <> ${listDrifted}))) as everything`;
	if (state === undefined) throw new Error("no state");
	return state;
}
export type State = Awaited<ReturnType<typeof stateOf>>;

/**
 * A broken list published no withdrawal: it was held back with a reason and an alert and changed nothing. Where `mayApply`
 * (rows lost that a guard allows), it may also have been applied, but then as absences that are not published yet.
 */
export async function expectHarmless(
	world: World,
	before: State,
	result: IngestResult,
	{ mayApply = false }: { mayApply?: boolean } = {},
): Promise<void> {
	const after = await stateOf(world.sql);
	const { everything: _, ...published } = before;
	expect(after).toMatchObject(published);
	expect(result).toMatchObject({ withdrawn: 0, status_changes: 0 });
	if (mayApply && result.outcome === "applied") return;
	expect(["quarantined", "failed"]).toContain(result.outcome);
	expect(result.reason).toMatch(/\S{3}/);
	expect(after.everything).toBe(before.everything);
	const [alert] = await world.sql<{ outcome: string; reason: string; current: boolean }[]>`
		select outcome, reason, id > (select max(id) from snapshots where region = s.region and outcome = 'applied') as current
		from snapshots s where region = ${regionOf(world.feed)} order by id desc limit 1`;
	expect(alert).toEqual({ outcome: result.outcome, reason: result.reason, current: true });
}

/** The list as it is the day after a broken one: all requests, one of them larger and one more. */
export async function nextFile(feed: QueueFeed, layout?: string): Promise<IncomingFile> {
	const rows = queueRows(feed, { count: 121 });
	const grown = rows.find((row) => row.status === "active");
	if (grown !== undefined) grown.mw += 7;
	return queueFile(feed, rows, layout === undefined ? {} : { layout });
}

/** After the fault, the feed's good list is applied as usual, and so is another operator's. */
export async function expectRecovery(world: World, next: IngestResult, asOf: string): Promise<void> {
	expect(next).toMatchObject({ outcome: "applied", new: 1, changed: 1, withdrawn: 0, disappeared: 0 });
	const other = world.feed === "spp" ? "miso" : "spp";
	const list = await queueFile(other, queueRows(other));
	const result = await ingestSnapshot(world.sql, { region: regionOf(other), files: [list], asOf });
	expect(result).toMatchObject({ outcome: "applied", rows: 120, new: 120 });
	const [published] = await world.sql<{ changes: number }[]>`
		select count(*) as changes from changes where change_type in ('status_change', 'disappeared', 'correction')`;
	expect(published?.changes).toBe(0);
}

/** Pages that tell where the list is; the list itself is the other request. */
export const indexPages: Record<string, string> = {
	"/interconnections":
		'<html><body><a href="/documents/20142/1/NYISO-Interconnection-Queue-07202026.xlsx/ab-cd?t=1">queue</a></body></html>',
	"/misapp/servlets/IceDocListJsonWS": JSON.stringify({
		ListDocsByRptTypeRes: {
			DocumentList: [
				{
					Document: { FriendlyName: "GIS_Report_July2026", DocID: "9", PublishDate: "2026-08-01T09:00:00-05:00" },
				},
			],
		},
	}),
};

/** Less than 100 kB is no workbook of New York's: this one has long notes. */
export async function listOf(feed: QueueFeed, file: IncomingFile): Promise<IncomingFile> {
	if (feed !== "nyiso") return file;
	const sheets = await readWorkbook(file.bytes);
	const note = (n: number) =>
		`Note ${n} ${Array.from({ length: 4000 }, (_, at) => (at * n * 7919) % 10_007).join(" ")}`;
	const notes = Array.from({ length: 14 }, (_, at) => [null, note(at + 1)]);
	const padded = sheets.map((sheet, at) => (at === 0 ? { ...sheet, rows: [...sheet.rows, ...notes] } : sheet));
	return { ...file, bytes: await workbook(padded) };
}
