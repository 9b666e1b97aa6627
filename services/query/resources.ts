/** Dependencies of this service's operations. */
import { queryLimits } from "#libs/contract/databases.ts";
import type { FairQueue, FairQueueLimits } from "#libs/service/fair-queue.ts";
import type { CpuBudget } from "./cpu-budget.ts";
import type { Extracts } from "./extracts/follow.ts";
import type { Pool } from "./pool/pool.ts";

export interface Resources {
	pool: Pool;
	/** Limits concurrent statements; callers take turns. */
	slots: FairQueue;
	/** Limits the CPU time of callers without a paid plan. */
	cpu: CpuBudget;
	extracts: Extracts;
	/** Monotonic clock (ms). */
	now?: () => number;
}

/**
 * Limits of concurrent statements. A statement waits at most three seconds for a slot and runs at most five, so that it ends before the gateway's
 * REQUEST_TIMEOUT_MS (15 s).
 */
export const slotLimits = (processes: number): FairQueueLimits => ({
	what: "statements",
	slots: processes,
	slotsPerCaller: Math.min(queryLimits.atOnce, processes),
	slotsUnpaid: Math.max(1, processes - 1),
	waiting: 4 * processes,
	waitingPerCaller: queryLimits.atOnce,
	waitMs: 3_000,
});
