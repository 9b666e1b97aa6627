/**
 * Rewrites an owner's extracts after its data has changed: once there have been no changes for two seconds, at most every 30 seconds, and in
 * one replica at a time. All state is in the bucket, so a lost bucket is filled again.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { Counter, Gauge } from "prom-client";
import type { Bus } from "#libs/bus/connect.ts";
import { incidentOf } from "#libs/bus/incident.ts";
import { type Bucket, emptyBucket, ensureBucket, putObject } from "#libs/bus/objects.ts";
import { announce, listen } from "#libs/bus/plain-messages.ts";
import {
	type ExtractManifest,
	type ExtractOwner,
	extractBucket,
	extractLimits,
	extractReportSubject,
	extractSubject,
	manifestObject,
} from "#libs/contract/exports/extracts.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { readDataVersion, versionChannel } from "#libs/postgres/data-version.ts";
import { extractsChannel } from "#libs/postgres/events/outbox.ts";
import { tryLock } from "#libs/postgres/lock.ts";
import { deleteOtherObjects, isStored, listCompleteObjects, manifestHash, readOwnManifest } from "./bucket.ts";
import { encodeViews, parquetPath } from "./encode-views.ts";
import { type ReadView, readViews, type SnapshotViews } from "./read-views.ts";
import type { Databases } from "./view.ts";

export interface WriteOptions {
	owner: ExtractOwner;
	schema: string;
	databases: Databases;
	/** Parent of the folder for temporary files. */
	dir: string;
	/** See `ReadOptions`. */
	listsSql?: string;
	/** Time without a change after which extracts are written (ms, 2,000 when absent). */
	quietMs?: number;
	/** Minimum time between the starts of two runs, and maximum wait for changes to stop (ms, 30,000 when absent). */
	everyMs?: number;
	/** Pause after a failure, or if another replica was writing the extracts (ms, 5,000 when absent). */
	retryMs?: number;
}

/** Time limit of a run (ms), after which it is aborted and retried. */
const maxRunMs = 10 * 60_000;
/**
 * Maximum time between runs (ms), because some rows change without a new data version (the last poll of a source, values that depend on the
 * date).
 */
const maxIntervalMs = 5 * 60_000;
const heartbeatMs = 2_000;

const runs = new Counter({
	name: "extract_runs_total",
	help: "Runs that wrote extracts, by outcome: written, unchanged, failed.",
	labelNames: ["outcome"],
});
const upToDateAt = new Gauge({
	name: "extract_written_timestamp_seconds",
	help: "When this replica last brought the extracts up to date with the data, or found that they were.",
});
const bytesOf = new Gauge({ name: "extract_bytes", help: "Total size of this owner's extracts, as Parquet." });

export async function writeExtracts(bus: Bus, sql: Sql, options: WriteOptions): Promise<AsyncDisposable> {
	const writer = new Writer(bus, sql, options);
	await writer.start();
	return writer;
}

/** Returns the bucket of an owner's extracts, which it creates if it is missing. */
export const ensureExtractBucket = (bus: Bus, owner: ExtractOwner): Promise<Bucket> =>
	ensureBucket(bus, extractBucket(owner), {
		description: `Views of ${owner} as Parquet`,
		maxBytes: extractLimits.bucketBytes,
	});

class Writer implements AsyncDisposable {
	readonly #bus: Bus;
	readonly #sql: Sql;
	readonly #options: WriteOptions;
	readonly #stop = new AbortController();
	readonly #stack = new AsyncDisposableStack();
	readonly #incident;
	readonly #announcement;
	#bucket: Bucket | undefined;
	/** Data version of the extracts in the bucket. */
	#writtenVersion: number | undefined;
	/** When the data first and last changed since that version (ms of `performance.now()`). */
	#pendingChanges: { first: number; last: number } | undefined = { first: 0, last: 0 };
	#startedAt = Number.NEGATIVE_INFINITY;
	/** Whether the next run reads every byte in the bucket, because some may be damaged. */
	#readAll = false;
	#timer: NodeJS.Timeout | undefined;
	#running: Promise<void> | undefined;

	constructor(bus: Bus, sql: Sql, options: WriteOptions) {
		this.#bus = bus;
		this.#sql = sql;
		this.#options = options;
		this.#announcement = this.#stack.use(announce(bus, extractSubject(options.owner), heartbeatMs));
		this.#incident = incidentOf({
			log: bus.log,
			fields: { owner: options.owner },
			message: "extracts could not be written",
			closed: "extracts are written again",
		});
	}

	async start(): Promise<void> {
		const { schema } = this.#options;
		const listening = await this.#sql.listen(versionChannel(schema), (version) => this.#change(Number(version)));
		this.#stack.defer(() => listening.unlisten().catch(() => {}));
		const suspect = () => {
			this.#readAll = true;
			this.#change(0);
		};
		this.#stack.use(listen(this.#bus, extractReportSubject(this.#options.owner), suspect));
		const subscription = await this.#sql.listen(extractsChannel(schema), suspect);
		this.#stack.defer(() => subscription.unlisten().catch(() => {}));
		// Notifications can be missed, and the bucket can disappear.
		const check = setInterval(() => {
			readDataVersion(this.#sql)
				.then((version) => this.#change(version))
				.catch(() => {});
		}, 10_000);
		this.#stack.defer(() => clearInterval(check));
		this.#plan();
	}

	async [Symbol.asyncDispose](): Promise<void> {
		this.#stop.abort(new Error("the service is stopping"));
		clearTimeout(this.#timer);
		await this.#stack.disposeAsync();
		await this.#running;
	}

	#change(version: number): void {
		if (version === this.#writtenVersion && performance.now() - this.#startedAt < maxIntervalMs) return;
		const now = performance.now();
		this.#pendingChanges = { first: this.#pendingChanges?.first ?? now, last: now };
		this.#plan();
	}

	#plan(notBefore = 0): void {
		if (this.#stop.signal.aborted || this.#running !== undefined || this.#pendingChanges === undefined) return;
		const { quietMs = 2_000, everyMs = 30_000 } = this.#options;
		const { first, last } = this.#pendingChanges;
		const due = Math.max(Math.min(last + quietMs, first + everyMs), this.#startedAt + everyMs, notBefore);
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => this.#begin(), Math.max(0, due - performance.now()));
	}

	#begin(): void {
		this.#startedAt = performance.now();
		const previousChanges = this.#pendingChanges;
		this.#pendingChanges = undefined;
		this.#running = this.#run()
			.then((outcome) => {
				this.#incident.close();
				runs.inc({ outcome });
				upToDateAt.setToCurrentTime();
			})
			.catch((error: unknown) => {
				this.#pendingChanges ??= previousChanges;
				this.#startedAt = Number.NEGATIVE_INFINITY;
				if (this.#stop.signal.aborted || error instanceof WrittenByAnotherReplica) return;
				runs.inc({ outcome: "failed" });
				this.#incident.open(error);
			})
			.finally(() => {
				this.#running = undefined;
				const { retryMs = 5_000 } = this.#options;
				this.#plan(this.#startedAt < 0 ? performance.now() + retryMs : 0);
			});
	}

	async #run(): Promise<"written" | "unchanged"> {
		const { owner, dir } = this.#options;
		await using lock = await tryLock(this.#sql, `extracts:${this.#options.schema}`);
		if (lock === undefined) throw new WrittenByAnotherReplica();
		const signal = AbortSignal.any([this.#stop.signal, lock.lost, AbortSignal.timeout(maxRunMs)]);
		this.#bucket ??= await ensureExtractBucket(this.#bus, owner);
		const readAll = this.#readAll;
		this.#readAll = false;
		const folder = await mkdtemp(join(dir, `extracts-${owner}-`));
		try {
			const reading = await readViews(this.#sql, { ...this.#options, dir: folder, signal });
			const outcome = await this.#store(this.#bucket, reading, readAll, signal);
			this.#writtenVersion = reading.dataVersion;
			return outcome;
		} catch (error) {
			// If the bucket was lost, the next run creates it again.
			this.#bucket = undefined;
			this.#readAll ||= readAll;
			throw error;
		} finally {
			await rm(folder, { recursive: true, force: true });
		}
	}

	/**
	 * Stores the objects, then the manifest that names them. Finally deletes the objects that neither this manifest nor the previous one names.
	 */
	async #store(
		bucket: Bucket,
		reading: SnapshotViews,
		readAll: boolean,
		signal: AbortSignal,
	): Promise<"written" | "unchanged"> {
		const completeObjects = await listCompleteObjects(bucket, readAll, signal);
		const previousManifest = await readOwnManifest(bucket);
		const entryIfUnchanged = (read: ReadView) =>
			previousManifest?.views.find(
				(view) =>
					view.database === read.database &&
					view.name === read.view.name &&
					view.source_sha256 === read.sha256 &&
					completeObjects.has(view.object),
			);
		const changed = reading.views.filter((read) => entryIfUnchanged(read) === undefined);
		if (
			changed.length === 0 &&
			previousManifest?.data_version === reading.dataVersion &&
			completeObjects.has(manifestObject)
		) {
			this.#announce(previousManifest, previousManifest.sha256);
			return "unchanged";
		}
		const encoded = await encodeViews(changed, reading, signal);
		for (const [read, { object }] of encoded)
			if (!completeObjects.has(object)) await putObject(bucket, object, parquetPath(read), signal);
		signal.throwIfAborted();
		const views = reading.views.flatMap((read) => encoded.get(read) ?? entryIfUnchanged(read) ?? []);
		const manifest: ExtractManifest = {
			owner: this.#options.owner,
			made_at: reading.madeAt,
			data_version: reading.dataVersion,
			lists: reading.lists,
			views,
		};
		const text = JSON.stringify(manifest);
		await putObject(bucket, manifestObject, Buffer.from(text), signal);
		if (!(await isStored(bucket, { text, views, readAll, signal }))) {
			await emptyBucket(bucket);
			throw new Error(
				`the bucket ${bucket.name} lost data that it had acknowledged: it was emptied and will be filled again`,
			);
		}
		this.#announce(manifest, manifestHash(text));
		await deleteOtherObjects(
			bucket,
			new Set([...views, ...(previousManifest?.views ?? [])].map(({ object }) => object)),
		);
		return changed.length === 0 ? "unchanged" : "written";
	}

	#announce(manifest: ExtractManifest, sha256: string): void {
		bytesOf.set(manifest.views.reduce((sum, { bytes }) => sum + bytes, 0));
		this.#announcement.change(sha256);
	}
}

/** Thrown when another replica holds the lock and writes the extracts. */
class WrittenByAnotherReplica extends Error {}
