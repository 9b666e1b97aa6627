/** What this process knows and decides by itself: when it allowed requests of each subject, and what Redis and the ledger answered about the subject's month. */
import type { Ask, Outcome } from "./ask.ts";
import { MonthCounts } from "./month-counts.ts";
import { SlidingLogs } from "./sliding-logs.ts";

export interface MemoryOptions {
	/** Bound of subjects. */
	maxSubjects?: number;
}

export class Memory {
	readonly #logs: SlidingLogs;
	readonly #counts: MonthCounts;

	constructor({ maxSubjects = 50_000 }: MemoryOptions = {}) {
		this.#logs = new SlidingLogs({ maxSubjects });
		this.#counts = new MonthCounts(maxSubjects);
	}

	/** Decides, and takes when it lets in. `limit`: of the window, or this process's share of it. */
	take(ask: Ask, limit: number | null): Outcome {
		const outcome = this.look(ask, limit);
		if (outcome.outcome !== "taken") return outcome;
		if (limit !== null) this.#logs.record(logKey(ask), ask.windowSeconds * 1000, ask.atMs);
		if (ask.month !== undefined) this.#counts.add(ask.subject, ask.month.name, 1);
		return { ...outcome, taken: outcome.taken + 1, used: this.used(ask) };
	}

	/** Decides without taking. */
	look(ask: Ask, limit: number | null): Outcome {
		const used = this.used(ask);
		const { taken, resetMs } =
			limit === null
				? { taken: 0, resetMs: 0 }
				: this.#logs.look(logKey(ask), limit, ask.windowSeconds * 1000, ask.atMs);
		const generation = ask.month && this.#counts.generation(ask.subject, ask.month.name);
		const isUsedUp = ask.monthly !== null && used !== undefined && used >= ask.monthly;
		const isFull = limit !== null && taken >= limit;
		return {
			outcome: isUsedUp ? "month" : isFull ? "minute" : "taken",
			taken,
			limit: limit ?? 0,
			resetMs,
			used,
			generation,
		};
	}

	/** Redis has decided: what it let in here is known when it is away, and then is not let in again. */
	learn(ask: Ask, { outcome, used, generation }: Outcome): void {
		if (outcome === "taken" && ask.limit !== null) {
			this.#logs.record(logKey(ask), ask.windowSeconds * 1000, ask.atMs);
		}
		if (ask.month !== undefined && used !== undefined) {
			this.#counts.replace(ask.subject, ask.month.name, { used, generation }, ask.atMs);
		}
	}

	used({ subject, month }: Pick<Ask, "subject" | "month">): number | undefined {
		return month && this.#counts.used(subject, month.name);
	}

	/** How old that number is (ms); undefined when there is none. */
	age({ subject, month, atMs }: Ask): number | undefined {
		return month && this.#counts.age(subject, month.name, atMs);
	}

	/** What the ledger says. */
	raise({ subject, month, atMs }: Ask, used: number): void {
		if (month !== undefined) this.#counts.raise(subject, month.name, used, atMs);
	}

	/** Answers in which of Redis' counters it was counted, as far as known. */
	add(subject: string, month: string, requests: number): number | undefined {
		this.#counts.add(subject, month, requests);
		return this.#counts.generation(subject, month);
	}
}

const logKey = ({ subject, windowSeconds }: Ask) => `${subject} ${windowSeconds}`;
