/** Archives every past day that has no files. The manifest lists a day's files only after all are stored, so every day in it is complete. */
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Bus } from "#libs/bus/connect.ts";
import { type Bucket, getObject, putObject } from "#libs/bus/objects.ts";
import { type ArchiveFile, archiveLimits } from "#libs/contract/exports/archive.ts";
import { changeTable } from "#libs/contract/operations/history/change.ts";
import { projectTable } from "#libs/contract/operations/projects/project-columns.ts";
import { deleteOtherObjects, listCompleteObjects } from "#libs/parquet/bucket.ts";
import { copyAll, type EncodeTask, encode, hashOf } from "#libs/parquet/encode.ts";
import { columnsOf, encodeTask, unitsOf } from "#libs/parquet/encode-views.ts";
import { type ReadView, readViews } from "#libs/parquet/read-views.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import type { Logger } from "#libs/service/logger.ts";
import { schedule } from "#libs/service/schedule.ts";
import { newestSeq } from "../newest-seq.ts";
import { openArchive, readArchive, writeManifest } from "./bucket.ts";
import { changesView, differenceStatement, newestChangeView, stateView } from "./day-views.ts";
import { findMissingDays, selectFilesToKeep } from "./retained.ts";

interface ArchiveOptions {
	now: () => Date;
	/** Folder in which temporary folders are created. */
	dir: string;
	signal: AbortSignal;
}

/** Only one replica may run this at a time. @returns the days that were archived */
export async function archiveDays(sql: Sql, bucket: Bucket, options: ArchiveOptions): Promise<string[]> {
	const { now, dir, signal } = options;
	let files = await readIntactDays(bucket, signal);
	const days = findMissingDays(files, now());
	const archivedDays: string[] = [];
	for (const day of days) {
		const folder = await mkdtemp(join(dir, "archive-"));
		try {
			const newFiles = await new DayArchiver(sql, bucket, { day, folder, signal }).archive(files);
			// Before the first list there is nothing to archive.
			if (newFiles.length === 0) continue;
			files = selectFilesToKeep([...files, ...newFiles], day);
		} finally {
			await rm(folder, { recursive: true, force: true });
		}
		signal.throwIfAborted();
		await writeManifest(bucket, { files }, signal);
		await deleteOtherObjects(bucket, new Set(files.map(({ name }) => name)));
		// Responses that list the archive have changed.
		await sql.begin((tx) => raiseDataVersion(tx));
		archivedDays.push(day);
	}
	return archivedDays;
}

/** Returns the files of the days before the first lost file. Later files contain differences, so these days are archived again. */
async function readIntactDays(bucket: Bucket, signal: AbortSignal): Promise<ArchiveFile[]> {
	const { files } = await readArchive(bucket, signal);
	const intact = await listCompleteObjects(bucket, false, signal);
	const damaged = files.filter(({ name }) => !intact.has(name)).map(({ day }) => day);
	return files.filter(({ day }) => damaged.every((other) => day < other));
}

interface Draft extends Pick<ArchiveFile, "dataset" | "series" | "after_seq" | "schema_version"> {
	path: string;
	rows: number;
}

/** Timeout for reading a file from the bucket (ms). */
const readTimeoutMs = 120_000;

class DayArchiver {
	readonly #sql: Sql;
	readonly #bucket: Bucket;
	readonly #day: string;
	readonly #folder: string;
	readonly #signal: AbortSignal;

	constructor(sql: Sql, bucket: Bucket, { day, folder, signal }: { day: string; folder: string; signal: AbortSignal }) {
		this.#sql = sql;
		this.#bucket = bucket;
		this.#day = day;
		this.#folder = folder;
		this.#signal = signal;
	}

	/** Stores the files of the day; none if nothing was loaded by the end of the day and nothing is archived. */
	async archive(files: readonly ArchiveFile[]): Promise<ArchiveFile[]> {
		const afterSeq = files.at(-1)?.seq ?? 0;
		const from = await this.#startSeq(afterSeq);
		const reading = await this.#read(from);
		const [state, changes, newest] = reading.views;
		if (state === undefined || changes === undefined || newest === undefined)
			throw new Error("the day was read into fewer than three views");
		const seq = Number((await readFile(newest.path, "utf8")).trim());
		const drafts = await this.#encode(files, [state, changes], from);
		// The database may contain only lists that were loaded after the day.
		if (files.length === 0 && drafts.every(({ rows }) => rows === 0)) return [];
		const stored: ArchiveFile[] = [];
		for (const draft of drafts) stored.push(await this.#put(draft, { seq, made_at: reading.madeAt }));
		return stored;
	}

	/** Returns 0 if the newest `seq` is lower: the log restarted when the sample was removed, so the whole log is new. */
	async #startSeq(afterSeq: number): Promise<number> {
		return afterSeq > (await newestSeq(this.#sql)) ? 0 : afterSeq;
	}

	/** Reads the views from one database snapshot. */
	async #read(from: number) {
		const views = [stateView(this.#day), changesView(this.#day, from), newestChangeView(this.#day)];
		return readViews(this.#sql, { databases: { master: views }, dir: this.#folder, signal: this.#signal });
	}

	async #encode(files: readonly ArchiveFile[], views: [ReadView, ReadView], afterSeq: number): Promise<Draft[]> {
		const [stateTask, changesTask] = views.map((view) => encodeTask(view, { units: unitsOf(columnsOf(view)) })) as [
			EncodeTask,
			EncodeTask,
		];
		const [rows = 0, changes = 0] = await encode([stateTask, changesTask], this.#signal);
		const drafts: Draft[] = [];
		const projects = { dataset: "projects", schema_version: projectTable.schemaVersion } as const;
		const before = await this.#fetchArchivedState(files);
		if (before.length > 0) {
			const delta = join(this.#folder, "delta.parquet");
			const columns = projectTable.columns().map(({ name }) => name);
			const statement = differenceStatement({ state: stateTask.parquet, before, delta, columns, day: this.#day });
			const [changed = 0] = await copyAll({ statements: [statement], scratch: this.#folder }, this.#signal);
			drafts.push({ ...projects, series: "delta", after_seq: afterSeq, path: delta, rows: changed });
		}
		if (
			!files.some(
				({ dataset, series, day }) => dataset === "projects" && series === "full" && isSameMonth(day, this.#day),
			)
		)
			drafts.push({ ...projects, series: "full", after_seq: null, path: stateTask.parquet, rows });
		drafts.push({
			dataset: "changes",
			series: "delta",
			schema_version: changeTable.schemaVersion,
			after_seq: afterSeq,
			path: changesTask.parquet,
			rows: changes,
		});
		return drafts;
	}

	/** Downloads the files that contain the requests as last archived: the newest full file and the differences since. */
	async #fetchArchivedState(files: readonly ArchiveFile[]): Promise<string[]> {
		const projectFiles = files.filter(({ dataset }) => dataset === "projects");
		const full = projectFiles.filter(({ series }) => series === "full").at(-1);
		if (full === undefined) return [];
		const since = projectFiles.filter(({ series, day }) => series === "delta" && day > full.day);
		const paths: string[] = [];
		for (const { name } of [full, ...since]) {
			const path = join(this.#folder, `before-${paths.length}.parquet`);
			const reading = { maxBytes: archiveLimits.fileBytes, timeoutMs: readTimeoutMs, signal: this.#signal };
			await getObject(this.#bucket, name, path, reading);
			paths.push(path);
		}
		return paths;
	}

	async #put({ path, ...draft }: Draft, snapshot: Pick<ArchiveFile, "seq" | "made_at">): Promise<ArchiveFile> {
		const { size: bytes } = await stat(path);
		if (bytes > archiveLimits.fileBytes)
			throw new Error(
				`${draft.dataset}/${draft.series} of ${this.#day} has ${bytes} bytes, more than the maximum of ${archiveLimits.fileBytes}`,
			);
		const period = draft.series === "full" ? this.#day.slice(0, 7) : this.#day;
		const name = `${draft.dataset}/${draft.series}/${period}.parquet`;
		await putObject(this.#bucket, name, path, this.#signal);
		return { name, ...draft, day: this.#day, ...snapshot, bytes, sha256: await hashOf(path) };
	}
}

const isSameMonth = (day: string, other: string): boolean => day.slice(0, 7) === other.slice(0, 7);

const dayMs = 86_400_000;
/** Interval between checks for missing days (ms). */
const everyMs = 10 * 60_000;

interface ArchiveJobOptions {
	bus: Bus;
	sql: Sql;
	log: Logger;
	now: () => Date;
	dir: string;
}

export function archiveJob({ bus, sql, log, now, dir }: ArchiveJobOptions): AsyncDisposable {
	let hasStarted = false;
	return schedule({
		name: "archive-days",
		// Runs at the start, then every `everyMs`, and when a day ends.
		nextAt(after) {
			if (!hasStarted) {
				hasStarted = true;
				return after;
			}
			const midnight = (Math.floor(after.getTime() / dayMs) + 1) * dayMs;
			return new Date(Math.min(midnight, after.getTime() + everyMs));
		},
		sql,
		log,
		now,
		async run(signal) {
			const days = await archiveDays(sql, await openArchive(bus), { now, dir, signal });
			if (days.length > 0) log.info({ days }, "days were archived");
		},
	});
}
