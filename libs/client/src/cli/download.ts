/** Downloads a file completely or not at all, and verifies its SHA-256. Interrupted downloads are resumed. */
import { createHash, type Hash } from "node:crypto";
import { type FileHandle, open, rename, rm, stat } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { ApiError } from "../index.ts";
import { CommandError } from "./failures.ts";

/** Requests the file, or the rest of it. */
export type FetchFile = (headers: Record<string, string>) => Promise<Response>;
export type Progress = (bytes: number, of: number | undefined) => void;

/** Maximum consecutive attempts without progress. */
const attempts = 5;
const waitMs = 1_000;

/** The part of the file that has been downloaded. The ETag identifies the version of the file. */
interface Download {
	etag: string | null;
	bytes: number;
	length: number | undefined;
	hash: Hash;
}

/** Returns the number of bytes. @throws ApiError, CommandError */
export function download(fetchFile: FetchFile, file: string, progress: Progress): Promise<number> {
	return writeAtomically(file, async (handle) => {
		const current = await downloadAll(fetchFile, handle, progress);
		verifyHash(current);
		return current.bytes;
	});
}

/** Replaces the file only when `fill` has written all of it; otherwise the old file remains. @throws CommandError */
export async function writeAtomically<T>(file: string, fill: (handle: FileHandle) => Promise<T>): Promise<T> {
	const part = `${file}.${process.pid}.part`;
	const removePart = () => void rm(part, { force: true }).finally(() => process.exit(130));
	// The path is checked before the request, because a file that cannot be written must not cost a query.
	if ((await stat(file).catch(() => undefined))?.isDirectory()) throw new CommandError(`--out ${file} is a folder`);
	process.once("SIGINT", removePart);
	let handle: FileHandle | undefined;
	try {
		handle = await open(part, "w").catch((error: NodeJS.ErrnoException) => {
			throw new CommandError(`--out ${file} cannot be written: ${reasons[error.code ?? ""] ?? error.message}`);
		});
		const filled = await fill(handle);
		await handle.close();
		await rename(part, file);
		return filled;
	} finally {
		process.off("SIGINT", removePart);
		await handle?.close().catch(() => {});
		await rm(part, { force: true });
	}
}

const reasons: Readonly<Record<string, string>> = {
	ENOENT: "there is no such folder",
	ENOTDIR: "its parent is not a folder",
	EACCES: "you have no permission to write there",
	EPERM: "you have no permission to write there",
	EROFS: "the file system is read-only",
};

async function downloadAll(fetchFile: FetchFile, handle: FileHandle, progress: Progress): Promise<Download> {
	let current: Download | undefined;
	for (let failures = 0; ; ) {
		const previousBytes = current?.bytes ?? 0;
		try {
			const response = await fetchFile(headersFor(current));
			// A response other than 206 contains the file from its first byte.
			if (response.status !== 206 || current === undefined) {
				await handle.truncate(0);
				current = startDownload(response);
			}
			for await (const chunk of response.body ?? []) {
				await writeAll(handle, chunk, current.bytes);
				current.hash.update(chunk);
				current.bytes += chunk.length;
				progress(current.bytes, current.length);
			}
			if (current.length === undefined || current.bytes >= current.length) return current;
			throw new CommandError(`the download ended after ${current.bytes} of ${current.length} bytes`);
		} catch (error) {
			const isDiskError = error instanceof Error && "syscall" in error && "path" in error;
			if (error instanceof ApiError || isDiskError) throw error;
			failures = (current?.bytes ?? 0) > previousBytes ? 1 : failures + 1;
			if (failures >= attempts) throw error;
			await pause(waitMs);
		}
	}
}

/** Writes all of the chunk: a single write may be partial, for example on a nearly full disk. */
export async function writeAll(handle: FileHandle, chunk: Uint8Array, position?: number): Promise<void> {
	for (let at = 0; at < chunk.length; ) {
		const filePosition = position === undefined ? null : position + at;
		at += (await handle.write(chunk, at, chunk.length - at, filePosition)).bytesWritten;
	}
}

/** Requests no compression, because byte ranges refer to the uncompressed file. */
function headersFor(current: Download | undefined): Record<string, string> {
	const isResumed = current !== undefined && current.etag !== null && current.bytes > 0;
	return {
		"accept-encoding": "identity",
		...(isResumed && { range: `bytes=${current.bytes}-`, "if-range": current.etag ?? "" }),
	};
}

function startDownload({ headers }: Response): Download {
	const length = headers.get("content-length");
	return {
		etag: headers.get("etag"),
		bytes: 0,
		length: length === null ? undefined : Number(length),
		hash: createHash("sha256"),
	};
}

/** The ETag of an export is the SHA-256 of its bytes. */
function verifyHash({ etag, hash }: Download): void {
	const [, expectedHash] = /^"([0-9a-f]{64})"$/.exec(etag ?? "") ?? [];
	if (expectedHash !== undefined && expectedHash !== hash.digest("hex"))
		throw new CommandError("the SHA-256 of the downloaded file differs from the service's; the file was not written");
}

const barWidth = 30;

/** A progress bar on a terminal; nothing elsewhere. */
export function progressBar(stream: NodeJS.WriteStream): { show: Progress; end(): void } {
	if (!stream.isTTY) return { show: () => {}, end: () => {} };
	let shown = "";
	return {
		show(bytes, of) {
			const share = of === undefined || of === 0 ? undefined : bytes / of;
			const filled = Math.round((share ?? 0) * barWidth);
			const bar = share === undefined ? "" : `${"#".repeat(filled)}${"-".repeat(barWidth - filled)} ${percent(share)} `;
			const text = `${bar}${megabytes(bytes)}${of === undefined ? "" : ` of ${megabytes(of)}`} MB`;
			if (text === shown) return;
			shown = text;
			stream.write(`\r${text}\u001b[K`);
		},
		end: () => void stream.write("\r\u001b[K"),
	};
}

const percent = (share: number): string => `${Math.floor(share * 100)} %`.padStart(5);
const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);
