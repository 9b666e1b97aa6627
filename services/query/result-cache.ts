/** Cached results of statements, by statement and extracts. The least recently used are evicted first. */
import { LRUCache } from "lru-cache";
import type { Loaded } from "./extracts/extracts.ts";

const limits = {
	/** All results together, with their keys. */
	bytes: 32 * 1024 * 1024,
	/** Bounded, because a statement may contain the time or a random number (ms). */
	ageMs: 60_000,
};

export interface Result {
	json: Buffer;
	headers?: Record<string, string>;
}

interface Entry {
	result: Result;
	/** The extracts that the statement read, compared by identity: an object never changes. */
	loaded: Loaded;
}

export class ResultCache {
	readonly #results: LRUCache<string, Entry>;

	/** @param now a monotonic clock (ms), above 0. */
	constructor(now: () => number = () => performance.now()) {
		this.#results = new LRUCache({
			maxSize: limits.bytes,
			sizeCalculation: ({ result }, key) => key.length + result.json.length,
			// lru-cache keeps an entry whose age equals the ttl.
			ttl: limits.ageMs - 1,
			ttlResolution: 0,
			perf: { now },
		});
	}

	get(key: string, loaded: Loaded): Result | undefined {
		const entry = this.#results.get(key);
		return entry?.loaded === loaded ? entry.result : undefined;
	}

	set(key: string, result: Result, loaded: Loaded): void {
		this.#results.set(key, { result, loaded });
	}
}
