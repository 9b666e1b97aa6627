/**
 * Exact sliding windows in memory: when each of the last requests was admitted, subject by subject. Bounded in subjects and in
 * moments; who is forgotten begins anew.
 */
import { LRUCache } from "lru-cache";

export interface SlidingLogsOptions {
	maxSubjects?: number;
	/** Of all subjects together; 8 bytes each. */
	maxMoments?: number;
}

interface Log {
	/** Ascending (ms). Those before `first` have left the window. */
	moments: number[];
	first: number;
}

export class SlidingLogs {
	readonly #maxMoments: number;
	readonly #logs: LRUCache<string, Log>;
	#moments = 0;

	constructor({ maxSubjects = 50_000, maxMoments = 5_000_000 }: SlidingLogsOptions = {}) {
		this.#maxMoments = maxMoments;
		this.#logs = new LRUCache({
			max: maxSubjects,
			dispose: ({ moments }) => {
				this.#moments -= moments.length;
			},
		});
	}

	get subjects(): number {
		return this.#logs.size;
	}

	/** How many were admitted in the window that ends now, and when there is room for one more than now (ms). */
	look(key: string, limit: number, windowMs: number, nowMs: number): { taken: number; resetMs: number } {
		const log = this.#logs.get(key);
		if (log === undefined) return { taken: 0, resetMs: windowMs };
		const at = this.#leave(log, windowMs, nowMs);
		const taken = log.moments.length - log.first;
		// With a limit that was lowered, several have to leave before there is room.
		const next = log.moments[log.first + Math.max(0, taken - limit)];
		return { taken, resetMs: next === undefined ? windowMs : next + windowMs - at };
	}

	record(key: string, windowMs: number, nowMs: number): void {
		let log = this.#logs.get(key);
		if (log === undefined) {
			log = { moments: [], first: 0 };
			this.#logs.set(key, log);
		}
		log.moments.push(this.#leave(log, windowMs, nowMs));
		this.#moments++;
		while (this.#moments > this.#maxMoments && this.#logs.size > 1) this.#logs.pop();
	}

	/** Lets leave what is older than the window, and answers what time it is in this log: a clock that is put back stands still instead. */
	#leave(log: Log, windowMs: number, nowMs: number): number {
		const newest = log.moments.at(-1) ?? nowMs;
		if (newest - nowMs > windowMs) {
			// Put back by more than a window: waiting for it would refuse for longer than anything was promised.
			this.#moments -= log.moments.length;
			log.moments = [];
			log.first = 0;
			return nowMs;
		}
		const at = Math.max(nowMs, newest);
		for (;;) {
			const oldest = log.moments[log.first];
			if (oldest === undefined || oldest > at - windowMs) break;
			log.first++;
		}
		// Each moment is moved at most once for each that has left before it.
		if (log.first > 32 && log.first * 2 > log.moments.length) {
			this.#moments -= log.first;
			log.moments = log.moments.slice(log.first);
			log.first = 0;
		}
		return at;
	}
}
