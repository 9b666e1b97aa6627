/** Takes in one file of a related dataset: archive, parse, guard, write. Whole or not at all. */

import { readInThread } from "#libs/files/in-thread.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { removeDatasetSample, sampleUrl } from "../history/events/remove-sample.ts";
import { Held } from "../queues/jobs/record-attempt.ts";
import { type ArchivedFile, archive, hashed, type IncomingFile, recordReport } from "../sources/archive.ts";
import { moment } from "../sources/as-of.ts";
import type { Dataset, DatasetFile } from "../sources/dataset.ts";
import { type FileReport, unchanged, unread } from "../sources/file-report.ts";
import { judgeDataset, lostOf, olderThanStored, type StoredEdition } from "./load-dataset-guard.ts";

/** Outcome of one file: rows_in = rows that were stored (however many records each became) + the sum of `reported`. */
export interface DatasetReport extends FileReport {
	feed: string | null;
	edition: string | null;
}

/**
 * Never throws for what is wrong with a file: that is an outcome. Throws when the database fails. `accept`: released by hand, the
 * guards of plausibility are not asked; a faulty structure stays one.
 */
export async function loadDataset(
	sql: Sql,
	dataset: Dataset,
	incoming: IncomingFile,
	now: Date,
	{ accept = false }: { accept?: boolean } = {},
): Promise<DatasetReport> {
	const file = hashed(incoming);
	const same = await storedFrom(sql, dataset, file.sha256);
	if (same !== undefined) {
		await noteLook(sql, dataset, now);
		return { ...unchanged(file), holds: dataset.title, feed: dataset.feed, edition: same };
	}
	const id = await archive(sql, dataset.database, now.toISOString(), [file]);
	await sql`update snapshots set feed = ${dataset.feed} where id = ${id}`;
	let read: ReadDataset | undefined;
	let report: DatasetReport;
	try {
		read = await readWhole(sql, dataset, id, file);
		report = { ...reportOf(dataset, file, read), ...(await apply(sql, dataset, id, file, read, now, accept)) };
	} catch (error) {
		// A guard's verdict is a matter of the file, like its structure.
		const why = error instanceof Held ? new StructureError(error.message) : error;
		const known = read === undefined ? { feed: dataset.feed, edition: null } : reportOf(dataset, file, read);
		report = { ...unread(file, why), ...known, outcome: unread(file, why).outcome, reason: unread(file, why).reason };
	}
	if (report.outcome !== "applied") await settle(sql, dataset, id, report, now);
	return report;
}

async function readWhole(sql: Sql, dataset: Dataset, id: number, file: ArchivedFile): Promise<ReadDataset> {
	const { length } = file.bytes;
	if (length > dataset.maxBytes) throw new StructureError(`${file.name}: ${length} bytes are no ${dataset.title}`);
	const read = await readDataset({ feed: dataset.feed, name: file.name, path: file.path, bytes: file.bytes });
	await recordReport(sql, id, file.sha256, { ...read, feed: dataset.feed, requests: read.rows });
	return read;
}

const reportOf = (dataset: Dataset, file: ArchivedFile, read: ReadDataset): DatasetReport => ({
	...unchanged(file),
	holds: `${dataset.title}, ${read.edition}`,
	rows_in: read.rowsIn,
	reported: read.dropped,
	notes: read.unknownValues.map(({ field, value, count, note }) => ({
		reason: note ?? `${field} "${value}" is not known, kept as filed`,
		count,
		examples: [],
	})),
	feed: dataset.feed,
	edition: read.edition,
});

async function apply(
	sql: Sql,
	dataset: Dataset,
	id: number,
	file: ArchivedFile,
	read: ReadDataset,
	now: Date,
	accept: boolean,
): Promise<Pick<DatasetReport, "outcome" | "rows_stored" | "reason">> {
	return sql.begin(async (tx) => {
		// One file of a database at a time: what it is compared with stays still.
		await tx`select pg_advisory_xact_lock(hashtext('queue-ingest'), hashtext(${dataset.database}))`;
		if (file.url !== sampleUrl) await removeDatasetSample(tx, dataset.database, id);
		if ((await storedFrom(tx, dataset, file.sha256)) !== undefined)
			return { outcome: "unchanged", rows_stored: 0, reason: null };
		const stored = await storedEditions(tx, dataset);
		const older = accept ? null : olderThanStored(read, stored);
		// A file that was applied and replaced since, as in a folder of all editions, is not a fault.
		if (older !== null && (await wasApplied(tx, dataset, file.sha256)))
			return { outcome: "unchanged", rows_stored: 0, reason: older };
		const reasons = accept
			? []
			: [...(older === null ? [] : [older]), ...judgeDataset(read, stored, await lostOf(tx, dataset, read))];
		if (reasons.length > 0) throw new Held(`${dataset.feed}: ${reasons.join("; ")}`);
		const rows = await dataset.write(tx, read, { snapshotId: id, sha256: file.sha256 });
		await noteEdition(tx, dataset, id, file, read, rows, now);
		await noteApplied(tx, dataset, now);
		const asOf = moment(read.publishedOn ?? "") ?? now.toISOString();
		await tx`
			update snapshots set outcome = 'applied', as_of = ${asOf}, rows = ${rows}, finished_at = now() where id = ${id}`;
		await raiseDataVersion(tx);
		return { outcome: "applied", rows_stored: rows, reason: null };
	});
}

/** The edition that is stored from this very file. */
async function storedFrom(sql: Sql | Transaction, { feed }: Dataset, sha256: string): Promise<string | undefined> {
	const [row] = await sql<{ edition: string }[]>`
		select edition from dataset_editions where feed = ${feed} and sha256 = ${sha256}`;
	return row?.edition;
}

const storedEditions = (tx: Transaction, { feed }: Dataset): Promise<StoredEdition[]> =>
	tx<StoredEdition[]>`
		select edition, published_on as "publishedOn", parsed from dataset_editions where feed = ${feed} order by edition`;

async function wasApplied(tx: Transaction, { feed }: Dataset, sha256: string): Promise<boolean> {
	const { count } = await tx`
		select from snapshot_files f join snapshots s on s.id = f.snapshot_id
		where f.feed = ${feed} and f.sha256 = ${sha256} and s.outcome = 'applied'`;
	return count > 0;
}

async function noteEdition(
	tx: Transaction,
	{ feed, database }: Dataset,
	id: number,
	{ sha256 }: ArchivedFile,
	read: ReadDataset,
	stored: number,
	now: Date,
): Promise<void> {
	await tx`
		insert into dataset_editions (feed, edition, database, sha256, snapshot_id, published_on, rows_in, parsed, stored, applied_at)
		values (${feed}, ${read.edition}, ${database}, ${sha256}, ${id}, ${read.publishedOn}, ${read.rowsIn}, ${read.rows.length},
			${stored}, ${now.toISOString()})
		on conflict (feed, edition) do update set sha256 = excluded.sha256, snapshot_id = excluded.snapshot_id,
			published_on = excluded.published_on, rows_in = excluded.rows_in, parsed = excluded.parsed, stored = excluded.stored,
			applied_at = excluded.applied_at`;
}

/** The pipeline is as old as the newest edition, and changed then: as of the day that it states, else now. One that is ahead of the clock (tomorrow's prices) is not younger than now. */
async function noteApplied(tx: Transaction, { feed }: Dataset, now: Date): Promise<void> {
	const at = now.toISOString();
	await tx`
		insert into feeds (feed, applied_as_of, applied_sha256, published_on, requests, last_checked_at, last_success_at,
			last_changed_at, last_outcome)
		select ${feed}, newest, sha256, published_on, stored, ${at}, newest, newest, 'applied'
		from (select least(coalesce(max(published_on)::timestamptz, ${at}::timestamptz), ${at}::timestamptz) as newest,
			max(published_on) as published_on, sum(stored) as stored,
			(array_agg(sha256 order by published_on desc nulls last, edition desc))[1] as sha256
			from dataset_editions where feed = ${feed}) e
		on conflict (feed) do update set applied_as_of = excluded.applied_as_of, applied_sha256 = excluded.applied_sha256,
			published_on = excluded.published_on, requests = excluded.requests, last_checked_at = excluded.last_checked_at,
			last_success_at = excluded.last_success_at, last_changed_at = excluded.last_changed_at, last_outcome = 'applied',
			last_reason = null`;
}

/** A look at what is stored already: it also ends an alert about a broken download in between. */
async function noteLook(sql: Sql, { feed, database }: Dataset, now: Date): Promise<void> {
	await sql.begin(async (tx) => {
		await tx`
			update feeds set last_checked_at = ${now.toISOString()}, last_outcome = 'unchanged', last_reason = null
			where feed = ${feed}`;
		await tx`
			insert into snapshots (region, feed, as_of, outcome, finished_at)
			values (${database}, ${feed}, ${now.toISOString()}, 'unchanged', now())`;
	});
}

/** Records why nothing was applied; what is served stays as it was. */
async function settle(sql: Sql, { feed }: Dataset, id: number, report: DatasetReport, now: Date): Promise<void> {
	const { outcome, reason } = report;
	await sql.begin(async (tx) => {
		await tx`
			update snapshots set outcome = ${outcome}, reason = ${reason}, finished_at = now() where id = ${id}`;
		await tx`
			insert into feeds (feed, last_checked_at, last_outcome, last_reason)
			values (${feed}, ${now.toISOString()}, ${outcome}, ${reason})
			on conflict (feed) do update set last_checked_at = excluded.last_checked_at, last_outcome = excluded.last_outcome,
				last_reason = excluded.last_reason`;
		if (outcome !== "unchanged") await raiseDataVersion(tx);
	});
}

export interface DatasetTask {
	feed: string;
	/** Last part of the path. */
	name: string;
	/** Whole path or address: folders can state the date. */
	path: string;
	bytes: Uint8Array;
}

/** `publishedOn`: where the file itself states none, what its name or its properties do. */
export type ReadDataset = DatasetFile;

/** Asks what the file is of, by its content. */
export interface LookTask {
	candidates: readonly string[];
	name: string;
	bytes: Uint8Array;
}

const worker = new URL("./load-dataset-worker.ts", import.meta.url);

/** Throws `StructureError` for what is no whole file of the dataset, `Error` for a fault of ours. */
export const readDataset = (task: DatasetTask): Promise<ReadDataset> =>
	readInThread<ReadDataset>(worker, task.name, task);

/** The one of the feeds that the content shows; null where it shows none, or cannot be read. */
export async function lookInto(task: LookTask): Promise<string | null> {
	try {
		return await readInThread<string | null>(worker, task.name, task);
	} catch (error) {
		// A broken file is still known by its name, and its reader says what is wrong with it.
		if (error instanceof StructureError) return null;
		throw error;
	}
}
