/** Loads one file of a related dataset, whole or not at all: archive, parse, guard, write. */

import { readInThread } from "#libs/files/in-thread.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { removeDatasetSample } from "../history/events/remove-sample.ts";
import { type ArchivedFile, addHash, archive, type IncomingFile, recordReport, sampleUrl } from "../sources/archive.ts";
import { parseTime } from "../sources/as-of.ts";
import type { Dataset, DatasetFile } from "../sources/dataset.ts";
import {
	closeAttempt,
	type FileReport,
	noteApplied,
	noteCheck,
	unchangedReport,
	unreadReport,
} from "../sources/file-report.ts";
import { lockGroup } from "../sources/locks.ts";
import { explainOlder, findLost, judgeDataset, type StoredEdition } from "./load-dataset-guard.ts";

/** Outcome of one file: rows_in = rows that were stored (however many records each became) + the sum of `reported`. */
export interface DatasetReport extends FileReport {
	feed: string | null;
	edition: string | null;
}

/**
 * Reports a faulty file as an outcome; throws only if the database fails. `accept`: loads a file released by hand without the plausibility
 * guards, but still refuses a faulty structure.
 */
export async function loadDataset(
	sql: Sql,
	dataset: Dataset,
	incoming: IncomingFile,
	now: Date,
	{ accept = false }: { accept?: boolean } = {},
): Promise<DatasetReport> {
	const file = addHash(incoming);
	const storedEdition = await findStoredEdition(sql, dataset, file.sha256);
	if (storedEdition !== undefined) {
		await recordCheck(sql, dataset, now);
		return { ...unchangedReport(file), holds: dataset.title, feed: dataset.feed, edition: storedEdition };
	}
	const id = await archive(sql, dataset.database, now.toISOString(), [file]);
	await sql`update snapshots set feed = ${dataset.feed} where id = ${id}`;
	let report: DatasetReport = { ...unchangedReport(file), feed: dataset.feed, edition: null };
	try {
		const read = await readAndReport(sql, dataset, id, file);
		report = toReport(dataset, file, read);
		report = { ...report, ...(await applyFile(sql, { dataset, id, file, read, now, accept })) };
	} catch (error) {
		const { outcome, reason } = unreadReport(file, error);
		report = { ...report, outcome, reason };
	}
	if (report.outcome !== "applied") await recordOutcome(sql, dataset, id, report, now);
	return report;
}

async function readAndReport(sql: Sql, dataset: Dataset, id: number, file: ArchivedFile): Promise<DatasetFile> {
	const { length } = file.bytes;
	if (length > dataset.maxBytes)
		throw new StructureError(
			`${file.name}: the file has ${length} bytes, more than the maximum of ${dataset.maxBytes} for ${dataset.title}`,
		);
	const { name, path, bytes } = file;
	const read = await readInThread<DatasetFile>(worker, name, {
		feed: dataset.feed,
		name,
		path,
		bytes,
	} satisfies DatasetTask);
	await recordReport(sql, id, file.sha256, { ...read, feed: dataset.feed, requests: read.rows });
	return read;
}

const toReport = (dataset: Dataset, file: ArchivedFile, read: DatasetFile): DatasetReport => ({
	...unchangedReport(file),
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

interface LoadedFile {
	dataset: Dataset;
	id: number;
	file: ArchivedFile;
	read: DatasetFile;
	now: Date;
	accept: boolean;
}

async function applyFile(
	sql: Sql,
	loaded: LoadedFile,
): Promise<Pick<DatasetReport, "outcome" | "rows_stored" | "reason">> {
	const { dataset, id, file, read, now, accept } = loaded;
	return sql.begin(async (tx) => {
		await lockGroup(tx, dataset.database);
		if (file.url !== sampleUrl) await removeDatasetSample(tx, dataset.database, id);
		if ((await findStoredEdition(tx, dataset, file.sha256)) !== undefined)
			return { outcome: "unchanged", rows_stored: 0, reason: null };
		const stored = await readStoredEditions(tx, dataset);
		const older = accept ? null : explainOlder(read, stored);
		// An older file that was applied and has since been replaced is not an error: a folder may contain all editions.
		if (older !== null && (await wasApplied(tx, dataset, file.sha256)))
			return { outcome: "unchanged", rows_stored: 0, reason: older };
		const reasons = accept
			? []
			: [
					...(older === null ? [] : [older]),
					...judgeDataset(read, dataset.isUneven ? [] : stored, await findLost(tx, dataset, read)),
				];
		if (reasons.length > 0) throw new StructureError(`${dataset.feed}: ${reasons.join("; ")}`);
		const rows = await dataset.write(tx, read, { feed: dataset.feed, snapshotId: id });
		await recordEdition(tx, loaded, rows);
		await recordNewest(tx, dataset, now);
		const asOf = parseTime(read.publishedOn ?? "") ?? now.toISOString();
		await tx`
			update snapshots set outcome = 'applied', as_of = ${asOf}, rows = ${rows}, finished_at = now() where id = ${id}`;
		await raiseDataVersion(tx);
		return { outcome: "applied", rows_stored: rows, reason: null };
	});
}

async function findStoredEdition(
	sql: Sql | Transaction,
	{ feed }: Dataset,
	sha256: string,
): Promise<string | undefined> {
	const [row] = await sql<{ edition: string }[]>`
		select edition from dataset_editions where feed = ${feed} and sha256 = ${sha256}`;
	return row?.edition;
}

const readStoredEditions = (tx: Transaction, { feed }: Dataset): Promise<StoredEdition[]> =>
	tx<StoredEdition[]>`
		select edition, published_on as "publishedOn", parsed from dataset_editions where feed = ${feed} order by edition`;

async function wasApplied(tx: Transaction, { feed }: Dataset, sha256: string): Promise<boolean> {
	const { count } = await tx`
		select from snapshot_files f join snapshots s on s.id = f.snapshot_id
		where f.feed = ${feed} and f.sha256 = ${sha256} and s.outcome = 'applied'`;
	return count > 0;
}

async function recordEdition(tx: Transaction, loaded: LoadedFile, stored: number): Promise<void> {
	const { dataset, id, file, read, now } = loaded;
	await tx`
		insert into dataset_editions (feed, edition, database, sha256, snapshot_id, published_on, rows_in, parsed, stored, applied_at)
		values (${dataset.feed}, ${read.edition}, ${dataset.database}, ${file.sha256}, ${id}, ${read.publishedOn}, ${read.rowsIn},
			${read.rows.length}, ${stored}, ${now.toISOString()})
		on conflict (feed, edition) do update set sha256 = excluded.sha256, snapshot_id = excluded.snapshot_id,
			published_on = excluded.published_on, rows_in = excluded.rows_in, parsed = excluded.parsed, stored = excluded.stored,
			applied_at = excluded.applied_at`;
}

/**
 * Records the day of the feed's newest edition, or now if that edition states no day or a future one (tomorrow's prices).
 */
async function recordNewest(tx: Transaction, { feed }: Dataset, now: Date): Promise<void> {
	const at = now.toISOString();
	const newest = tx`
		select least(coalesce(max(published_on)::timestamptz, ${at}::timestamptz), ${at}::timestamptz) as newest,
			max(published_on) as published_on, sum(stored) as stored,
			(array_agg(sha256 order by published_on desc nulls last, edition desc))[1] as sha256
		from dataset_editions where feed = ${feed}`;
	await noteApplied(tx, feed, newest, now);
}

/** Records that a file is already stored, which also ends an alert about a broken download. */
async function recordCheck(sql: Sql, { feed, database }: Dataset, now: Date): Promise<void> {
	await sql.begin(async (tx) => {
		await noteCheck(tx, feed, { outcome: "unchanged", reason: null }, now);
		await tx`
			insert into snapshots (region, feed, as_of, outcome, finished_at)
			values (${database}, ${feed}, ${now.toISOString()}, 'unchanged', now())`;
	});
}

async function recordOutcome(sql: Sql, { feed }: Dataset, id: number, report: DatasetReport, now: Date): Promise<void> {
	const { outcome, reason } = report;
	await sql.begin(async (tx) => {
		await closeAttempt(tx, id, { outcome, reason });
		await noteCheck(tx, feed, { outcome, reason }, now);
		if (outcome !== "unchanged") await raiseDataVersion(tx);
	});
}

export interface DatasetTask {
	feed: string;
	name: string;
	/** Full path or URL, because names of folders can contain the date. */
	path: string;
	bytes: Uint8Array;
}

export interface RecognizeTask {
	candidates: readonly string[];
	name: string;
	bytes: Uint8Array;
}

const worker = new URL("./load-dataset-worker.ts", import.meta.url);

export async function findFeedByContent(task: RecognizeTask): Promise<string | null> {
	try {
		return await readInThread<string | null>(worker, task.name, task);
	} catch (error) {
		// A broken file may still be recognized by its name; the reader of that dataset then reports the fault.
		if (error instanceof StructureError) return null;
		throw error;
	}
}
