/**
 * Spares requests the wait for something that does not answer: after a failure it is not called for a while, then one request tries.
 * While the tries fail, the while doubles. Calls that were under way when it opened have no say any more: a hundred that fail
 * together are one failure.
 */
export interface BreakerOptions {
	/** Wall clock (ms); one that is put back ends the wait. */
	now: () => number;
	firstMs?: number;
	longestMs?: number;
}

/** To be handed back with the outcome of the call. */
export type Pass = number;

export class Breaker {
	readonly #now: () => number;
	readonly #firstMs: number;
	readonly #longestMs: number;
	#pass: Pass = 0;
	/** Undefined while it is closed. */
	#openedAt: number | undefined;
	#waitMs = 0;
	#trying = false;

	constructor({ now, firstMs = 1_000, longestMs = 10_000 }: BreakerOptions) {
		this.#now = now;
		this.#firstMs = firstMs;
		this.#longestMs = longestMs;
	}

	get open(): boolean {
		return this.#openedAt !== undefined;
	}

	/** Whether `enter` would give a pass. */
	get allows(): boolean {
		if (this.#openedAt === undefined) return true;
		const elapsedMs = this.#now() - this.#openedAt;
		return !this.#trying && (elapsedMs < 0 || elapsedMs >= this.#waitMs);
	}

	/** A pass for one call now, which must report its outcome; undefined: do not call. */
	enter(): Pass | undefined {
		if (!this.allows) return undefined;
		this.#trying = this.open;
		return this.#pass;
	}

	succeeded(pass: Pass): void {
		if (pass !== this.#pass) return;
		this.#openedAt = undefined;
		this.#waitMs = 0;
		this.#trying = false;
	}

	failed(pass: Pass): void {
		if (pass !== this.#pass) return;
		this.#pass++;
		this.#openedAt = this.#now();
		this.#waitMs = this.#waitMs === 0 ? this.#firstMs : Math.min(this.#waitMs * 2, this.#longestMs);
		this.#trying = false;
	}

	/** There is a sign of life: the next call may try at once. */
	retry(): void {
		if (this.#openedAt !== undefined) this.#openedAt = Number.NEGATIVE_INFINITY;
	}
}
