/** What this service's operations use. */
import type { FairQueue } from "#libs/service/fair-queue.ts";
import type { Extracts } from "./extracts/extracts.ts";
import type { Pool } from "./pool/pool.ts";

export interface Resources {
	pool: Pool;
	/** Statements at once, shared out among callers. */
	slots: FairQueue;
	extracts: Extracts;
}
