/** Results of statements, kept for the same statement over the same extracts. Least recently used ones go first. */
import type { Loaded } from "./extracts/extracts.ts";

const limits = {
	/** Of all results together, in characters. */
	characters: 32 * 1024 * 1024,
	/** A statement may ask for the time, or for a random number (ms). */
	ageMs: 60_000,
};

interface Kept {
	json: string;
	/** What the statement ran over: another object as soon as any extract is another. */
	loaded: Loaded;
	at: number;
}

export class KeptResults {
	readonly #now: () => number;
	/** In order of use. */
	readonly #results = new Map<string, Kept>();
	#characters = 0;

	constructor(now: () => number = () => performance.now()) {
		this.#now = now;
	}

	get(key: string, loaded: Loaded): string | undefined {
		const kept = this.#results.get(key);
		if (kept === undefined) return undefined;
		this.#delete(key);
		if (kept.loaded !== loaded || this.#now() - kept.at >= limits.ageMs) return undefined;
		this.#add(key, kept);
		return kept.json;
	}

	set(key: string, json: string, loaded: Loaded): void {
		this.#delete(key);
		if (costOf(key, json) > limits.characters) return;
		this.#add(key, { json, loaded, at: this.#now() });
		for (const oldest of this.#results.keys()) {
			if (this.#characters <= limits.characters) return;
			this.#delete(oldest);
		}
	}

	#add(key: string, kept: Kept): void {
		this.#results.set(key, kept);
		this.#characters += costOf(key, kept.json);
	}

	#delete(key: string): void {
		const kept = this.#results.get(key);
		if (kept === undefined) return;
		this.#results.delete(key);
		this.#characters -= costOf(key, kept.json);
	}
}

const costOf = (key: string, json: string): number => key.length + json.length;
