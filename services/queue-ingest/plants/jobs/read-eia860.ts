/** Reads a file of form EIA-860 in a worker thread with a bound on its memory and its time. */
import { readInThread } from "#libs/files/in-thread.ts";
import type { RawFile } from "../../sources/source.ts";
import type { ReferenceFile, ScheduleFile } from "../sources/schedule.ts";

const worker = new URL("./read-eia860-worker.ts", import.meta.url);

/** Throws `StructureError` for what is no whole file of its kind, `Error` for a fault of ours. */
export const readEia860 = ({ name, bytes }: RawFile): Promise<ScheduleFile | ReferenceFile> =>
	readInThread(worker, name, { name, bytes } satisfies RawFile);
