import { useEffect, useState } from "preact/hooks";
import type { OperationName, Reply } from "#libs/contract/index.ts";
import { pageRows } from "#libs/contract/vocabulary.ts";
import { type AllRows, readAllPages } from "./all-pages.ts";
import { Failure, type Query, read, withQuery } from "./request.ts";

export interface ReadState<T> {
	/** The last result, which remains available if a later read fails. */
	data?: T | undefined;
	failure?: string | undefined;
	isFinal?: boolean | undefined;
	/** Why each invalid parameter of the request is invalid. */
	fields?: Failure["fields"] | undefined;
	/** Whether the data belongs to the previous key, because the read for the current key is in progress. */
	isStale?: boolean | undefined;
}

const retryMs = 5_000;

/**
 * Reads data, and reads it again when `key` changes, every `everyMs` while the page is visible (0: never; it may depend on the data), and
 * after a failure.
 */
export function useRead<T>(
	key: string,
	run: (signal: AbortSignal) => Promise<T>,
	everyMs: number | ((data: T) => number) = 0,
): ReadState<T> {
	const [{ key: readKey, ...state }, setState] = useState<ReadState<T> & { key?: string }>({});
	useEffect(() => {
		const stop = new AbortController();
		let timer: ReturnType<typeof setTimeout> | undefined;
		const runAfter = (ms: number) => {
			timer = setTimeout(runOnce, ms);
		};
		async function runOnce() {
			if (document.hidden) return runAfter(retryMs);
			try {
				const data = await run(stop.signal);
				if (stop.signal.aborted) return;
				setState({ key, data });
				const pauseMs = typeof everyMs === "number" ? everyMs : everyMs(data);
				if (pauseMs > 0) runAfter(pauseMs);
			} catch (error) {
				if (stop.signal.aborted) return;
				const { isFinal = false, retryAfter = 0, fields } = error instanceof Failure ? error : {};
				const failure = error instanceof Error ? error.message : String(error);
				setState((before) => ({ key, data: before.key === key ? before.data : undefined, failure, isFinal, fields }));
				if (!isFinal) runAfter(Math.max(retryMs, retryAfter * 1_000));
			}
		}
		void runOnce();
		return () => {
			stop.abort();
			clearTimeout(timer);
		};
	}, [key]);
	return readKey === key ? state : { data: state.data, isStale: true };
}

/** Reads the response of an operation, and reads it again when the path or the query changes. Reads nothing if `path` is undefined. */
export function useOperation<N extends OperationName>(
	operation: N,
	path: string | undefined,
	query: Query = {},
	everyMs = 0,
): ReadState<Reply<N> | undefined> {
	const key = path === undefined ? "" : withQuery(path, query);
	return useRead(
		key,
		async (signal) => (path === undefined ? undefined : read(operation, path, query, signal)),
		everyMs,
	);
}

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

/** Shows why a read fails, and that it is retried. */
export function Failed({ state: { failure, isFinal } }: { state: ReadState<unknown> }) {
	if (failure === undefined) return null;
	return (
		<p class="failure" role="status">
			{failure}
			{!isFinal && " Trying again."}
		</p>
	);
}
