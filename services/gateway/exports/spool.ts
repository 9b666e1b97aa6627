/**
 * Stores export files within limits: total bytes on disk, a share for each caller, and age. Short files are in memory. A file on disk is
 * unlinked as soon as it is open, so that no file remains if the process is killed. To free space, files without a reader are removed, the
 * least recently used first. A file that is being read or written counts against the share of its reader or writer.
 */
import { createHash, randomUUID } from "node:crypto";
import { unlinkSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { codeOf, tooManyRequests, unavailable } from "#libs/contract/errors.ts";
import { Shares } from "#libs/service/fair-queue.ts";
import type { Logger } from "#libs/service/logger.ts";
import { makeFolder } from "#libs/service/make-folder.ts";

export interface SpoolOptions {
	/** Folder of the files; may be shared with other processes. */
	root: string;
	maxBytes: number;
	/** Maximum total size of the files that one holder reads or writes at the same time. */
	shareBytes: number;
	maxAgeMs: number;
	log: Pick<Logger, "warn">;
}

/** The account or address whose share a file counts against. Undefined: only the total is limited. */
export type Holder = string | undefined;

export interface Content {
	bytes: number;
	/** In hexadecimal. */
	sha256: string;
	stored: Buffer | SpoolFile;
}

interface SpoolFile {
	readonly handle: FileHandle;
	/** Monotonic time (ms). */
	readonly createdAt: number;
	size: number;
	/** A removed file accepts no new readers, but its current readers may read it to the end. */
	removed: boolean;
	/** Streams that read the file, each with the holder whose share it counts against. */
	readonly readers: Map<Readable, Holder>;
}

/** Shorter files are in memory. */
const minBytesOnDisk = 1024 * 1024;
/** Maximum bytes of one read. */
const pieceBytes = 64 * 1024;
/** Longest interval between removals of files that are too old. */
const maxRemovalIntervalMs = 60_000;
const retrySeconds = 30;

export class Spool implements AsyncDisposable {
	readonly #options: SpoolOptions;
	/** Complete files that have not been removed, the least recently used first. */
	readonly #files = new Set<SpoolFile>();
	/** Removed files that are still being read. */
	readonly #removed = new Set<SpoolFile>();
	/** Bytes of files that are being read or written, by holder. */
	readonly #held = new Shares();
	readonly #timer: NodeJS.Timeout;
	#bytes = 0;

	constructor(options: SpoolOptions) {
		this.#options = options;
		this.#timer = setInterval(() => this.#removeOld(), Math.min(maxRemovalIntervalMs, options.maxAgeMs));
		this.#timer.unref();
	}

	/** Bytes on disk, including removed files that are still being read. */
	get bytes(): number {
		return this.#bytes;
	}

	/**
	 * Reads the source to its end and stores it. If that fails, nothing remains stored. @throws the source's error; AppError 503 if there is no
	 * space, 429 if the holder's share is used up
	 */
	async collect(source: AsyncIterable<Uint8Array>, holder: Holder, signal: AbortSignal): Promise<Content> {
		const hash = createHash("sha256");
		const pieces: Uint8Array[] = [];
		let bytes = 0;
		let file: SpoolFile | undefined;
		try {
			for await (const piece of source) {
				signal.throwIfAborted();
				hash.update(piece);
				bytes += piece.length;
				pieces.push(piece);
				if (bytes < minBytesOnDisk) continue;
				file ??= await this.#create();
				for (const each of pieces.splice(0)) await this.#append(file, each, holder);
			}
			signal.throwIfAborted();
		} catch (error) {
			if (file !== undefined) this.remove({ stored: file });
			throw error;
		} finally {
			if (file !== undefined) this.#hold(holder, -file.size);
		}
		if (file !== undefined) this.#files.add(file);
		return { bytes, sha256: hash.digest("hex"), stored: file ?? Buffer.concat(pieces) };
	}

	/**
	 * Reads the bytes from `first` to `last`; undefined if the file has been removed. The file counts against the holder's share until the
	 * stream closes. @throws AppError 429
	 */
	read({ stored }: Content, holder: Holder, first: number, last: number): Buffer | Readable | undefined {
		if (stored instanceof Uint8Array) return stored.subarray(first, last + 1);
		if (stored.removed) return undefined;
		const isHeld = isHeldBy(stored, holder);
		if (!isHeld) this.#checkShare(stored.size, holder);
		this.#files.delete(stored);
		this.#files.add(stored);
		const stream = Readable.from(this.#pieces(stored, first, last), { objectMode: false, highWaterMark: pieceBytes });
		stored.readers.set(stream, holder);
		if (!isHeld) this.#hold(holder, stored.size);
		stream.once("close", () => {
			stored.readers.delete(stream);
			if (!isHeldBy(stored, holder)) this.#hold(holder, -stored.size);
			if (stored.removed && stored.readers.size === 0) this.#free(stored);
		});
		return stream;
	}

	/** Removes a file. Its space on disk becomes free when its last reader has finished. */
	remove({ stored }: Pick<Content, "stored">): void {
		if (stored instanceof Uint8Array || stored.removed) return;
		stored.removed = true;
		this.#files.delete(stored);
		if (stored.readers.size === 0) this.#free(stored);
		else this.#removed.add(stored);
	}

	async [Symbol.asyncDispose](): Promise<void> {
		clearInterval(this.#timer);
		for (const stored of this.#files) this.remove({ stored });
	}

	async #create(): Promise<SpoolFile> {
		const { root } = this.#options;
		const handle = await this.#orNoSpace(async () => {
			makeFolder(root, 0o700);
			const path = join(root, randomUUID());
			const opened = await open(path, "wx+", 0o600);
			// Unlinked synchronously, so that an empty file rarely remains if the process is killed.
			unlinkSync(path);
			return opened;
		});
		return { handle, createdAt: performance.now(), size: 0, removed: false, readers: new Map() };
	}

	async #append(file: SpoolFile, bytes: Uint8Array, holder: Holder): Promise<void> {
		this.#makeRoom(bytes.length, holder);
		this.#bytes += bytes.length;
		file.size += bytes.length;
		this.#hold(holder, bytes.length);
		await this.#orNoSpace(() => file.handle.writeFile(bytes));
	}

	/** Reads one piece after another, so that only one is in memory. */
	async *#pieces(file: SpoolFile, first: number, last: number): AsyncGenerator<Uint8Array, void> {
		for (let at = first; at <= last; ) {
			const piece = await this.#pieceAt(file, at, Math.min(pieceBytes, last + 1 - at));
			at += piece.length;
			yield piece;
		}
	}

	/** Reads a piece. A file that cannot be read is removed, so that it is not served again. */
	async #pieceAt(file: SpoolFile, at: number, length: number): Promise<Uint8Array> {
		try {
			const { bytesRead, buffer } = await file.handle.read(Buffer.allocUnsafe(length), 0, length, at);
			if (bytesRead === 0) throw new Error("a spooled file has become shorter");
			return buffer.subarray(0, bytesRead);
		} catch (error) {
			this.remove({ stored: file });
			throw error;
		}
	}

	/** Removes files that are too old and disconnects their readers. A reader can request the remaining bytes as a range. */
	#removeOld(): void {
		const createdBefore = performance.now() - this.#options.maxAgeMs;
		for (const file of [...this.#files, ...this.#removed]) {
			if (file.createdAt > createdBefore) continue;
			this.remove({ stored: file });
			for (const stream of file.readers.keys()) stream.destroy(new Error("the file has been read for too long"));
		}
	}

	#free(file: SpoolFile): void {
		this.#removed.delete(file);
		this.#bytes -= file.size;
		file.handle.close().catch((err) => this.#options.log.warn({ err }, "a spooled file could not be closed"));
	}

	#hold(holder: Holder, bytes: number): void {
		if (holder !== undefined) this.#held.add(holder, bytes);
	}

	#checkShare(bytes: number, holder: Holder): void {
		const { shareBytes } = this.#options;
		if (holder === undefined || this.#held.of(holder) + bytes <= shareBytes) return;
		const detail = `your exports in progress exceed ${shareBytes} bytes together: request the next when one has ended, or request fewer rows`;
		throw tooManyRequests(detail, retrySeconds);
	}

	#makeRoom(bytes: number, holder: Holder): void {
		this.#checkShare(bytes, holder);
		const isFull = () => this.#bytes + bytes > this.#options.maxBytes;
		this.#removeUnread(isFull);
		if (isFull()) throw noSpace();
	}

	#removeUnread(isFull: () => boolean): void {
		for (const stored of this.#files) {
			if (!isFull()) return;
			if (stored.readers.size === 0) this.remove({ stored });
		}
	}

	/** Converts errors such as a full disk or too many open files into a 503, because the request did not cause them. */
	async #orNoSpace<T>(work: () => Promise<T>): Promise<T> {
		try {
			return await work();
		} catch (err) {
			if (!exhausted.has(codeOf(err))) throw err;
			this.#options.log.warn({ err }, "the spool cannot be written");
			this.#removeUnread(() => true);
			throw noSpace();
		}
	}
}

export const isAvailable = ({ stored }: Content): boolean => stored instanceof Uint8Array || !stored.removed;

const isHeldBy = ({ readers }: SpoolFile, holder: Holder): boolean =>
	holder !== undefined && [...readers.values()].includes(holder);

const exhausted = new Set(["ENOSPC", "EDQUOT", "EMFILE", "ENFILE", "EROFS", "EACCES", "EIO"]);

const noSpace = () => unavailable("there is no space for the file of this export at the moment", retrySeconds);
