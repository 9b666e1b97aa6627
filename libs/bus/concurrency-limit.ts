import { within } from "#libs/contract/within.ts";

export class ConcurrencyLimit {
	readonly #maxHeld: number;
	#held = 0;
	#waiting: (() => void)[] = [];

	constructor(maxHeld: number) {
		this.#maxHeld = maxHeld;
	}

	get held(): number {
		return this.#held;
	}

	/** Takes a slot. Returns false at once if none is free. */
	acquire(): boolean {
		if (this.#held >= this.#maxHeld) return false;
		this.#held++;
		return true;
	}

	release(): void {
		this.#held--;
		if (this.#held > 0) return;
		for (const resolve of this.#waiting.splice(0)) resolve();
	}

	/** Waits until no slot is held. Returns false if a slot is still held after `ms`. */
	async waitUntilIdle(ms: number): Promise<boolean> {
		if (this.#held === 0) return true;
		const { promise, resolve } = Promise.withResolvers<void>();
		this.#waiting.push(resolve);
		await within(promise, ms);
		return this.#held === 0;
	}
}
