/** Reads a file of form EIA-860, or about companies, in a worker thread with a bound on its memory and its time. */
import { readInThread } from "#libs/files/in-thread.ts";
import type { RawFile } from "../domain/source.ts";
import type { EvidenceFile } from "../sources/developers/evidence.ts";
import type { ReferenceFile, ScheduleFile } from "../sources/eia860/schedule.ts";

export interface FormTask {
	form: "eia860" | "developers";
	name: string;
	bytes: Uint8Array;
}

const worker = new URL("./read-form-worker.ts", import.meta.url);

/** Both throw `StructureError` for what is no whole file of its kind, `Error` for a fault of ours. */
export const readEia860 = ({ name, bytes }: RawFile): Promise<ScheduleFile | ReferenceFile> =>
	readInThread(worker, name, { form: "eia860", name, bytes } satisfies FormTask);

export const readEvidence = ({ name, bytes }: RawFile): Promise<EvidenceFile> =>
	readInThread(worker, name, { form: "developers", name, bytes } satisfies FormTask);
