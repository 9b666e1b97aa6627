/** Results of statements, kept for the same statement over the same extracts. Least recently used ones go first. */
import type { Loaded } from "./extracts/extracts.ts";

const limits = {
	/** Of all results together, with their keys. */
	bytes: 32 * 1024 * 1024,
	/** A statement may ask for the time, or for a random number (ms). */
	ageMs: 60_000,
};

/** What a statement is answered with. */
export interface Result {
	json: Buffer;
	headers?: Record<string, string>;
}

interface Kept {
	result: Result;
	/** What the statement ran over: another object as soon as any extract is another. */
	loaded: Loaded;
	at: number;
}

export class KeptResults {
	readonly #now: () => number;
	/** In order of use. */
	readonly #results = new Map<string, Kept>();
	#bytes = 0;

	constructor(now: () => number = () => performance.now()) {
		this.#now = now;
	}

	get(key: string, loaded: Loaded): Result | undefined {
		const kept = this.#results.get(key);
		if (kept === undefined) return undefined;
		this.#delete(key);
		if (kept.loaded !== loaded || this.#now() - kept.at >= limits.ageMs) return undefined;
		this.#add(key, kept);
		return kept.result;
	}

	set(key: string, result: Result, loaded: Loaded): void {
		this.#delete(key);
		if (costOf(key, result) > limits.bytes) return;
		this.#add(key, { result, loaded, at: this.#now() });
		for (const oldest of this.#results.keys()) {
			if (this.#bytes <= limits.bytes) return;
			this.#delete(oldest);
		}
	}

	#add(key: string, kept: Kept): void {
		this.#results.set(key, kept);
		this.#bytes += costOf(key, kept.result);
	}

	#delete(key: string): void {
		const kept = this.#results.get(key);
		if (kept === undefined) return;
		this.#results.delete(key);
		this.#bytes -= costOf(key, kept.result);
	}
}

const costOf = (key: string, { json }: Result): number => key.length + json.length;
