import { within } from "#libs/contract/within.ts";

/** A bound on how much is done at once. */
export class ConcurrencyLimit {
	readonly #most: number;
	#held = 0;
	#waiting: (() => void)[] = [];

	constructor(most: number) {
		this.#most = most;
	}

	get held(): number {
		return this.#held;
	}

	/** Takes a slot. Returns false when there is none: nothing waits for one. */
	acquire(): boolean {
		if (this.#held >= this.#most) return false;
		this.#held++;
		return true;
	}

	release(): void {
		this.#held--;
		if (this.#held > 0) return;
		for (const resolve of this.#waiting.splice(0)) resolve();
	}

	/** Resolves when no slot is held, with true; or with false after `ms`. */
	async idle(ms: number): Promise<boolean> {
		if (this.#held === 0) return true;
		const { promise, resolve } = Promise.withResolvers<void>();
		this.#waiting.push(resolve);
		await within(promise, ms);
		return this.#held === 0;
	}
}
