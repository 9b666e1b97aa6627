/** Results of statements, kept for the same statement over the same extracts. Least recently used ones go first. */
import { LRUCache } from "lru-cache";
import type { Loaded } from "./extracts/extracts.ts";

const limits = {
	/** All results together, with their keys. */
	bytes: 32 * 1024 * 1024,
	/** A statement may ask for the time, or for a random number (ms). */
	ageMs: 60_000,
};

export interface Result {
	json: Buffer;
	headers?: Record<string, string>;
}

interface Kept {
	result: Result;
	/** The extracts that the statement read; another object as soon as any of them changes. */
	loaded: Loaded;
}

export class KeptResults {
	readonly #results: LRUCache<string, Kept>;

	/** @param now a monotonic clock (ms), above 0. */
	constructor(now: () => number = () => performance.now()) {
		this.#results = new LRUCache({
			maxSize: limits.bytes,
			sizeCalculation: ({ result }, key) => key.length + result.json.length,
			// An entry is stale when it is older than its ttl, not as old.
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
