/** What is known in memory of subjects' months. A number here is never more than what was truly counted, so that no request is refused too early. */
import { LRUCache } from "lru-cache";

interface Count {
	month: string;
	used: number;
	/** Of the counter in Redis. */
	generation: number | undefined;
	/** When Redis or the ledger was asked last (ms). */
	askedAt: number;
}

export class MonthCounts {
	readonly #counts: LRUCache<string, Count>;

	constructor(maxSubjects = 50_000) {
		this.#counts = new LRUCache({ max: maxSubjects });
	}

	used(subject: string, month: string): number | undefined {
		return this.#of(subject, month)?.used;
	}

	/** Which counter in Redis was asked last. */
	generation(subject: string, month: string): number | undefined {
		return this.#of(subject, month)?.generation;
	}

	/** How long ago Redis or the ledger was asked (ms); undefined for a month that nothing is known of. */
	age(subject: string, month: string, nowMs: number): number | undefined {
		const count = this.#of(subject, month);
		return count && Math.abs(nowMs - count.askedAt);
	}

	/** Redis counts what every replica admits: its word replaces ours. */
	replace(
		subject: string,
		month: string,
		{ used, generation }: Pick<Count, "used" | "generation">,
		nowMs: number,
	): void {
		const count = this.#of(subject, month);
		if (count === undefined) this.#counts.set(subject, { month, used, generation, askedAt: nowMs });
		else Object.assign(count, { used, generation, askedAt: nowMs });
	}

	/** The ledger lags behind what this process has just admitted: the larger of both numbers is nearer. */
	raise(subject: string, month: string, used: number, nowMs: number): void {
		const { used: known = 0, generation } = this.#of(subject, month) ?? {};
		this.replace(subject, month, { used: Math.max(used, known), generation }, nowMs);
	}

	/** Of a month that nothing is known of, nothing is counted either. */
	add(subject: string, month: string, requests: number): void {
		const count = this.#of(subject, month);
		if (count !== undefined) count.used = Math.max(0, count.used + requests);
	}

	#of(subject: string, month: string): Count | undefined {
		const count = this.#counts.get(subject);
		return count?.month === month ? count : undefined;
	}
}
