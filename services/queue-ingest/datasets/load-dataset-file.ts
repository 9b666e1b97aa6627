/** Reads a file of a related dataset in a worker thread with a bound on its memory and its time. */
import { readInThread } from "#libs/files/in-thread.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import type { DatasetFile } from "../sources/dataset.ts";

export interface DatasetTask {
	feed: string;
	/** Last part of the path. */
	name: string;
	/** Whole path or address: folders can state the date. */
	path: string;
	bytes: Uint8Array;
}

/** `publishedOn`: where the file itself states none, what its name or its properties do. */
export type ReadDataset = DatasetFile;

/** Asks what the file is of, by its content. */
export interface LookTask {
	candidates: readonly string[];
	name: string;
	bytes: Uint8Array;
}

const worker = new URL("./load-dataset-worker.ts", import.meta.url);

/** Throws `StructureError` for what is no whole file of the dataset, `Error` for a fault of ours. */
export const readDataset = (task: DatasetTask): Promise<ReadDataset> =>
	readInThread<ReadDataset>(worker, task.name, task);

/** The one of the feeds that the content shows; null where it shows none, or cannot be read. */
export async function lookInto(task: LookTask): Promise<string | null> {
	try {
		return await readInThread<string | null>(worker, task.name, task);
	} catch (error) {
		// A broken file is still known by its name, and its reader says what is wrong with it.
		if (error instanceof StructureError) return null;
		throw error;
	}
}
