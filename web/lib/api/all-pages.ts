import { pageRows } from "#libs/contract/vocabulary.ts";
import { read } from "./request.ts";

/** All rows of a list, a page after the other, up to a bound. */

interface Page<T> {
	rows: T[];
	/** Rows of all pages. */
	total: number;
}

export interface Walked<T> {
	rows: T[];
	total: number;
}

/** Fewer rows than `total` where the list is longer than the bound. */
export async function walk<T>(readPage: (page: number) => Promise<Page<T>>, mostPages = 10): Promise<Walked<T>> {
	const rows: T[] = [];
	for (let page = 1; page <= mostPages; page++) {
		const found = await readPage(page);
		rows.push(...found.rows);
		if (found.rows.length === 0 || rows.length >= found.total || page === mostPages)
			return { rows, total: found.total };
	}
	return { rows, total: rows.length };
}

export async function readValues(by: "region" | "technology" | "state", signal: AbortSignal): Promise<string[]> {
	const { rows } = await walk(async (page) => {
		const query = { by, page, per_page: pageRows };
		const { data, meta } = await read("groupProjects", "/projects/groups", query, signal);
		return { rows: data, total: meta.total };
	});
	return rows.flatMap(({ value }) => value ?? []);
}
