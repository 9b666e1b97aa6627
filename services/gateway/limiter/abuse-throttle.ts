/** Limits requests that cause work but are not paid for: price requests, refused payments, unknown keys, failed paid calls. */
import { LRUCache } from "lru-cache";
import type { Decision, Limiter } from "./limiter.ts";
import { tooMany } from "./rate-headers.ts";

/** Violations are counted separately, so that price requests, or mistakes of others at the same address, do not keep a caller from paying. */
export type Violation = "price" | "payment" | "key" | "failure";

export interface AbuseThrottle {
	/** Decides in memory. @throws AppError 429 for an address that has exceeded its limit */
	check(violation: Violation, address: string): void;
	/** Counts one violation. @throws AppError 429 if it exceeds the limit */
	count(violation: Violation, address: string): Promise<void>;
}

const violationNames: Record<Violation, string> = {
	price: "requests without a payment from this address",
	payment: "payments from this address that paid for nothing",
	key: "unknown keys from this address",
	failure: "paid requests that failed after work was done for them",
};

/** Maximum failed paid calls of one address or payer. Because they are not charged, the next call is refused before any work. */
export const failuresPerMinute = 5;

/** Maximum blocked addresses in memory; the least recently used is evicted. */
const maxBlocked = 50_000;

export function openAbuseThrottle(limiter: Limiter, perMinute: number): AbuseThrottle {
	/** By violation and address: the end of the block (monotonic ms), and the decision that caused it. */
	const blocked = new LRUCache<string, { until: number; decision: Decision }>({ max: maxBlocked });
	return {
		check(violation, address) {
			const block = blocked.get(`${violation}:${address}`);
			if (block === undefined) return;
			const resetSeconds = Math.ceil((block.until - performance.now()) / 1000);
			if (resetSeconds <= 0 || block.decision.minute === undefined) blocked.delete(`${violation}:${address}`);
			else
				throw tooMany(
					{ ...block.decision, minute: { ...block.decision.minute, resetSeconds } },
					violationNames[violation],
				);
		},
		async count(violation, address) {
			const subject = `${violation}:${address}`;
			// A failure is counted after its call, so the limiter gets a limit that is one lower: the last allowed failure blocks the next call.
			const countedLimit = violation === "failure" ? failuresPerMinute - 1 : perMinute;
			const result = await limiter.take(subject, { perMinute: countedLimit, periodQueries: null }, false);
			if (result.allowed) return;
			// The error states the real limit.
			const limit = violation === "failure" ? failuresPerMinute : perMinute;
			const decision = { ...result, ...(result.minute && { minute: { ...result.minute, limit } }) };
			blocked.set(subject, { until: performance.now() + (decision.minute?.resetSeconds ?? 1) * 1000, decision });
			throw tooMany(decision, violationNames[violation]);
		},
	};
}
