/** Rows of a long list, read a page at a time as they come into sight. */
import { useEffect, useReducer, useRef } from "preact/hooks";
import type { Reply } from "#libs/contract/index.ts";
import { pageRows } from "#libs/contract/vocabulary.ts";
import { Failure, type Query, read } from "../../lib/api/request.ts";
import type { ReadState } from "../../lib/api/use-read.tsx";

export type Row = Reply<"listProjects">["data"][number];

const retryMs = 5_000;
const fields = [
	...["id", "name", "queue_id", "region", "state", "county", "type_std", "status_std", "capacity_mw", "queue_date"],
	...["investability_score", "poi", "lat", "lon", "location_precision"],
].join();

export interface Pages extends Pick<ReadState<unknown>, "failure" | "isFinal"> {
	/** Undefined until the first page is there. */
	total: number | undefined;
	/** Undefined while its page is read. */
	row(at: number): Row | undefined;
	/** Has what is missing of these rows read. */
	need(first: number, last: number): void;
}

interface Kept {
	key: string;
	pages: Map<number, Row[]>;
	total: number | undefined;
	failure: Pick<Pages, "failure" | "isFinal">;
	stop: AbortController;
	underWay: Set<number>;
}

/** Begins anew when `key` changes; until its first page is there the rows of before are shown. */
export function usePages(key: string, query: Query): Pages {
	const [, show] = useReducer((times: number) => times + 1, 0);
	const kept = useRef<Kept>(undefined);
	const before = useRef<Kept>(undefined);
	if (kept.current?.key !== key) {
		kept.current?.stop.abort();
		if (kept.current?.total !== undefined) before.current = kept.current;
		kept.current = {
			...{ key, pages: new Map(), total: undefined, failure: {} },
			...{ stop: new AbortController(), underWay: new Set() },
		};
	}
	const { current } = kept;
	const load = async (of: Kept, page: number) => {
		if (of.underWay.has(page) || of.pages.has(page) || of.stop.signal.aborted) return;
		of.underWay.add(page);
		try {
			const asked = { ...query, fields, page, per_page: pageRows };
			const { data, meta } = await read("listProjects", "/projects", asked, of.stop.signal);
			of.pages.set(page, data);
			of.total = meta.total;
			of.failure = {};
			if (of === kept.current) before.current = undefined;
		} catch (error) {
			if (of.stop.signal.aborted) return;
			const isFinal = error instanceof Failure && error.isFinal;
			of.failure = { failure: error instanceof Error ? error.message : String(error), isFinal };
			if (!isFinal) setTimeout(() => void load(of, page), retryMs);
		} finally {
			of.underWay.delete(page);
		}
		if (of === kept.current) show(0);
	};
	useEffect(() => void load(current, 1), [key]);
	useEffect(() => () => kept.current?.stop.abort(), []);
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
