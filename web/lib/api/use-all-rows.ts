import type { OperationName, Reply } from "#libs/contract/index.ts";
import { pageRows } from "#libs/contract/vocabulary.ts";
import { type AllRows, readAllPages } from "./all-pages.ts";
import { type Query, read, withQuery } from "./request.ts";
import { type ReadState, useRead } from "./use-read.tsx";

type RowOf<N extends OperationName> = Reply<N> extends { data: (infer T)[]; meta: { total: number } } ? T : never;

/** Reads all rows of a list, at most `mostPages` pages. Reads nothing if `path` is undefined. */
export function useAllRows<N extends OperationName>(
	operation: N,
	path: string | undefined,
	query: Query,
	mostPages = 10,
	everyMs = 0,
): ReadState<AllRows<RowOf<N>> | undefined> {
	const key = path === undefined ? "" : `${withQuery(path, query)} ${mostPages}`;
	const run = async (signal: AbortSignal) => {
		if (path === undefined) return undefined;
		const readPage = (page: number) => read(operation, path, { ...query, page, per_page: pageRows }, signal);
		return readAllPages<RowOf<N>>(readPage as (page: number) => Promise<never>, mostPages);
	};
	return useRead(key, run, everyMs);
}
