/** Follows the change log: reads its newest `seq` and its pages, and reports when there may be new changes. */
import { LRUCache } from "lru-cache";
import type { z } from "zod";
import type { ParamsInput, Reply } from "#libs/contract/index.ts";
import type { changeWithRow } from "#libs/contract/operations/history/change.ts";
import type { Bus } from "../connect.ts";
import { watchVersions } from "../version.ts";
import { requestJson } from "./request.ts";

/** A change with its request as it was after the change (null if unknown). */
export type LoggedChange = z.output<typeof changeWithRow>;

export interface LogPage {
	changes: LoggedChange[];
	/** Start of the next page; this page's own start if it is empty. */
	next: number;
}

const timeoutMs = 10_000;
const pageRows = 100;
const cachedPages = 20;
/**
 * Minimum time between two calls of a watcher (ms). Without it, every transaction that raises the data version would cause a call.
 */
const minCallIntervalMs = 20;

/** Reads the page from the reply to a request with `after`. */
export function logPage(reply: Reply<"listChanges">): LogPage {
	if (!("next" in reply)) throw new Error("the reply is not a page of the change log: it has no `next`");
	return { changes: reply.data, next: reply.next };
}

export class ChangeLog {
	readonly #bus: Bus;
	/** Full pages by their start. They stay valid, because entries of the log do not change. */
	readonly #cached = new LRUCache<number, LogPage>({ max: cachedPages });
	readonly #pending = new Map<number, Promise<LogPage>>();

	constructor(bus: Bus) {
		this.#bus = bus;
	}

	/** Reads the newest `seq`. @throws AppError 503 if queue-ingest does not respond */
	async head(): Promise<number> {
		return (await requestJson(this.#bus, "readNewestSeq", {}, { timeoutMs })).seq;
	}

	/** Reads the changes that follow `after`, oldest first. Concurrent calls with the same `after` share a request. */
	read(after: number): Promise<LogPage> {
		const sharedPage = this.#cached.get(after) ?? this.#pending.get(after);
		if (sharedPage !== undefined) return Promise.resolve(sharedPage);
		const page = this.#readPage(after).finally(() => this.#pending.delete(after));
		this.#pending.set(after, page);
		return page;
	}

	/** Reads changes by `seq`. `wanted` must be in ascending order of `seq`. */
	async pick(wanted: readonly { seq: number; project_id: string }[]): Promise<Map<number, LoggedChange>> {
		const bySeq = new Map<number, LoggedChange>();
		const seqs = new Set(wanted.map(({ seq }) => seq));
		const projectIds = [...new Set(wanted.map(({ project_id }) => project_id))];
		const last = wanted.at(-1)?.seq ?? 0;
		for (let after = (wanted[0]?.seq ?? 1) - 1; after < last; ) {
			const { changes, next } = await this.page({ after, id: projectIds, per_page: pageRows, include: "row" });
			for (const change of changes) if (seqs.has(change.seq)) bySeq.set(change.seq, change);
			if (next === after) break;
			after = next;
		}
		return bySeq;
	}

	async page(params: ParamsInput<"listChanges"> & { after: number }): Promise<LogPage> {
		return logPage(await requestJson(this.#bus, "listChanges", params, { timeoutMs }));
	}

	/**
	 * Calls `onChanges` when there may be new changes. The data version is announced every few seconds, so a change is noticed within seconds
	 * even if a message is lost.
	 */
	watch(onChanges: () => void): Disposable {
		let lastVersion: number | undefined;
		let callTimer: NodeJS.Timeout | undefined;
		let isCallPending = false;
		const call = () => {
			isCallPending = callTimer !== undefined;
			if (isCallPending) return;
			callTimer = setTimeout(() => {
				callTimer = undefined;
				if (isCallPending) call();
			}, minCallIntervalMs);
			onChanges();
		};
		const watching = watchVersions(this.#bus, "queue-ingest", (version) => {
			if (version !== lastVersion) call();
			lastVersion = version;
		});
		return {
			[Symbol.dispose]() {
				watching[Symbol.dispose]();
				clearTimeout(callTimer);
			},
		};
	}

	async #readPage(after: number): Promise<LogPage> {
		const page = await this.page({ after, per_page: pageRows, include: "row" });
		if (page.changes.length === pageRows) this.#cached.set(after, page);
		return page;
	}
}
