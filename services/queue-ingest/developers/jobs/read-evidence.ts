/** Reads a file about companies in a worker thread with a bound on its memory and its time. */
import { readInThread } from "#libs/files/in-thread.ts";
import type { RawFile } from "../../sources/source.ts";
import type { EvidenceFile } from "../sources/evidence.ts";

const worker = new URL("./read-evidence-worker.ts", import.meta.url);

/** Throws `StructureError` for what is no whole file of its kind, `Error` for a fault of ours. */
export const readEvidence = ({ name, bytes }: RawFile): Promise<EvidenceFile> =>
	readInThread(worker, name, { name, bytes } satisfies RawFile);
