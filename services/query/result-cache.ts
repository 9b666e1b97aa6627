/** Cached results of statements, by statement and extracts. The least recently used are evicted first. */
import { LRUCache } from "lru-cache";
import type { Loaded } from "./extracts/extracts.ts";

const limits = {
	/** All results together, with their keys. */
	bytes: 32 * 1024 * 1024,
	/** Bounded, because a statement may call for the time or a random number (ms). */
	ageMs: 60_000,
};

export interface Result {
	json: Buffer;
	headers?: Record<string, string>;
}

interface Entry {
	result: Result;
	/** The extracts that the statement read; another object as soon as any of them changes. */
	loaded: Loaded;
}

export class ResultCache {
	readonly #results: LRUCache<string, Entry>;

	/** @param now a monotonic clock (ms), above 0. */
	constructor(now: () => number = () => performance.now()) {
		this.#results = new LRUCache({
			maxSize: limits.bytes,
			sizeCalculation: ({ result }, key) => key.length + result.json.length,
			// An entry is stale only when it is older than its ttl.
			ttl: limits.ageMs - 1,
			ttlResolution: 0,
			perf: { now },
		});
	}

	get(key: string, loaded: Loaded): Result | undefined {
		const kept = this.#results.get(key);
		return kept?.loaded === loaded ? kept.result : undefined;
	}

	set(key: string, result: Result, loaded: Loaded): void {
		this.#results.set(key, { result, loaded });
	}
}
