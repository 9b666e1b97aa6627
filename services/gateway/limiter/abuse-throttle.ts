/** Limits requests that cause work without being paid for: price requests, refused payments, unknown keys, failed paid calls. */
import { LRUCache } from "lru-cache";
import type { Decision, Limiter } from "./limiter.ts";
import { tooMany } from "./rate-headers.ts";

/** Each violation has its own count, so that price requests or a neighbour's mistakes do not keep a caller from paying. */
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

/** Most failed paid calls of one address or payer. The next call is refused before any work. Failed calls are not charged. */
export const failuresPerMinute = 5;

/** Most blocked addresses in memory; the least recently seen one is evicted. */
const capacity = 50_000;

export function openAbuseThrottle(limiter: Limiter, perMinute: number): AbuseThrottle {
	/** By violation and address: the end of the block (monotonic ms), and the decision that caused it. */
	const blocked = new LRUCache<string, { until: number; decision: Decision }>({ max: capacity });
	return {
		check(violation, address) {
			const found = blocked.get(`${violation}:${address}`);
			if (found === undefined) return;
			const resetSeconds = Math.ceil((found.until - performance.now()) / 1000);
			if (resetSeconds <= 0 || found.decision.minute === undefined) blocked.delete(`${violation}:${address}`);
			else
				throw tooMany(
					{ ...found.decision, minute: { ...found.decision.minute, resetSeconds } },
					violationNames[violation],
				);
		},
		async count(violation, address) {
			const subject = `${violation}:${address}`;
			// A failure is counted after its call, so the limiter gets a limit that is one lower: the last allowed failure blocks the next call.
			const most = violation === "failure" ? failuresPerMinute - 1 : perMinute;
			const taken = await limiter.take(subject, { perMinute: most, periodQueries: null }, false);
			if (taken.allowed) return;
			// The error states the real limit.
			const limit = violation === "failure" ? failuresPerMinute : perMinute;
			const decision = { ...taken, ...(taken.minute && { minute: { ...taken.minute, limit } }) };
			blocked.set(subject, { until: performance.now() + (decision.minute?.resetSeconds ?? 1) * 1000, decision });
			throw tooMany(decision, violationNames[violation]);
		},
	};
}
