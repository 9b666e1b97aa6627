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

	/** False when it is full: what cannot be started soon is better refused at once than kept waiting. */
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

	/** Resolves when no slot is held, or after `ms`. Answers whether that was so. */
	async idle(ms: number): Promise<boolean> {
		if (this.#held === 0) return true;
		let timer: NodeJS.Timeout | undefined;
		await new Promise<void>((resolve) => {
			this.#waiting.push(resolve);
			timer = setTimeout(resolve, ms);
		});
		clearTimeout(timer);
		return this.#held === 0;
	}
}
