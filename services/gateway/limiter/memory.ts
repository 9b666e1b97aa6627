/** What this process knows and decides by itself: when it admitted requests of each subject, and the last known count of the subject's period. */
import { LRUCache } from "lru-cache";
import type { Ask, Counted, Outcome } from "./ask.ts";
import { SlidingLogs } from "./sliding-logs.ts";

interface Count {
	used: number;
	/** When Redis or the ledger was asked last (ms). */
	askedAt: number;
	/** Redis may not have counted the same as this process, because it did not answer. */
	isUncertain: boolean;
}

export class Memory {
	readonly #logs: SlidingLogs;
	/** By subject and period. */
	readonly #counts: LRUCache<string, Count>;

	constructor({ maxSubjects }: { maxSubjects: number }) {
		this.#logs = new SlidingLogs({ maxSubjects });
		this.#counts = new LRUCache({ max: maxSubjects });
	}

	/** Decides, and counts if it admits. `limit`: of the window, or this process's share of it. */
	take(ask: Ask, limit: number | null): Outcome {
		const outcome = this.look(ask, limit);
		if (outcome.outcome !== "taken") return outcome;
		if (limit !== null) this.#logs.record(logKey(ask), ask.windowSeconds * 1000, ask.atMs);
		this.add(ask, ask.queries);
		return { ...outcome, taken: outcome.taken + 1, used: this.used(ask) };
	}

	/** Decides without counting. */
	look(ask: Ask, limit: number | null): Outcome {
		const used = this.used(ask);
		const { taken, resetMs } =
			limit === null
				? { taken: 0, resetMs: 0 }
				: this.#logs.look(logKey(ask), limit, ask.windowSeconds * 1000, ask.atMs);
		const isUsedUp = ask.monthly !== null && used !== undefined && used >= ask.monthly;
		const isFull = limit !== null && taken >= limit;
		return { outcome: isUsedUp ? "month" : isFull ? "minute" : "taken", taken, limit: limit ?? 0, resetMs, used };
	}

	/** Redis has decided: what it admitted here counts here too, for when it is away. */
	learn(ask: Ask, { outcome, used }: Outcome): void {
		if (outcome === "taken" && ask.limit !== null) this.#logs.record(logKey(ask), ask.windowSeconds * 1000, ask.atMs);
		if (used !== undefined) this.#set(ask, used, ask.atMs);
	}

	used(counted: Counted): number | undefined {
		return this.#of(counted)?.used;
	}

	/** How old that number is (ms); undefined when there is none. */
	age(ask: Ask): number | undefined {
		const count = this.#of(ask);
		return count && Math.abs(ask.atMs - count.askedAt);
	}

	/** The ledger's count. It lags behind what this process has just admitted: the larger number is nearer. */
	raise(ask: Ask, used: number): void {
		this.#set(ask, Math.max(used, this.used(ask) ?? 0), ask.atMs);
	}

	/** If nothing is known of the period, nothing is counted either. */
	add(counted: Counted, queries: number): void {
		const count = this.#of(counted);
		if (count !== undefined) count.used = Math.max(0, count.used + queries);
	}

	/** Whether the counter in Redis is to be replaced. */
	isUncertain(counted: Counted): boolean {
		return this.#of(counted)?.isUncertain ?? false;
	}

	setUncertain(counted: Counted, isUncertain: boolean): void {
		const count = this.#of(counted);
		if (count !== undefined) count.isUncertain = isUncertain;
	}

	#of({ subject, month }: Counted): Count | undefined {
		return month && this.#counts.get(`${subject} ${month.name}`);
	}

	#set(counted: Counted, used: number, askedAt: number): void {
		const { subject, month } = counted;
		if (month === undefined) return;
		this.#counts.set(`${subject} ${month.name}`, { used, askedAt, isUncertain: this.isUncertain(counted) });
	}
}

const logKey = ({ subject, windowSeconds }: Ask) => `${subject} ${windowSeconds}`;
