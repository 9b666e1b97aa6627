/** The log of changes as this process reads it: one request for all who stand at the same place, and the newest pages in memory. */

import { LRUCache } from "lru-cache";
import type { Bus } from "#libs/bus/connect.ts";
import { type PlainName, requestJson } from "#libs/bus/request.ts";
import type { ParamsInput, Reply } from "#libs/contract/index.ts";
import type { Change } from "../domain/changes.ts";

/** Asks queue-ingest. @throws AppError 503 while it does not answer */
export type Ask = <N extends PlainName>(name: N, params: ParamsInput<N>) => Promise<Reply<N>>;

/** Longest wait for an answer of queue-ingest (ms). */
const timeoutMs = 10_000;

export const askOver =
	(bus: Bus): Ask =>
	(name, params) =>
		requestJson(bus, name, params, { timeoutMs });

export interface ChangePage {
	changes: Change[];
	/** Where the next page begins: of an empty page, where this one did. */
	next: number;
}

/** Changes of a page. */
const pageRows = 100;
/** Pages that are kept: the newest that were asked for. */
const keptPages = 20;
/** An id that no request has. */
const none = "-";

export class ChangeLog {
	readonly #ask: Ask;
	/** Full pages by where they begin: what the log says does not change. */
	readonly #kept = new LRUCache<number, ChangePage>({ max: keptPages });
	readonly #underWay = new Map<number, Promise<ChangePage>>();

	constructor(ask: Ask) {
		this.#ask = ask;
	}

	/** The newest `seq`. */
	async head(): Promise<number> {
		const { meta } = await this.#ask("listProjects", { cursor: "*", per_page: 1, id: [none] });
		return meta.seq ?? 0;
	}

	/** The changes that follow `after`, oldest first. */
	read(after: number): Promise<ChangePage> {
		const kept = this.#kept.get(after);
		if (kept !== undefined) return Promise.resolve(kept);
		const underWay = this.#underWay.get(after);
		if (underWay !== undefined) return underWay;
		const asked = this.#request(after).finally(() => this.#underWay.delete(after));
		this.#underWay.set(after, asked);
		return asked;
	}

	/** These changes, by their `seq` in ascending order, of these requests. */
	async pick(wanted: readonly { seq: number; project_id: string }[]): Promise<Map<number, Change>> {
		const found = new Map<number, Change>();
		const seqs = new Set(wanted.map(({ seq }) => seq));
		const id = [...new Set(wanted.map(({ project_id }) => project_id))];
		const last = wanted.at(-1)?.seq ?? 0;
		for (let after = (wanted[0]?.seq ?? 1) - 1; after < last; ) {
			const { changes, next } = await this.#page({ after, id });
			for (const change of changes) if (seqs.has(change.seq)) found.set(change.seq, change);
			if (next === after) break;
			after = next;
		}
		return found;
	}

	async #request(after: number): Promise<ChangePage> {
		const page = await this.#page({ after });
		if (page.changes.length === pageRows) this.#kept.set(after, page);
		return page;
	}

	async #page(params: { after: number; id?: string[] }): Promise<ChangePage> {
		const answer = await this.#ask("listChanges", { ...params, per_page: pageRows, include: "row" });
		if (!("next" in answer)) throw new Error("the log of changes was answered as a list");
		return { changes: answer.data, next: answer.next };
	}
}
