/** The weighted items of a pool by the caller that holds them, to limit a caller's share and to find the caller that holds most. */

import type { FastifyRequest } from "fastify";
import { keyOf, type QueueCaller, Shares } from "#libs/service/fair-queue.ts";
import { requestAddress } from "../callers/addresses.ts";

interface Entry {
	caller: QueueCaller;
	weight: number;
}

export class SharedPool<T extends object> {
	readonly #entries = new Map<T, Entry>();
	/** By caller, oldest first. */
	readonly #byCaller = new Map<string, Set<T>>();
	readonly #weights = new Shares();
	#weight = 0;

	get size(): number {
		return this.#entries.size;
	}

	get weight(): number {
		return this.#weight;
	}

	add(thing: T, caller: QueueCaller, weight = 1): void {
		this.#entries.set(thing, { caller, weight });
		const key = keyOf(caller);
		const own = this.#byCaller.get(key) ?? new Set();
		this.#byCaller.set(key, own.add(thing));
		this.#weigh(caller, weight);
	}

	delete(thing: T): void {
		const entry = this.#entries.get(thing);
		if (entry === undefined) return;
		this.#entries.delete(thing);
		const key = keyOf(entry.caller);
		const own = this.#byCaller.get(key);
		own?.delete(thing);
		if (own?.size === 0) this.#byCaller.delete(key);
		this.#weigh(entry.caller, -entry.weight);
	}

	/** Makes the thing the newest of its caller and of the pool. */
	renew(thing: T): void {
		const entry = this.#entries.get(thing);
		if (entry === undefined) return;
		const own = this.#byCaller.get(keyOf(entry.caller));
		own?.delete(thing);
		own?.add(thing);
		this.#entries.delete(thing);
		this.#entries.set(thing, entry);
	}

	/** Weight of the caller's account or of its address, whichever is more. */
	weightOf(caller: QueueCaller): number {
		return this.#weights.most(caller);
	}

	/** The caller's things, oldest first. */
	of(caller: QueueCaller): ReadonlySet<T> {
		return this.#byCaller.get(keyOf(caller)) ?? new Set();
	}

	/** Things of the caller that holds most, among identified callers only if `named`. */
	ofMost({ named }: { named: boolean }): ReadonlySet<T> {
		let most: ReadonlySet<T> = new Set();
		for (const [key, own] of this.#byCaller) if (own.size > most.size && !(named && key === "")) most = own;
		return most;
	}

	all(): Iterable<T> {
		return this.#entries.keys();
	}

	callerOf(thing: T): QueueCaller | undefined {
		return this.#entries.get(thing)?.caller;
	}

	#weigh(caller: QueueCaller, by: number): void {
		this.#weight += by;
		this.#weights.addForCaller(caller, by);
	}
}

/** The callers of authorized requests. */
const callers = new WeakMap<FastifyRequest, QueueCaller>();

export const setCaller = (request: FastifyRequest, caller: QueueCaller): void => void callers.set(request, caller);

/** The caller that a request's share is counted under: its account, as soon as that is known, and its address. */
export const callerOfRequest = (request: FastifyRequest): QueueCaller => callers.get(request) ?? addressCaller(request);

/** All callers on this machine have one address, so they are not counted by it. */
function addressCaller(request: FastifyRequest): QueueCaller {
	const { address, loopback } = requestAddress(request);
	return loopback ? {} : { address };
}
