/** Dependencies of this service's operations. */
import type { FairQueue } from "#libs/service/fair-queue.ts";
import type { CpuBudget } from "./cpu-budget.ts";
import type { Extracts } from "./extracts/extracts.ts";
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
