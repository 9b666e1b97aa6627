/** Work that several callers wait for. It is stopped when the last of them has gone. */

export class SharedWork<T> {
	readonly #result: Promise<T>;
	readonly #stop = new AbortController();
	#waiting = 0;

	/** `work` begins at once; its signal fires when no caller waits any more. `ended` is called once, also when it is stopped. */
	constructor(work: (signal: AbortSignal) => Promise<T>, ended: () => void) {
		this.#result = work(this.#stop.signal);
		this.#stop.signal.addEventListener("abort", ended, { once: true });
		this.#result.then(
			() => !this.#stop.signal.aborted && ended(),
			() => !this.#stop.signal.aborted && ended(),
		);
	}

	/** Settles as the work does, or rejects with the signal's reason when that fires first. */
	join(signal: AbortSignal): Promise<T> {
		this.#waiting++;
		return new Promise<T>((resolve, reject) => {
			const leave = () => reject(signal.reason);
			if (signal.aborted) leave();
			signal.addEventListener("abort", leave, { once: true });
			this.#result.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
		}).finally(() => {
			this.#waiting--;
			if (this.#waiting === 0 && signal.aborted) this.#stop.abort(signal.reason);
		});
	}
}
