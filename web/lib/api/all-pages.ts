import { pageRows } from "#libs/contract/vocabulary.ts";
import { read } from "./request.ts";

interface Page<T> {
	data: T[];
	/** `total` is the number of rows on all pages. */
	meta: { total: number };
}

export interface AllRows<T> {
	rows: T[];
	total: number;
}

/** Reads a list page by page, but at most `maxPages` pages; `total` can therefore exceed the number of rows read. */
export async function readAllPages<T>(
	readPage: (page: number) => Promise<Page<T>>,
	maxPages = 10,
): Promise<AllRows<T>> {
	const rows: T[] = [];
	for (let page = 1; ; page++) {
		const { data, meta } = await readPage(page);
		rows.push(...data);
		if (data.length === 0 || rows.length >= meta.total || page === maxPages) return { rows, total: meta.total };
	}
}

/** Reads the values by which requests can be filtered, the most frequent first. */
export async function readValues(by: "region" | "technology" | "state", signal: AbortSignal): Promise<string[]> {
	const { rows } = await readAllPages((page) =>
		read("groupProjects", "/projects/groups", { by, page, per_page: pageRows }, signal),
	);
	return rows.flatMap(({ value }) => value ?? []);
}
