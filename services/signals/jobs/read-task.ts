/** What is read of files, and what comes of it. */
import type { Article, Dropped, EightK, FormD, IndexedFiling } from "../domain/parsed.ts";
import type { Pipeline } from "../domain/pipelines.ts";
import type { CoFiler } from "../sources/edgar/filings.ts";

export interface SourceFile {
	name: string;
	bytes: Uint8Array;
}

/** One file, or several that are only whole together. */
export type FileGroup = SourceFile[];

export interface ReadTask {
	source: Pipeline;
	groups: FileGroup[];
	/** ISO moment: what is dated after it is a typing error. */
	now: string;
}

/** What becomes of rows: rowsIn is everything kept and everything dropped. */
export interface RowAccount {
	rowsIn: number;
	dropped: Dropped[];
	/** Values of kept records that were left out, and rows of further tables that fit no record: none of `rowsIn`. */
	notes: Dropped[];
}

/** What files hold. */
export interface Records {
	articles: Article[];
	raises: FormD[];
	/** Form D filings that a feed or an index names. */
	index: IndexedFiling[];
	filings: EightK[];
	coFilers: CoFiler[];
}

export interface Content extends Records, RowAccount {}

/** When the newest of the records was published or filed (ISO); null where there is none. */
export function newestOf({ articles, raises, index, filings }: Records): string | null {
	let newest: string | null = null;
	const look = (iso: string) => {
		if (newest === null || Date.parse(iso) > Date.parse(newest)) newest = iso;
	};
	for (const { publishedAt } of articles) look(publishedAt);
	for (const filed of [raises, index, filings]) for (const { filingDate } of filed) look(filingDate);
	return newest;
}

/** What is no whole file of the source, in words. */
export interface Refused {
	refused: string;
}
