/** Counts and decisions of this process, without other replicas: exact sliding windows, and the last known count of each period. */
import { LRUCache } from "lru-cache";
import type { CountedPeriod, LimitRequest, Outcome } from "./limits.ts";

interface Count {
	used: number;
	requestedAt: number;
	/** Redis did not respond, so its count may differ. */
	isUncertain: boolean;
}

export class Memory {
	readonly #logs: SlidingLogs;
	readonly #counts: LRUCache<string, Count>;

	constructor({ maxSubjects }: { maxSubjects: number }) {
		this.#logs = new SlidingLogs({ maxSubjects });
		this.#counts = new LRUCache({ max: maxSubjects });
	}

	/** Decides, and counts the request if it is allowed. `limit`: the window's limit, or this process's share of it. */
	take(request: LimitRequest, limit: number | null): Outcome {
		const outcome = this.check(request, limit);
		if (outcome.outcome !== "taken") return outcome;
		if (limit !== null) this.#logs.record(logKey(request), request.windowSeconds * 1000, request.atMs);
		this.add(request, request.queries);
		return { ...outcome, taken: outcome.taken + 1, used: this.used(request) };
	}

	check(request: LimitRequest, limit: number | null): Outcome {
		const used = this.used(request);
		const { taken, resetMs } =
			limit === null
				? { taken: 0, resetMs: 0 }
				: this.#logs.check(logKey(request), limit, request.windowSeconds * 1000, request.atMs);
		const isUsedUp = request.periodLimit !== null && used !== undefined && used >= request.periodLimit;
		const isFull = limit !== null && taken >= limit;
		return { outcome: isUsedUp ? "month" : isFull ? "minute" : "taken", taken, limit: limit ?? 0, resetMs, used };
	}

	/** Records a decision of Redis, so that decisions in memory include it if Redis becomes unavailable. */
	recordDecision(request: LimitRequest, { outcome, used }: Outcome): void {
		if (outcome === "taken" && request.limit !== null)
			this.#logs.record(logKey(request), request.windowSeconds * 1000, request.atMs);
		if (used !== undefined) this.#set(request, used, request.atMs);
	}

	used(counted: CountedPeriod): number | undefined {
		return this.#of(counted)?.used;
	}

	age(request: LimitRequest): number | undefined {
		const count = this.#of(request);
		return count && Math.abs(request.atMs - count.requestedAt);
	}

	/** Raises the count to the ledger's. It never lowers it, because the ledger lags behind the requests that this process has just allowed. */
	raise(request: LimitRequest, used: number): void {
		this.#set(request, Math.max(used, this.used(request) ?? 0), request.atMs);
	}

	/** Does nothing if the count is unknown. */
	add(counted: CountedPeriod, queries: number): void {
		const count = this.#of(counted);
		if (count !== undefined) count.used = Math.max(0, count.used + queries);
	}

	isUncertain(counted: CountedPeriod): boolean {
		return this.#of(counted)?.isUncertain ?? false;
	}

	setUncertain(counted: CountedPeriod, isUncertain: boolean): void {
		const count = this.#of(counted);
		if (count !== undefined) count.isUncertain = isUncertain;
	}

	#of({ subject, period }: CountedPeriod): Count | undefined {
		return period && this.#counts.get(`${subject} ${period.name}`);
	}

	#set(counted: CountedPeriod, used: number, requestedAt: number): void {
		const { subject, period } = counted;
		if (period === undefined) return;
		this.#counts.set(`${subject} ${period.name}`, { used, requestedAt, isUncertain: this.isUncertain(counted) });
	}
}

const logKey = ({ subject, windowSeconds }: LimitRequest) => `${subject} ${windowSeconds}`;

export interface SlidingLogsOptions {
	maxSubjects?: number;
	/** Maximum number of times (8 bytes each), for all subjects together. */
	maxTimes?: number;
}

/**
 * Exact sliding windows in memory: the times of allowed requests by subject. Bounded in subjects and times; the least recently used subject
 * is evicted.
 */
export class SlidingLogs {
	readonly #maxSubjects: number;
	readonly #maxTimes: number;
	/** Times in ascending order (ms), by subject; the least recently used subject first. */
	readonly #logs = new Map<string, number[]>();
	#timeCount = 0;

	constructor({ maxSubjects = 50_000, maxTimes = 5_000_000 }: SlidingLogsOptions = {}) {
		this.#maxSubjects = maxSubjects;
		this.#maxTimes = maxTimes;
	}

	get subjects(): number {
		return this.#logs.size;
	}

	check(key: string, limit: number, windowMs: number, nowMs: number): { taken: number; resetMs: number } {
		const log = this.#logs.get(key);
		if (log === undefined) return { taken: 0, resetMs: windowMs };
		const at = this.#use(key, log, windowMs, nowMs);
		// If the limit was lowered, several requests must leave the window before another one is allowed.
		const next = log[Math.max(0, log.length - limit)];
		return { taken: log.length, resetMs: next === undefined ? windowMs : next + windowMs - at };
	}

	record(key: string, windowMs: number, nowMs: number): void {
		const log = this.#logs.get(key) ?? [];
		log.push(this.#use(key, log, windowMs, nowMs));
		this.#timeCount++;
		if (!this.#isFull) return;
		for (const [oldest, { length }] of this.#logs) {
			this.#logs.delete(oldest);
			this.#timeCount -= length;
			if (!this.#isFull) return;
		}
	}

	get #isFull(): boolean {
		const { size } = this.#logs;
		return size > this.#maxSubjects || (this.#timeCount > this.#maxTimes && size > 1);
	}

	/** Removes times that have left the window. @returns the current time of the log, which never goes back, even if the clock does */
	#use(key: string, log: number[], windowMs: number, nowMs: number): number {
		this.#logs.delete(key);
		this.#logs.set(key, log);
		const newest = log.at(-1) ?? nowMs;
		// If the clock went back by more than a window, the log is emptied, because it would otherwise refuse requests for too long.
		const isFar = newest - nowMs > windowMs;
		const at = isFar ? nowMs : Math.max(nowMs, newest);
		for (let [oldest] = log; oldest !== undefined && (isFar || oldest <= at - windowMs); [oldest] = log) {
			log.shift();
			this.#timeCount--;
		}
		return at;
	}
}
