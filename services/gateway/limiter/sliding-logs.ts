/**
 * Exact sliding windows in memory: when each of the last requests was admitted, by subject. Bounded in subjects and in moments; the
 * least recently used subject is evicted.
 */
export interface SlidingLogsOptions {
	maxSubjects?: number;
	/** Of all subjects together; 8 bytes each. */
	maxMoments?: number;
}

export class SlidingLogs {
	readonly #maxSubjects: number;
	readonly #maxMoments: number;
	/** Moments in ascending order (ms), by subject; the least recently used subject first. */
	readonly #logs = new Map<string, number[]>();
	#moments = 0;

	constructor({ maxSubjects = 50_000, maxMoments = 5_000_000 }: SlidingLogsOptions = {}) {
		this.#maxSubjects = maxSubjects;
		this.#maxMoments = maxMoments;
	}

	get subjects(): number {
		return this.#logs.size;
	}

	/** How many were admitted in the window that ends now, and when there is room for one more than now (ms). */
	look(key: string, limit: number, windowMs: number, nowMs: number): { taken: number; resetMs: number } {
		const log = this.#logs.get(key);
		if (log === undefined) return { taken: 0, resetMs: windowMs };
		const at = this.#use(key, log, windowMs, nowMs);
		// After a limit was lowered, several have to leave before there is room.
		const next = log[Math.max(0, log.length - limit)];
		return { taken: log.length, resetMs: next === undefined ? windowMs : next + windowMs - at };
	}

	record(key: string, windowMs: number, nowMs: number): void {
		const log = this.#logs.get(key) ?? [];
		log.push(this.#use(key, log, windowMs, nowMs));
		this.#moments++;
		if (!this.#isFull) return;
		for (const [oldest, { length }] of this.#logs) {
			this.#logs.delete(oldest);
			this.#moments -= length;
			if (!this.#isFull) return;
		}
	}

	get #isFull(): boolean {
		const { size } = this.#logs;
		return size > this.#maxSubjects || (this.#moments > this.#maxMoments && size > 1);
	}

	/** Removes what has left the window. Returns the time in this log: while a clock is put back, it stands still. */
	#use(key: string, log: number[], windowMs: number, nowMs: number): number {
		this.#logs.delete(key);
		this.#logs.set(key, log);
		const newest = log.at(-1) ?? nowMs;
		// After a clock was put back by more than a window, standing still would refuse for longer than anything was promised.
		const isFar = newest - nowMs > windowMs;
		const at = isFar ? nowMs : Math.max(nowMs, newest);
		for (let [oldest] = log; oldest !== undefined && (isFar || oldest <= at - windowMs); [oldest] = log) {
			log.shift();
			this.#moments--;
		}
		return at;
	}
}
