/** Loads a list older than the newest, retracts a list, or reads all lists again, by rebuilding the requests from the archived lists. */
import { StructureError } from "#libs/files/structure-error.ts";
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import { addHash, archive, recordReport } from "../../sources/archive.ts";
import { toTheSecond } from "../../sources/as-of.ts";
import { closeAttempt } from "../../sources/file-report.ts";
import { withGroupLock } from "../../sources/locks.ts";
import type { ListGroup } from "../../sources/source.ts";
import { readMappedWords } from "../../sources/vocabulary.ts";
import { feedsOf, sourceOf } from "../sources/index.ts";
import { guard } from "./apply-file.ts";
import { type Applied, countOutcome } from "./apply-list.ts";
import { checkDay } from "./check-day.ts";
import { parseFile, type StandardFile } from "./files/parse-file.ts";
import { recognise } from "./files/recognise.ts";
import type { ReplayedList } from "./fold-lists.ts";
import { rebuild } from "./rebuild.ts";
import { HeldBack, type IngestRequest, type IngestResult, noChanges } from "./record-attempt.ts";

/** Loads one late file. Reports a faulty file as an outcome. Throws if the database fails. */
export async function ingestLate(
	sql: Sql,
	request: IngestRequest,
): Promise<IngestResult<"backfilled" | "unchanged" | "failed">> {
	const now = (request.now ?? (() => new Date()))();
	const [file] = request.files.map(addHash);
	if (file === undefined) throw new Error("the request to load a past list has no file");
	const { region } = request;
	const id = await archive(sql, region, request.asOf ?? now.toISOString(), [file]);
	try {
		const { feed, partOf } = await recognise(region, file);
		const { name, path, bytes } = file;
		const mapped = await readMappedWords(sql, partOf ?? feed);
		const parsed =
			request.parsedLists?.find((list) => list.feed === feed) ??
			(await parseFile({ feed, name, path, bytes, asOf: request.asOf, mapped }));
		await recordReport(sql, id, file.sha256, parsed);
		const counts = await withGroupLock(sql, region, (tx) =>
			addList(tx, id, request, { ...parsed, sha256: file.sha256 }, now),
		);
		const outcome = counts === undefined ? "unchanged" : "backfilled";
		return { region, as_of: toTheSecond(parsed.asOf), outcome, ...noChanges, ...counts, reason: null };
	} catch (error) {
		if (!(error instanceof StructureError)) throw error;
		// The feed's outcome is kept, because this result is not about its newest list.
		await closeAttempt(sql, id, { outcome: "failed", reason: error.message });
		return { region, as_of: request.asOf, outcome: "failed", ...noChanges, reason: error.message };
	}
}

/** Adds the list to the history. Returns undefined if the history already has it. */
async function addList(
	tx: Transaction,
	id: number,
	request: IngestRequest,
	parsed: StandardFile,
	now: Date,
): Promise<Applied | undefined> {
	const { feed, asOf, sha256 } = parsed;
	const [known] = await tx<{ newest: string | null; loaded: boolean; before: string | null; event: string | null }[]>`
		with lists as (
			select f.as_of, f.sha256, f.newest_event from snapshot_files f join snapshots s on s.id = f.snapshot_id
			where f.feed = ${feed} and s.outcome in ('applied', 'backfilled') and f.as_of is not null)
		select (select iso(applied_as_of) from feeds where feed = ${feed}) as newest,
			exists (select from lists where sha256 = ${sha256} and as_of = ${asOf}) as loaded,
			(select max(as_of)::text from lists where as_of <= ${asOf}) as before,
			(select to_char(newest_event, 'YYYY-MM-DD') from lists where as_of <= ${asOf} order by as_of desc limit 1) as event`;
	const outcome = known?.loaded ? "unchanged" : "backfilled";
	await tx`update snapshots set outcome = ${outcome}, as_of = ${asOf}, finished_at = now() where id = ${id}`;
	if (known?.loaded) return undefined;
	if (!known?.newest || asOf >= known.newest)
		throw new HeldBack(`${feed}: no list newer than ${asOf} is loaded, so this one cannot be loaded as a past list`);
	const source = sourceOf(feed);
	checkDay(source, request, parsed, known.event, now);
	await tx`update snapshot_files set as_of = ${asOf} where snapshot_id = ${id}`;
	let counts = noChanges;
	const onList = async ({ snapshotId, file, previousAsOf }: ReplayedList) => {
		if (snapshotId !== id) return;
		const hours = previousAsOf === null ? undefined : (Date.parse(asOf) - Date.parse(previousAsOf)) / 3_600_000;
		await guard(tx, source, request, file, hours, "rebuilt");
		counts = await countOutcome(tx, source, "rebuilt");
		await addChanges(tx, asOf, previousAsOf === null);
	};
	await rebuild(tx, { group: request.region, snapshotId: id, source, from: known.before ?? asOf, now, onList });
	const { rows, new: added, changed, disappeared } = counts;
	await tx`
		update snapshots set rows = ${rows}, new = ${added}, changed = ${changed}, disappeared = ${disappeared} where id = ${id}`;
	return counts;
}

/** Adds the changes of the late list to `late`. */
async function addChanges(tx: Transaction, asOf: string, isFirst: boolean): Promise<void> {
	await tx`
		insert into late
		select ${asOf}::timestamptz, f.*, s.queue_id, s.kind, s.name, s.developer, s.capacity_mw, s.type_std, s.state
		from (
			select id, 0 as field_order, ${isFirst ? "first_listed" : "new_project"} as change_type, null as field_name,
				null as old_value, status as new_value
			from staged where is_new
			union all
			select id, 10 + field_order, change_type, field_name, old_value, new_value
			from differences where not recoded
			union all
			select null, 100 + field_order, change_type, field_name, null, count(*) || ' projects recoded'
			from differences where recoded group by field_order, change_type, field_name) f
		left join staged s on s.id = f.id`;
}

/** Adds changes to `late` that the change log has only as part of an entry for many requests, unless a renaming explains them. */
async function addHiddenChanges(tx: Transaction, { snapshotId, file }: ReplayedList): Promise<void> {
	await tx`
		insert into late
		select ${file.asOf}::timestamptz, d.id, 10 + d.field_order, d.change_type, d.field_name, d.old_value, d.new_value, s.queue_id, s.kind,
			s.name, s.developer, s.capacity_mw, s.type_std, s.state
		from differences d join staged s using (id)
		where not d.recoded and exists (
				select from changes c where c.snapshot_id = ${snapshotId} and c.feed = ${file.feed} and c.project_id is null
					and c.change_type = d.change_type and c.field_name = d.field_name)
			and not exists (
				select from changes c where c.project_id = d.id and c.field_name = d.field_name and c.detected_at = ${file.asOf}
					and c.old_value is not distinct from d.old_value and c.new_value is not distinct from d.new_value)`;
}

/** Retracts the newest list and rebuilds the requests from the other lists. @throws HeldBack if no list precedes it */
export function retractNewest(sql: Sql, group: ListGroup, now: Date): Promise<IngestResult> {
	return withGroupLock(sql, group, async (tx) => {
		const lists = await tx<{ id: number; feed: string; before: string | null }[]>`
			select f.snapshot_id as id, f.feed, (
				select max(b.as_of)::text from snapshot_files b join snapshots s on s.id = b.snapshot_id
				where b.feed = f.feed and s.outcome in ('applied', 'backfilled') and b.snapshot_id <> f.snapshot_id
					and (b.as_of, b.snapshot_id) < (f.as_of, f.snapshot_id)) as before
			from snapshot_files f
			where f.as_of is not null and f.snapshot_id = (select max(id) from snapshots where region = ${group} and outcome = 'applied')
			order by before`;
		const [first] = lists;
		if (first === undefined || lists.some(({ before }) => before === null))
			throw new HeldBack(`${group}: the newest list cannot be retracted, because no list precedes it`);
		await tx`update snapshots set outcome = 'retracted' where id = ${first.id}`;
		const source = sourceOf(first.feed);
		const changed = await rebuild(tx, { group, snapshotId: first.id, source, from: first.before ?? "", now });
		const [applied] = await tx<{ rows: number; as_of: string }[]>`
			with newest as (
				select distinct on (f.feed) f.feed, f.as_of, f.sha256, f.published_on, cardinality(f.stated) as requests
				from snapshot_files f join snapshots s on s.id = f.snapshot_id
				where f.feed = any(${lists.map(({ feed }) => feed)}::text[]) and s.outcome in ('applied', 'backfilled') and f.as_of is not null
				order by f.feed, f.as_of desc, s.id desc),
			put_back as (
				update feeds t set applied_as_of = n.as_of, applied_sha256 = n.sha256, published_on = n.published_on, requests = n.requests,
					last_changed_at = ${now.toISOString()}
				from newest n where n.feed = t.feed)
			select sum(requests)::int as rows, iso(max(as_of)) as as_of from newest`;
		const summary = { region: group, as_of: applied?.as_of ?? null, outcome: "applied" as const, reason: null };
		return { ...noChanges, ...summary, rows: applied?.rows ?? 0, changed };
	});
}

/** Reads all lists of a group again, with the current adapters and mappings. @throws HeldBack if none is loaded */
export function rebuildAll(sql: Sql, group: ListGroup, now: Date): Promise<IngestResult> {
	return withGroupLock(sql, group, async (tx) => {
		const [newest] = await tx<{ id: number; as_of: string; feed: string; rows: number }[]>`
			select s.id, iso(f.as_of) as as_of, f.feed, cardinality(f.stated) as rows
			from snapshot_files f join snapshots s on s.id = f.snapshot_id
			where f.feed = any(${feedsOf(group)}::text[]) and s.outcome in ('applied', 'backfilled') and f.as_of is not null
			order by f.as_of desc, s.id desc limit 1`;
		if (newest === undefined) throw new HeldBack(`${group}: no list is loaded`);
		const task = { group, snapshotId: newest.id, source: sourceOf(newest.feed), from: "-infinity", now };
		const changed = await rebuild(tx, { ...task, onList: (list) => addHiddenChanges(tx, list) });
		const summary = { region: group, as_of: newest.as_of, outcome: "applied" as const, reason: null };
		return { ...noChanges, ...summary, rows: newest.rows, changed };
	});
}
