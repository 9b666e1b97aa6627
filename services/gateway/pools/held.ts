/** A pool's items with their weights, by the caller that holds them. It shows each caller's share, and the caller that holds the most items. */

import type { FastifyRequest } from "fastify";
import { keyOf, type QueueCaller, Shares } from "#libs/service/fair-queue.ts";
import { requestAddress } from "../callers/addresses.ts";

interface Entry {
	caller: QueueCaller;
	weight: number;
}

export class SharedPool<T extends object> {
	readonly #entries = new Map<T, Entry>();
	/** Items by caller, oldest first. */
	readonly #byCaller = new Map<string, Set<T>>();
	readonly #weights = new Shares();
	#weight = 0;

	get size(): number {
		return this.#entries.size;
	}

	get weight(): number {
		return this.#weight;
	}

	add(item: T, caller: QueueCaller, weight = 1): void {
		this.#entries.set(item, { caller, weight });
		const key = keyOf(caller);
		const items = this.#byCaller.get(key) ?? new Set();
		this.#byCaller.set(key, items.add(item));
		this.#weigh(caller, weight);
	}

	delete(item: T): void {
		const entry = this.#entries.get(item);
		if (entry === undefined) return;
		this.#entries.delete(item);
		const key = keyOf(entry.caller);
		const items = this.#byCaller.get(key);
		items?.delete(item);
		if (items?.size === 0) this.#byCaller.delete(key);
		this.#weigh(entry.caller, -entry.weight);
	}

	/** Marks the item as the newest of its caller and of the pool. */
	renew(item: T): void {
		const entry = this.#entries.get(item);
		if (entry === undefined) return;
		const items = this.#byCaller.get(keyOf(entry.caller));
		items?.delete(item);
		items?.add(item);
		this.#entries.delete(item);
		this.#entries.set(item, entry);
	}

	/** The weight of the items of the caller's account or address, whichever is more. */
	weightOf(caller: QueueCaller): number {
		return this.#weights.largestOf(caller);
	}

	/** The caller's items, oldest first. */
	of(caller: QueueCaller): ReadonlySet<T> {
		return this.#byCaller.get(keyOf(caller)) ?? new Set();
	}

	/** Items of the caller that holds the most; with `identified`, callers without an account or address are ignored. */
	ofLargestHolder({ identified }: { identified: boolean }): ReadonlySet<T> {
		let largest: ReadonlySet<T> = new Set();
		for (const [key, items] of this.#byCaller)
			if (items.size > largest.size && !(identified && key === "")) largest = items;
		return largest;
	}

	all(): Iterable<T> {
		return this.#entries.keys();
	}

	#weigh(caller: QueueCaller, by: number): void {
		this.#weight += by;
		this.#weights.addForCaller(caller, by);
	}
}

/** The callers of authorized requests. */
const callers = new WeakMap<FastifyRequest, QueueCaller>();

export const setCaller = (request: FastifyRequest, caller: QueueCaller): void => void callers.set(request, caller);

/** The caller whose share of a pool a request uses: its account, as soon as that is known, and its address. */
export const callerOfRequest = (request: FastifyRequest): QueueCaller => callers.get(request) ?? addressCaller(request);

/** Callers with a loopback address are not counted by it, because they all share it. */
function addressCaller(request: FastifyRequest): QueueCaller {
	const { address, loopback } = requestAddress(request);
	return loopback ? {} : { address };
}
