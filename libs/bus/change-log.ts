/** The log of changes as services follow it: how far it is, its pages with the requests in them, and word that there may be more. */
import { LRUCache } from "lru-cache";
import type { z } from "zod";
import type { ParamsInput, Reply } from "#libs/contract/index.ts";
import type { changeWithRow } from "#libs/contract/operations/history/change.ts";
import type { Bus } from "./connect.ts";
import { requestJson } from "./request.ts";
import { watchVersions } from "./version.ts";

/** With the request as it was after the change; null where nothing is known of that. */
export type LoggedChange = z.output<typeof changeWithRow>;

export interface LogPage {
	changes: LoggedChange[];
	/** Where the next page begins: of an empty page, where this one did. */
	next: number;
}

/** The longest wait for an answer of queue-ingest (ms). */
const timeoutMs = 10_000;
/** Changes of a page that is read for several followers. */
const pageRows = 100;
/** Full pages that are kept: the newest that were asked for. */
const keptPages = 20;
/** The data version rises with every transaction that changes an answer: followers are woken at most so often (ms). */
const quietMs = 20;

/** The page in a reply to a request with `after`. */
export function logPage(reply: Reply<"listChanges">): LogPage {
	if (!("next" in reply)) throw new Error("the log of changes was answered as a list");
	return { changes: reply.data, next: reply.next };
}

export class ChangeLog {
	readonly #bus: Bus;
	/** Full pages by where they begin: what the log says does not change. */
	readonly #kept = new LRUCache<number, LogPage>({ max: keptPages });
	readonly #underWay = new Map<number, Promise<LogPage>>();

	constructor(bus: Bus) {
		this.#bus = bus;
	}

	/** The newest `seq`. @throws AppError 503 while queue-ingest does not answer */
	async head(): Promise<number> {
		return (await requestJson(this.#bus, "readNewestSeq", {}, { timeoutMs })).seq;
	}

	/** The changes that follow `after`, oldest first: one request for all who stand at the same place. */
	read(after: number): Promise<LogPage> {
		const kept = this.#kept.get(after) ?? this.#underWay.get(after);
		if (kept !== undefined) return Promise.resolve(kept);
		const asked = this.#readAndKeep(after).finally(() => this.#underWay.delete(after));
		this.#underWay.set(after, asked);
		return asked;
	}

	/** These changes, by their `seq` in ascending order, of these requests. */
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

	/** Calls `onMore` when the log may have grown. The version is repeated every few seconds, so that nothing is missed for longer. */
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

	async #readAndKeep(after: number): Promise<LogPage> {
		const page = await this.page({ after, per_page: pageRows, include: "row" });
		if (page.changes.length === pageRows) this.#kept.set(after, page);
		return page;
	}
}
