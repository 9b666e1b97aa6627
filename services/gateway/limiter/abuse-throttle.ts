/** Bounds what an address, or a payer, can have of us for nothing: prices, refused payments, unknown keys, work whose payment is not settled. */
import { LRUCache } from "lru-cache";
import type { Decision, Limiter } from "./limiter.ts";
import { tooMany } from "./rate-headers.ts";

/** Counted apart: asking for prices must not keep anybody from paying, nor a neighbour's mistakes from either. */
export type Violation = "price" | "payment" | "key" | "failure";

export interface AbuseThrottle {
	/** @throws AppError 429 for an address that has had its share. Decided in memory. */
	check(violation: Violation, address: string): void;
	/** @throws AppError 429 when it was one too many. */
	count(violation: Violation, address: string): Promise<void>;
}

const names: Record<Violation, string> = {
	price: "requests without a payment from this address",
	payment: "payments from this address that paid for nothing",
	key: "unknown keys from this address",
	failure: "paid requests that failed after they were worked on",
};

/** Of one address, or one payer: beyond it the next is refused before anything is done. What fails is not charged. */
export const failuresPerMinute = 5;

/** Most addresses that are known to be blocked; beyond it the least recently seen one is evicted. */
const capacity = 50_000;

export function openAbuseThrottle(limiter: Limiter, perMinute: number, ticks = () => performance.now()): AbuseThrottle {
	/** Until when (monotonic ms), and by which decision. */
	const blocked = new LRUCache<string, { until: number; decision: Decision }>({ max: capacity });
	return {
		check(violation, address) {
			const found = blocked.get(`${violation}:${address}`);
			if (found === undefined) return;
			const resetSeconds = Math.ceil((found.until - ticks()) / 1000);
			if (resetSeconds <= 0 || found.decision.minute === undefined) blocked.delete(`${violation}:${address}`);
			else throw tooMany({ ...found.decision, minute: { ...found.decision.minute, resetSeconds } }, names[violation]);
		},
		async count(violation, address) {
			const subject = `${violation}:${address}`;
			// The last that is allowed is the one after which the next is refused.
			const most = violation === "failure" ? failuresPerMinute - 1 : perMinute;
			const taken = await limiter.take(subject, { perMinute: most, monthlyQueries: null }, false);
			if (taken.allowed) return;
			// The caller is told how many may fail, not after how many the next is refused.
			const limit = violation === "failure" ? failuresPerMinute : perMinute;
			const decision = { ...taken, ...(taken.minute && { minute: { ...taken.minute, limit } }) };
			blocked.set(subject, { until: ticks() + (decision.minute?.resetSeconds ?? 1) * 1000, decision });
			throw tooMany(decision, names[violation]);
		},
	};
}
