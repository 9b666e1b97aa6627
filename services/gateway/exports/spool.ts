/**
 * Files on disk, within bounds: of all bytes, of a caller's share, of age. A file without a reader makes room for others, the least
 * recently used first; one that is being read, or written, counts against the share of the caller that reads or writes it.
 */
import { type FileHandle, mkdir, open, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Readable } from "node:stream";
import { codeOf, tooManyRequests, unavailable } from "#libs/contract/errors.ts";
import { Shares } from "#libs/service/fair-queue.ts";
import type { Logger } from "#libs/service/logger.ts";
import { readBytes } from "./read-bytes.ts";
import { openSpoolFolder } from "./spool-folder.ts";

export interface SpoolOptions {
	/** Each process has a folder of its own in it. */
	root: string;
	maxBytes: number;
	/** Most bytes that one holder keeps from being removed. */
	shareBytes: number;
	maxAgeMs: number;
	log: Pick<Logger, "warn">;
	/** Monotonic clock (ms). */
	now?: () => number;
}

/** Whose share a file counts against: an account or an address. Undefined: against none, only the whole is bounded. */
export type Holder = string | undefined;

export interface SpoolFile {
	readonly path: string;
	readonly size: number;
	/** On the spool's clock. */
	readonly madeAt: number;
	/** Its present readers read it to the end; it gets no new one. */
	removed: boolean;
	/** Streams that read it, and whose share each counts against. */
	readonly readers: Map<Readable, Holder>;
}

/** Being written; it cannot be read before it is finished. */
export interface Draft {
	/** @throws AppError 503 when there is no room, 429 when it is more than its holder's share. */
	write(bytes: Uint8Array): Promise<void>;
	finish(): Promise<SpoolFile>;
	/** Harmless after `finish`. */
	discard(): Promise<void>;
}

/** How often what is too old is looked for (ms), at most. */
const lookMs = 60_000;
const retrySeconds = 30;

export class Spool implements AsyncDisposable {
	readonly #folder: string;
	readonly #options: SpoolOptions;
	readonly #now: () => number;
	/** Finished and not removed, the least recently used first. */
	readonly #files = new Set<SpoolFile>();
	/** Removed and still being read. */
	readonly #leaving = new Set<SpoolFile>();
	/** Bytes that cannot be removed now, by holder. */
	readonly #held = new Shares();
	readonly #timer: NodeJS.Timeout;
	#bytes = 0;
	#drafts = 0;

	constructor(options: SpoolOptions) {
		this.#options = options;
		this.#now = options.now ?? (() => performance.now());
		this.#folder = openSpoolFolder(options.root, options.maxAgeMs);
		this.#timer = setInterval(() => this.removeOld(), Math.min(lookMs, options.maxAgeMs));
		this.#timer.unref();
	}

	/** On disk, also of files that are removed and still being read. */
	get bytes(): number {
		return this.#bytes;
	}

	draft(holder: Holder): Draft {
		const path = join(this.#folder, `${++this.#drafts}.part`);
		let handle: FileHandle | undefined;
		let size = 0;
		let over = false;
		const end = async () => {
			over = true;
			await handle?.close().catch(() => {});
			if (holder !== undefined) this.#held.add(holder, -size);
		};
		const discard = async () => {
			if (over) return;
			await end();
			await rm(path, { force: true }).catch(() => {});
			this.#bytes -= size;
		};
		return {
			discard,
			write: async (bytes) => {
				this.#makeRoom(bytes.length, holder);
				this.#bytes += bytes.length;
				size += bytes.length;
				if (holder !== undefined) this.#held.add(holder, bytes.length);
				await this.#orFull(async () => {
					handle ??= await this.#create(path);
					await handle.writeFile(bytes);
				});
			},
			finish: async () => {
				const finished = join(this.#folder, basename(path, ".part"));
				await this.#orFull(async () => {
					handle ??= await this.#create(path);
					await handle.close();
					await rename(path, finished);
				});
				await end();
				const file = { path: finished, size, madeAt: this.#now(), removed: false, readers: new Map() };
				this.#files.add(file);
				return file;
			},
		};
	}

	/**
	 * The bytes from `first` to `last`. Undefined when the file is no longer there. Closing the stream lets go of it.
	 * @throws AppError 429 when it is more than the reader's share, 503 when no more files can be opened.
	 */
	async read(file: SpoolFile, holder: Holder, first: number, last: number): Promise<Readable | undefined> {
		if (file.removed) return undefined;
		const isHeld = holder !== undefined && [...file.readers.values()].includes(holder);
		if (!isHeld) this.#checkShare(file.size, holder);
		this.#files.delete(file);
		this.#files.add(file);
		let handle: FileHandle | undefined;
		const stream = readBytes({ first, last, handle: () => handle, broken: () => this.remove(file) });
		file.readers.set(stream, holder);
		if (holder !== undefined && !isHeld) this.#held.add(holder, file.size);
		stream.once("close", () => {
			void handle?.close().catch(() => {});
			this.#release(file, stream);
		});
		try {
			handle = await this.#orFull(() => open(file.path, "r"));
			return stream;
		} catch (error) {
			stream.destroy();
			if (codeOf(error) !== "ENOENT") throw error;
			this.remove(file);
			return undefined;
		}
	}

	/** Its bytes are free when its last reader is done. */
	remove(file: SpoolFile): void {
		if (file.removed) return;
		file.removed = true;
		this.#files.delete(file);
		if (file.readers.size === 0) this.#unlink(file);
		else this.#leaving.add(file);
	}

	/** What is too old goes, and who still reads it is cut off: the rest can be asked for by range. */
	removeOld(): void {
		const latest = this.#now() - this.#options.maxAgeMs;
		for (const file of [...this.#files, ...this.#leaving]) {
			if (file.madeAt > latest) continue;
			this.remove(file);
			for (const stream of file.readers.keys()) stream.destroy(new Error("the file has been read for too long"));
		}
	}

	async [Symbol.asyncDispose](): Promise<void> {
		clearInterval(this.#timer);
		await rm(this.#folder, { recursive: true, force: true }).catch(() => {});
	}

	async #create(path: string): Promise<FileHandle> {
		try {
			return await open(path, "wx", 0o600);
		} catch (error) {
			if (codeOf(error) !== "ENOENT") throw error;
			// The root was emptied from outside.
			await mkdir(this.#folder, { recursive: true, mode: 0o700 });
			return open(path, "wx", 0o600);
		}
	}

	#release(file: SpoolFile, stream: Readable): void {
		const holder = file.readers.get(stream);
		file.readers.delete(stream);
		if (holder !== undefined && ![...file.readers.values()].includes(holder)) this.#held.add(holder, -file.size);
		if (file.removed && file.readers.size === 0) this.#unlink(file);
	}

	#unlink(file: SpoolFile): void {
		this.#leaving.delete(file);
		this.#bytes -= file.size;
		void rm(file.path, { force: true }).catch((err) =>
			this.#options.log.warn({ err }, "a spooled file is not removed"),
		);
	}

	#checkShare(bytes: number, holder: Holder): void {
		const { shareBytes } = this.#options;
		if (holder === undefined || this.#held.of(holder) + bytes <= shareBytes) return;
		const detail = `your exports that are being made or read are longer than ${shareBytes} bytes together: ask for the next when one has ended, or for fewer rows`;
		throw tooManyRequests(detail, retrySeconds);
	}

	#makeRoom(bytes: number, holder: Holder): void {
		this.#checkShare(bytes, holder);
		for (const file of this.#files) {
			if (this.#bytes + bytes <= this.#options.maxBytes) return;
			if (file.readers.size === 0) this.remove(file);
		}
		if (this.#bytes + bytes > this.#options.maxBytes) throw full();
	}

	/** A disk that is full, or files that cannot be opened any more, are no fault of the request. */
	async #orFull<T>(work: () => Promise<T>): Promise<T> {
		try {
			return await work();
		} catch (err) {
			if (!exhausted.has(codeOf(err))) throw err;
			this.#options.log.warn({ err }, "the spool cannot be written");
			for (const file of this.#files) if (file.readers.size === 0) this.remove(file);
			throw full();
		}
	}
}

const exhausted = new Set(["ENOSPC", "EDQUOT", "EMFILE", "ENFILE", "EROFS", "EACCES", "EIO"]);

const full = () => unavailable("there is no room for the file of this export at the moment", retrySeconds);
