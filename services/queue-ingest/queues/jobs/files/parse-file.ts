/** Reads a file in a worker thread with limited memory and time. */
import { readInThread } from "#libs/files/in-thread.ts";
import type { TableLayout } from "../../../sources/filed-cells.ts";
import type { Feed, ParsedFile } from "../../../sources/source.ts";
import type { ListStructure } from "../../../sources/structure/structure.ts";
import type { MappedWord } from "../../../sources/vocabulary.ts";
import type { StandardRequest } from "../../standardise.ts";

export interface ParseTask {
	feed: Feed;
	/** Last part of the path. */
	name: string;
	/** Whole path or address: folders can state the date. */
	path: string;
	bytes: Uint8Array;
	/** Snapshot time given by the user (ISO); if null, the time is read from the file or its name. */
	asOf: string | null;
	/** Time of the download, ISO; absent if the file was not downloaded. */
	fetchedAt?: string | undefined;
	/** Meanings that people gave to values that the adapter does not define. */
	mapped?: readonly MappedWord[];
}

export type ReadFile = Omit<StandardFile, "sha256">;

export interface StandardFile extends Omit<ParsedFile, "requests" | "stillListed" | "tables"> {
	feed: Feed;
	sha256: string;
	/** ISO time. */
	asOf: string;
	/** Days on which requests were withdrawn or began to operate, also of rows without a request; unique and ascending. */
	events: string[];
	requests: (StandardRequest & {
		/** Number of the request, after the utility's name if several utilities use the same numbers. */
		label: string;
		/** The label in a form that is the same for every spelling. */
		key: string;
		/** Cells of the request's rows by column name; null if the adapter does not report which rows it read. */
		filed: Record<string, string> | null;
	})[];
	/** Layouts of the file's tables; empty if the adapter does not report them. */
	tables: TableLayout[];
	/** Structure with which the next list of the feed is compared. */
	structure: ListStructure;
	/** Keys of requests that the file still contains although their rows are dropped. */
	stillListed: string[];
}

/** Throws `StructureError` if the file is not a complete list of the feed, and `Error` if this program has a fault. */
export async function parseFile(task: ParseTask): Promise<ReadFile> {
	const [list] = await parseLists(task, [task.feed]);
	if (list === undefined) throw new Error(`${task.name}: the parser returned no list`);
	return list;
}

/** Parses several lists of one file, and returns them in the order of `feeds`. */
export const parseLists = (task: Omit<ParseTask, "feed">, feeds: readonly Feed[]): Promise<ReadFile[]> =>
	readInThread<ReadFile[]>(
		new URL("./parse-worker.ts", import.meta.url),
		task.name,
		feeds.map((feed) => ({ ...task, feed })),
	);
