/** Named work whose result several callers wait for. It is stopped when the last of them disconnects. */
import { untilAborted } from "#libs/contract/within.ts";

interface Work<T> {
	result: Promise<T>;
	stop: AbortController;
	waiting: number;
}

export class SharedWork<T> {
	readonly #all = new Map<string, Work<T>>();

	has(name: string): boolean {
		return this.#all.has(name);
	}

	/**
	 * Waits for the work of that name, which it begins if necessary. Settles like the work, or rejects with the reason of `signal` if that fires
	 * first. `begin` receives a signal that fires when no caller waits any longer.
	 */
	async join(name: string, signal: AbortSignal, begin: (signal: AbortSignal) => Promise<T>): Promise<T> {
		signal.throwIfAborted();
		const work = this.#all.get(name) ?? this.#begin(name, begin);
		work.waiting++;
		try {
			return await untilAborted(work.result, signal);
		} finally {
			work.waiting--;
			if (work.waiting === 0 && signal.aborted) {
				this.#end(name, work);
				work.stop.abort(signal.reason);
			}
		}
	}

	#begin(name: string, begin: (signal: AbortSignal) => Promise<T>): Work<T> {
		const stop = new AbortController();
		const work: Work<T> = { result: begin(stop.signal), stop, waiting: 0 };
		this.#all.set(name, work);
		const end = () => this.#end(name, work);
		work.result.then(end, end);
		return work;
	}

	/** Does nothing if new work of the same name has begun, which can happen before stopped work settles. */
	#end(name: string, work: Work<T>): void {
		if (this.#all.get(name) === work) this.#all.delete(name);
	}
}
