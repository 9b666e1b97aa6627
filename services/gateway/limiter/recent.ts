/** A map of bounded size: what was used longest ago is forgotten first. */
export class Recent<V> {
	readonly #max: number;
	readonly #forgotten: (value: V) => void;
	/** In order of use: a Map iterates in order of insertion, and each use inserts anew. */
	readonly #values = new Map<string, V>();

	/** `forgotten` is called with each value that is evicted. */
	constructor(max: number, forgotten: (value: V) => void = () => {}) {
		this.#max = max;
		this.#forgotten = forgotten;
	}

	get size(): number {
		return this.#values.size;
	}

	get(key: string): V | undefined {
		const value = this.#values.get(key);
		if (value === undefined) return undefined;
		this.#values.delete(key);
		this.#values.set(key, value);
		return value;
	}

	set(key: string, value: V): void {
		this.#values.delete(key);
		this.#values.set(key, value);
		if (this.#values.size > this.#max) this.forgetOldest();
	}

	forgetOldest(): void {
		for (const [key, value] of this.#values) {
			this.#values.delete(key);
			this.#forgotten(value);
			return;
		}
	}
}
