import { queryLimits } from "#libs/contract/databases.ts";
import type { FairQueueLimits } from "#libs/service/fair-queue.ts";

/** The gateway's request times out after ten seconds: three for starting a process, five for the statement. */
export const slotLimits = (processes: number): FairQueueLimits => ({
	what: "statements",
	slots: processes,
	slotsPerCaller: Math.min(queryLimits.atOnce, processes),
	slotsUnpaid: Math.max(1, processes - 1),
	waiting: 4 * processes,
	waitingPerCaller: queryLimits.atOnce,
	waitMs: 3_000,
});
