import { within } from "#libs/contract/within.ts";

/** Wakes one sleeper. If none is sleeping, the next `sleep` returns at once, so no call is lost. */
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

/** Pause before a retry (ms), which doubles with each attempt from `firstMs` to `maxMs`. `attempt` counts from 1. */
export const backoffMs = (attempt: number, firstMs: number, maxMs: number): number =>
	Math.min(maxMs, firstMs * 2 ** Math.min(attempt - 1, 30));
