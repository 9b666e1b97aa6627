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
			let timer: NodeJS.Timeout | undefined;
			await new Promise<void>((resolve) => {
				this.#wake = resolve;
				timer = setTimeout(resolve, ms);
			});
			clearTimeout(timer);
			this.#wake = undefined;
		}
		const called = this.#called;
		this.#called = false;
		return called;
	}
}

/** Grows from `firstMs` by doubling up to `mostMs`. `attempt` counts from 1. */
export const backoffMs = (attempt: number, firstMs: number, mostMs: number): number =>
	Math.min(mostMs, firstMs * 2 ** Math.min(attempt - 1, 30));
