/** Reads a reference file; whatever may be large when unpacked, in a thread with a bound on its memory and its time. */
import { isZip } from "#libs/files/archive.ts";
import { readInThread } from "#libs/files/in-thread.ts";
import { readReference } from "../sources/index.ts";
import type { Reference, ReferenceFile, ReferenceSource } from "../sources/reference.ts";

export interface ReadTask {
	source: ReferenceSource;
	file: ReferenceFile;
	/** YYYY-MM-DD. */
	today: string;
}

/** So few bytes of text cannot hold the caller up for long, and a thread costs a hundred milliseconds. */
const smallBytes = 64 * 1024;

/** Throws `StructureError` for what is no whole file of the source, `Error` for a fault of ours. */
export function readFile(task: ReadTask): Promise<Reference> {
	const { bytes, name } = task.file;
	if (!isZip(bytes) && bytes.length <= smallBytes) return readReference(task.source, task.file, task.today);
	return readInThread(new URL("./ref-read-worker.ts", import.meta.url), name, task);
}
