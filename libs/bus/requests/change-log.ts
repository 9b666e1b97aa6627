/** Follows the log of changes: its newest number, its pages with the requests in them, and a call when there may be more. */
import { LRUCache } from "lru-cache";
import type { z } from "zod";
import type { ParamsInput, Reply } from "#libs/contract/index.ts";
import type { changeWithRow } from "#libs/contract/operations/history/change.ts";
import type { Bus } from "../connect.ts";
import { watchVersions } from "../version.ts";
import { requestJson } from "./request.ts";

/** With the request as it was after the change; null where that is unknown. */
export type LoggedChange = z.output<typeof changeWithRow>;

export interface LogPage {
	changes: LoggedChange[];
	/** Start of the next page; of an empty page its own. */
	next: number;
}

const timeoutMs = 10_000;
const pageRows = 100;
const cachedPages = 20;
/** Followers are woken at most this often (ms): the data version rises with every transaction that changes a response. */
const quietMs = 20;

/** The page in a reply to a request with `after`. */
export function logPage(reply: Reply<"listChanges">): LogPage {
	if (!("next" in reply)) throw new Error("the change log was returned as a list");
	return { changes: reply.data, next: reply.next };
}

export class ChangeLog {
	readonly #bus: Bus;
	/** Full pages by their start: entries of the log do not change. */
	readonly #cached = new LRUCache<number, LogPage>({ max: cachedPages });
	readonly #underWay = new Map<number, Promise<LogPage>>();

	constructor(bus: Bus) {
		this.#bus = bus;
	}

	/** The newest `seq`. @throws AppError 503 while queue-ingest does not answer */
	async head(): Promise<number> {
		return (await requestJson(this.#bus, "readNewestSeq", {}, { timeoutMs })).seq;
	}

	/** The changes that follow `after`, oldest first. Followers at the same position share a request. */
	read(after: number): Promise<LogPage> {
		const known = this.#cached.get(after) ?? this.#underWay.get(after);
		if (known !== undefined) return Promise.resolve(known);
		const page = this.#readPage(after).finally(() => this.#underWay.delete(after));
		this.#underWay.set(after, page);
		return page;
	}

	/** The changes with these numbers, in ascending order, of these requests. */
	async pick(wanted: readonly { seq: number; project_id: string }[]): Promise<Map<number, LoggedChange>> {
		const found = new Map<number, LoggedChange>();
		const seqs = new Set(wanted.map(({ seq }) => seq));
		const id = [...new Set(wanted.map(({ project_id }) => project_id))];
		const last = wanted.at(-1)?.seq ?? 0;
		for (let after = (wanted[0]?.seq ?? 1) - 1; after < last; ) {
			const { changes, next } = await this.page({ after, id, per_page: pageRows, include: "row" });
			for (const change of changes) if (seqs.has(change.seq)) found.set(change.seq, change);
			if (next === after) break;
			after = next;
		}
		return found;
	}

	async page(params: ParamsInput<"listChanges"> & { after: number }): Promise<LogPage> {
		return logPage(await requestJson(this.#bus, "listChanges", params, { timeoutMs }));
	}

	/** Calls `onMore` when the log may have grown. The version is repeated every few seconds, so no change is missed for longer. */
	watch(onMore: () => void): Disposable {
		let known: number | undefined;
		let quiet: NodeJS.Timeout | undefined;
		let isWaiting = false;
		const wake = () => {
			isWaiting = quiet !== undefined;
			if (isWaiting) return;
			quiet = setTimeout(() => {
				quiet = undefined;
				if (isWaiting) wake();
			}, quietMs);
			onMore();
		};
		const watching = watchVersions(this.#bus, "queue-ingest", (version) => {
			if (version !== known) wake();
			known = version;
		});
		return {
			[Symbol.dispose]() {
				watching[Symbol.dispose]();
				clearTimeout(quiet);
			},
		};
	}

	async #readPage(after: number): Promise<LogPage> {
		const page = await this.page({ after, per_page: pageRows, include: "row" });
		if (page.changes.length === pageRows) this.#cached.set(after, page);
		return page;
	}
}
