/** Dependencies of this service's operations. */
import type { FairQueue } from "#libs/service/fair-queue.ts";
import type { Extracts } from "./extracts/extracts.ts";
import type { Pool } from "./pool/pool.ts";

export interface Resources {
	pool: Pool;
	/** Limits concurrent statements and shares the slots fairly among callers. */
	slots: FairQueue;
	extracts: Extracts;
	/** Monotonic clock (ms). */
	now?: () => number;
}
