/** Reads files of a source in a thread with a bound on its memory and its time. */
import { readInThread } from "#libs/files/in-thread.ts";
import type { Pipeline } from "../domain/pipelines.ts";
import type { CoFiler } from "../sources/edgar/filings.ts";
import type { Article, Dropped, EightK, FormD, IndexedFiling } from "../sources/parsed.ts";

export interface SourceFile {
	name: string;
	bytes: Uint8Array;
}

export interface ReadTask {
	source: Pipeline;
	/** One file, or several that are only whole together. */
	files: SourceFile[];
	/** ISO moment: what is dated after it is a typing error. */
	now: string;
}

/** What files hold, and an account of the rest: rowsIn is everything kept and everything dropped. */
export interface Content {
	rowsIn: number;
	dropped: Dropped[];
	articles: Article[];
	raises: FormD[];
	/** Form D filings that a feed or an index names. */
	index: IndexedFiling[];
	filings: EightK[];
	coFilers: CoFiler[];
}

/** Throws `StructureError` for what is no whole file of the source, `Error` for a fault of ours. */
export const readFiles = (task: ReadTask): Promise<Content> =>
	readInThread<Content>(new URL("./read-worker.ts", import.meta.url), task.files[0]?.name ?? "", task);
