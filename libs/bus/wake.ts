import { within } from "#libs/contract/within.ts";

/** Wakes one sleeper. A call while none sleeps wakes the next one at once, so no call is lost. */
export class Wake {
	#called = false;
	#wake: (() => void) | undefined;

	call(): void {
		this.#called = true;
		this.#wake?.();
	}

	/** Sleeps until called, but no longer than `ms`. Returns whether it was called. */
	async sleep(ms: number): Promise<boolean> {
		if (!this.#called) {
			const { promise, resolve } = Promise.withResolvers<void>();
			this.#wake = resolve;
			await within(promise, ms);
			this.#wake = undefined;
		}
		const called = this.#called;
		this.#called = false;
		return called;
	}
}

/** Doubles with each attempt, from `firstMs` to `mostMs`. `attempt` counts from 1. */
export const backoffMs = (attempt: number, firstMs: number, mostMs: number): number =>
	Math.min(mostMs, firstMs * 2 ** Math.min(attempt - 1, 30));
