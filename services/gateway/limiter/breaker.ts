/**
 * Circuit breaker. After a failure no call is made for a while, then a single call is tried; each failed trial doubles the wait. Outcomes of
 * calls that began before it opened are ignored, so that concurrent failures count once.
 */

/** Wait after the first failure. */
const firstWaitMs = 1_000;
const maxWaitMs = 10_000;

/** Permission for one call. It is passed back with the outcome of the call. */
export type Pass = number;

export class Breaker {
	readonly #now: () => number;
	#pass: Pass = 0;
	#openedAt: number | undefined;
	#waitMs = 0;
	#trying = false;

	constructor({ now }: { now: () => number }) {
		this.#now = now;
	}

	get open(): boolean {
		return this.#openedAt !== undefined;
	}

	/** Whether `enter` would return a pass. */
	get allows(): boolean {
		if (this.#openedAt === undefined) return true;
		const elapsedMs = this.#now() - this.#openedAt;
		return !this.#trying && (elapsedMs < 0 || elapsedMs >= this.#waitMs);
	}

	/** Returns a pass for one call, whose outcome must be reported, or undefined if no call may be made. */
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
		this.#waitMs = this.#waitMs === 0 ? firstWaitMs : Math.min(this.#waitMs * 2, maxWaitMs);
		this.#trying = false;
	}

	/** Allows a trial call at once. */
	retry(): void {
		if (this.#openedAt !== undefined) this.#openedAt = Number.NEGATIVE_INFINITY;
	}
}
