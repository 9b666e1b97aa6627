/**
 * Stores usage on disk until billing has recorded it, because JetStream acknowledges an event up to two minutes before it syncs its files.
 * Each file contains one event and is synced before the event is published. An event that billing does not record in time is published
 * again; billing's inbox ignores the duplicate.
 */
import { randomUUID } from "node:crypto";
import { open, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Bus, Log } from "#libs/bus/connect.ts";
import { messageOf, type Outgoing, publishDirectly } from "#libs/bus/events/publish.ts";
import { incidentOf } from "#libs/bus/incident.ts";
import { onReconnect } from "#libs/bus/plain-messages.ts";
import { runInNewTrace } from "#libs/bus/trace.ts";
import { usageRecorded } from "#libs/contract/events/gateway.ts";
import { makeFolder } from "#libs/service/make-folder.ts";
import { startWorker, type Worker } from "#libs/service/worker.ts";

export interface UsageFilesOptions {
	dir: string;
	bus: Bus;
	log: Log;
	/** Returns the ids of those events that billing has recorded. */
	findRecorded(ids: string[]): Promise<string[]>;
	everyMs?: number;
}

interface File {
	id: string;
	bytes: number;
	/** When the event is published again unless billing has recorded it (monotonic ms). */
	dueAt: number;
	/** Wait before the next publication (ms). It doubles, because billing may only be slow. */
	waitMs: number;
}

const firstWaitMs = 60_000;
/** Maximum bytes on disk. Above it, the oldest file is deleted, because its event has been in the stream the longest. */
const maxBytes = 256 * 1024 ** 2;
const diskBlockBytes = 4_096;
const idsPerRequest = 1_000;

/** Takes over the files of an earlier process. @throws when the folder cannot be created or read */
export async function openUsageFiles(options: UsageFilesOptions): Promise<UsageFiles> {
	makeFolder(options.dir, 0o700);
	const files = new UsageFiles(options);
	await files.takeOver();
	return files;
}

export class UsageFiles implements AsyncDisposable {
	readonly #options: UsageFilesOptions;
	readonly #files = new Map<string, File>();
	#bytes = 0;
	readonly #confirming: Worker;
	readonly #reconnects: Disposable;

	constructor(options: UsageFilesOptions) {
		this.#options = options;
		const { log, bus, everyMs = 5_000 } = options;
		const closed = "billing confirms usage again";
		const incident = incidentOf({ log, message: "billing does not confirm usage", closed });
		this.#confirming = startWorker({
			name: "confirm-usage",
			everyMs,
			run: async (signal) => {
				if (bus.connected && this.#files.size > 0) await runInNewTrace("confirm-usage", () => this.#confirm(signal));
				incident.close();
			},
			onFailure: (error) => incident.open(error, () => ({ files: this.#files.size })),
		});
		this.#confirming.wake();
		// A NATS server that was restarted may have lost events that it had acknowledged.
		this.#reconnects = onReconnect(bus, () => {
			for (const file of this.#files.values()) file.dueAt = 0;
		});
	}

	async takeOver(): Promise<void> {
		const names = (await readdir(this.#options.dir)).filter((name) => name.endsWith(".json"));
		for (const name of names.sort()) {
			const message = await this.#read(name);
			if (message !== undefined) this.#add(name, message, 0);
		}
		if (this.#files.size > 0)
			this.#options.log.info({ files: this.#files.size }, "usage of an earlier process will be published");
	}

	/** Resolves when the event is on disk. @throws if the disk is full or unavailable; the event is then only as safe as its stream */
	async write(message: Outgoing): Promise<void> {
		const { dir } = this.#options;
		// Names sort by age.
		const name = `${String(Date.now()).padStart(15, "0")}-${randomUUID()}.json`;
		try {
			await writeSynced(dir, name, message.payload);
		} catch (error) {
			await this.#remove(name);
			throw error;
		}
		this.#add(name, message, performance.now() + firstWaitMs);
		for (const [oldest] of this.#files) {
			if (this.#bytes <= maxBytes) break;
			await this.#remove(oldest);
		}
	}

	async [Symbol.asyncDispose](): Promise<void> {
		this.#reconnects[Symbol.dispose]();
		await this.#confirming[Symbol.asyncDispose]();
	}

	#add(name: string, { eventId, payload }: Outgoing, dueAt: number): void {
		const bytes = Math.max(diskBlockBytes, payload.length);
		this.#files.set(name, { id: eventId, bytes, dueAt, waitMs: firstWaitMs });
		this.#bytes += bytes;
	}

	async #remove(name: string): Promise<void> {
		this.#bytes -= this.#files.get(name)?.bytes ?? 0;
		this.#files.delete(name);
		await rm(join(this.#options.dir, name), { force: true });
	}

	/** Reads a file. If a crash left it incomplete, it is deleted, and the result is undefined. */
	async #read(name: string): Promise<Outgoing | undefined> {
		try {
			return messageOf(usageRecorded, JSON.parse(await readFile(join(this.#options.dir, name), "utf8")));
		} catch (err) {
			this.#options.log.error({ err, name }, "a usage file cannot be read");
			await this.#remove(name);
			return undefined;
		}
	}

	async #confirm(signal: AbortSignal): Promise<void> {
		const { bus, findRecorded } = this.#options;
		const all = [...this.#files];
		for (let from = 0; from < all.length && !signal.aborted; from += idsPerRequest) {
			const batch = all.slice(from, from + idsPerRequest);
			const recorded = new Set(await findRecorded(batch.map(([, { id }]) => id)));
			for (const [name, file] of batch) {
				if (recorded.has(file.id)) await this.#remove(name);
				else if (file.dueAt <= performance.now()) {
					const message = await this.#read(name);
					if (message !== undefined) await publishDirectly(bus, [message]);
					file.dueAt = performance.now() + file.waitMs;
					file.waitMs *= 2;
				}
			}
		}
	}
}

async function writeSynced(dir: string, name: string, text: string): Promise<void> {
	{
		await using file = await open(join(dir, name), "wx", 0o600);
		await file.writeFile(text);
		await file.sync();
	}
	await using folder = await open(dir);
	await folder.sync();
}
