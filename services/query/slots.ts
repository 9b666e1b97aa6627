import { queryLimits } from "#libs/contract/databases.ts";
import type { FairQueueLimits } from "#libs/service/fair-queue.ts";

/** A statement waits three seconds for a slot at most and runs for five, so that its result comes before the gateway's REQUEST_TIMEOUT_MS (15 s). */
export const slotLimits = (processes: number): FairQueueLimits => ({
	what: "statements",
	slots: processes,
	slotsPerCaller: Math.min(queryLimits.atOnce, processes),
	slotsUnpaid: Math.max(1, processes - 1),
	waiting: 4 * processes,
	waitingPerCaller: queryLimits.atOnce,
	waitMs: 3_000,
});
