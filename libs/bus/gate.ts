/** A bound on how much is done at once. */

export class Gate {
	readonly #most: number;
	#inside = 0;
	#emptied: (() => void)[] = [];

	constructor(most: number) {
		this.#most = most;
	}

	get inside(): number {
		return this.#inside;
	}

	/** False when it is full: what cannot be started soon is better refused at once than kept waiting. */
	enter(): boolean {
		if (this.#inside >= this.#most) return false;
		this.#inside++;
		return true;
	}

	leave(): void {
		this.#inside--;
		if (this.#inside > 0) return;
		for (const resolve of this.#emptied.splice(0)) resolve();
	}

	/** Resolves when no call is inside, or after `ms`. Answers whether it emptied. */
	async emptied(ms: number): Promise<boolean> {
		if (this.#inside === 0) return true;
		let timer: NodeJS.Timeout | undefined;
		await new Promise<void>((resolve) => {
			this.#emptied.push(resolve);
			timer = setTimeout(resolve, ms);
		});
		clearTimeout(timer);
		return this.#inside === 0;
	}
}
