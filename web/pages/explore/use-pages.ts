/** Reads the rows of a long list page by page as they become visible. */
import { useEffect, useReducer, useRef } from "preact/hooks";
import type { Reply } from "#libs/contract/index.ts";
import { pageRows } from "#libs/contract/vocabulary.ts";
import { Failure, type Query, read } from "../../lib/api/request.ts";
import type { ReadState } from "../../lib/api/use-read.tsx";

export type Row = Reply<"listProjects">["data"][number];

const retryMs = 5_000;
const fields = [
	...["id", "name", "queue_id", "region", "state", "county", "type_std", "status_std", "capacity_mw", "queue_date"],
	...["investability_score", "cod", "developer_canonical", "developer", "study_phase", "poi"],
	...["lat", "lon", "location_precision"],
].join();

export interface PagedRows extends Pick<ReadState<unknown>, "failure" | "isFinal"> {
	/** Undefined until the first page is read. */
	total: number | undefined;
	/** Returns a row; undefined until its page has been read. */
	row(at: number): Row | undefined;
	/** Reads the pages of these rows that have not been read yet. */
	need(first: number, last: number): void;
}

interface Loaded {
	key: string;
	pages: Map<number, Row[]>;
	total: number | undefined;
	failure: Pick<PagedRows, "failure" | "isFinal">;
	stop: AbortController;
	loading: Set<number>;
}

/** Reads the rows again when `key` changes. The previous rows remain until the new first page has been read. */
export function usePages(key: string, query: Query): PagedRows {
	const [, show] = useReducer((times: number) => times + 1, 0);
	const latest = useRef<Loaded>(undefined);
	const before = useRef<Loaded>(undefined);
	if (latest.current?.key !== key) {
		latest.current?.stop.abort();
		if (latest.current?.total !== undefined) before.current = latest.current;
		latest.current = {
			...{ key, pages: new Map(), total: undefined, failure: {} },
			...{ stop: new AbortController(), loading: new Set() },
		};
	}
	const { current } = latest;
	const load = async (of: Loaded, page: number) => {
		if (of.loading.has(page) || of.pages.has(page) || of.stop.signal.aborted) return;
		of.loading.add(page);
		try {
			const params = { ...query, fields, page, per_page: pageRows };
			const { data, meta } = await read("listProjects", "/projects", params, of.stop.signal);
			of.pages.set(page, data);
			of.total = meta.total;
			of.failure = {};
			if (of === latest.current) before.current = undefined;
		} catch (error) {
			if (of.stop.signal.aborted) return;
			const isFinal = error instanceof Failure && error.isFinal;
			of.failure = { failure: error instanceof Error ? error.message : String(error), isFinal };
			if (!isFinal) setTimeout(() => void load(of, page), retryMs);
		} finally {
			of.loading.delete(page);
		}
		if (of === latest.current) show(0);
	};
	useEffect(() => void load(current, 1), [key]);
	useEffect(() => () => latest.current?.stop.abort(), []);
	const shown = current.total === undefined ? (before.current ?? current) : current;
	return {
		total: shown.total,
		...current.failure,
		row: (at) => shown.pages.get(Math.floor(at / pageRows) + 1)?.[at % pageRows],
		need(first, last) {
			for (let page = Math.floor(first / pageRows); page <= Math.floor(last / pageRows); page++)
				if (shown === current) void load(current, page + 1);
		},
	};
}
