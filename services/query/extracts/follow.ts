/**
 * Maintains local copies of the newest extracts of every owner. An owner's new views replace the old ones all at once, when each has been
 * downloaded and matches the manifest's hash. Until then, and if a download fails, statements read the old views.
 */
import { readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Bus } from "#libs/bus/connect.ts";
import { type Incident, incidentOf } from "#libs/bus/incident.ts";
import { type Bucket, bucket as bucketOf, getObject, ObjectMissing } from "#libs/bus/objects.ts";
import { listen } from "#libs/bus/plain-messages.ts";
import { type Database, databaseOwners } from "#libs/contract/databases.ts";
import {
	type ExtractManifest,
	type ExtractOwner,
	type ExtractView,
	extractBucket,
	extractLimits,
	extractOwners,
	extractReportSubject,
	extractSubject,
} from "#libs/contract/exports/extracts.ts";
import { readManifest } from "#libs/parquet/bucket.ts";
import { hashOf } from "#libs/parquet/encode.ts";
import { makeFolder } from "#libs/service/make-folder.ts";
import type { ExtractFile } from "../child/database.ts";

/** The loaded extracts. This object is never changed: a new one replaces it whenever an extract is loaded. */
export interface LoadedExtracts {
	views: readonly (ExtractView & { path: string })[];
}

export interface Extracts {
	readonly current: LoadedExtracts;
	/** The views of a database; undefined as long as the extracts of its owner have not been loaded. */
	viewsOf(database: Database): readonly ExtractView[] | undefined;
	/** Owners that have announced extracts, but have none loaded yet. */
	readonly missing: readonly ExtractOwner[];
	/** Data version of the owner's loaded extracts. */
	versionOf(owner: ExtractOwner): number | undefined;
	/** When the owner's loaded extracts were read from its database. */
	madeAt(owner: ExtractOwner): Date | undefined;
}

/** Selects the fields of a view that a statement process needs. */
export const toExtractFile = ({ database, name, path }: LoadedExtracts["views"][number]): ExtractFile => ({
	database,
	name,
	path,
});

interface FollowOptions {
	/** Folder for the files. Only this process uses it; it is emptied at the start. */
	dir: string;
	/** Maximum total size of the files (bytes). */
	maxBytes: number;
	/** Receives the files of all views whenever they change. */
	onChange(files: ExtractFile[]): void;
	/** Pause between attempts to load extracts that are missing or outdated (ms). */
	retryMs?: number;
}

/** Timeout for the transfer of one file (ms). */
const transferTimeoutMs = 60_000;
/** How long files that are no longer used are kept for statements that are still running over them (ms). */
const deleteAfterMs = 15_000;

export async function followExtracts(bus: Bus, options: FollowOptions): Promise<Extracts & AsyncDisposable> {
	makeFolder(options.dir, 0o777);
	// The folder's contents are deleted, but not the folder, which may be a mount point.
	for (const name of await readdir(options.dir)) await rm(join(options.dir, name), { recursive: true, force: true });
	const follower = new ExtractFollower(bus, options);
	await follower.start();
	return follower;
}

class ExtractFollower implements Extracts, AsyncDisposable {
	current: LoadedExtracts = { views: [] };
	readonly #bus: Bus;
	readonly #options: FollowOptions;
	readonly #loaded = new Map<ExtractOwner, ExtractManifest & { sha256: string }>();
	readonly #loading = new Map<ExtractOwner, Promise<void>>();
	/** SHA-256 of the manifest that each owner announced last. */
	readonly #announced = new Map<ExtractOwner, string>();
	readonly #timers = new Set<NodeJS.Timeout>();
	readonly #stack = new AsyncDisposableStack();
	readonly #incidents: Record<ExtractOwner, Incident>;
	#closed = false;

	constructor(bus: Bus, options: FollowOptions) {
		this.#bus = bus;
		this.#options = options;
		const texts = { message: "extracts could not be loaded", closed: "extracts are loaded again" };
		const incidents = extractOwners.map((owner) => [owner, incidentOf({ log: bus.log, fields: { owner }, ...texts })]);
		this.#incidents = Object.fromEntries(incidents);
	}

	/** Resolves after one attempt to load each owner's extracts. A timer retries the failed ones. */
	async start(): Promise<void> {
		for (const owner of extractOwners)
			this.#stack.use(
				listen(this.#bus, extractSubject(owner), (sha256) => {
					this.#announced.set(owner, sha256);
					if (sha256 !== this.#loaded.get(owner)?.sha256) void this.#load(owner);
				}),
			);
		const retry = setInterval(() => {
			for (const owner of extractOwners) if (this.#isBehind(owner)) void this.#load(owner);
		}, this.#options.retryMs ?? 5_000);
		this.#stack.defer(() => clearInterval(retry));
		await Promise.all(extractOwners.map((owner) => this.#load(owner)));
	}

	viewsOf(database: keyof typeof databaseOwners) {
		return this.#loaded.get(databaseOwners[database])?.views.filter((view) => view.database === database);
	}

	get missing() {
		return extractOwners.filter((owner) => this.#announced.has(owner) && !this.#loaded.has(owner));
	}

	versionOf(owner: ExtractOwner) {
		return this.#loaded.get(owner)?.data_version;
	}

	madeAt(owner: ExtractOwner) {
		const at = this.#loaded.get(owner)?.made_at;
		return at === undefined ? undefined : new Date(at);
	}

	async [Symbol.asyncDispose](): Promise<void> {
		this.#closed = true;
		await this.#stack.disposeAsync();
		for (const timer of this.#timers) clearTimeout(timer);
		await Promise.all(this.#loading.values());
		// A mount point is emptied, but cannot be removed.
		await rm(this.#options.dir, { recursive: true, force: true }).catch(() => {});
	}

	#isBehind(owner: ExtractOwner): boolean {
		const loaded = this.#loaded.get(owner)?.sha256;
		return loaded === undefined || (this.#announced.get(owner) ?? loaded) !== loaded;
	}

	/** Loads an owner's extracts, or joins the load in progress. Never rejects. */
	#load(owner: ExtractOwner): Promise<void> {
		const running = this.#loading.get(owner);
		if (running !== undefined) return running;
		const incident = this.#incidents[owner];
		const loading = this.#loadOnce(owner)
			.then(() => incident.close())
			.catch((error: unknown) => {
				if (error instanceof ObjectMissing) {
					// An owner that has not announced extracts may not have written any yet.
					if (!this.#announced.has(owner)) return;
					if (this.#bus.connected) this.#bus.nats.publish(extractReportSubject(owner));
				}
				incident.open(error);
			})
			.finally(() => this.#loading.delete(owner));
		this.#loading.set(owner, loading);
		return loading;
	}

	async #loadOnce(owner: ExtractOwner): Promise<void> {
		const bucket = bucketOf(this.#bus, extractBucket(owner));
		const manifest = await readManifest(bucket);
		// The manifest was written by a different release, for the query service of that release.
		if (manifest === undefined) return;
		if (manifest.sha256 === this.#loaded.get(owner)?.sha256) return;
		this.#checkSize(owner, manifest);
		for (const view of manifest.views) {
			if (this.#closed) return;
			if (this.current.views.some(({ path }) => path === this.#pathOf(view.sha256))) continue;
			await this.#fetch(bucket, view);
		}
		this.#loaded.set(owner, manifest);
		this.#replaceViews();
	}

	#checkSize(owner: ExtractOwner, manifest: ExtractManifest): void {
		const others = [...this.#loaded.values()].flatMap((each) => (each.owner === owner ? [] : each.views));
		const bytes = [...others, ...manifest.views].reduce((sum, view) => sum + view.bytes, 0);
		if (bytes > this.#options.maxBytes)
			throw new Error(
				`the extracts total ${bytes} bytes, more than EXTRACTS_MAX_BYTES (${this.#options.maxBytes}): raise it to load them`,
			);
	}

	async #fetch(bucket: Bucket, view: ExtractManifest["views"][number]): Promise<void> {
		const path = this.#pathOf(view.sha256);
		const partialPath = `${path}.part`;
		await rm(partialPath, { force: true });
		await getObject(bucket, view.object, partialPath, {
			maxBytes: extractLimits.viewBytes,
			timeoutMs: transferTimeoutMs,
		});
		if ((await hashOf(partialPath)) !== view.sha256)
			throw new Error(`the object ${view.object} does not match the manifest's hash`);
		await rename(partialPath, path);
	}

	#pathOf(sha256: string): string {
		return join(this.#options.dir, `${sha256}.parquet`);
	}

	#replaceViews(): void {
		const previousViews = this.current.views;
		const views = [...this.#loaded.values()].flatMap((manifest) =>
			manifest.views.map((view) => ({ ...view, path: this.#pathOf(view.sha256) })),
		);
		this.current = { views };
		this.#options.onChange(views.map(toExtractFile));
		const timer = setTimeout(() => {
			this.#timers.delete(timer);
			for (const { path } of previousViews)
				if (!this.current.views.some((view) => view.path === path)) void rm(path, { force: true });
		}, deleteAfterMs);
		this.#timers.add(timer);
	}
}
