/** Resources of this service's operations. The clock is injected so that tests can set it. */
import type { Bucket } from "#libs/bus/objects.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import type { ReadComputed } from "./history/ask-computed.ts";
import type { PastScores } from "./history/past-scores.ts";

export interface Resources {
	sql: Sql;
	now: () => Date;
	/** Absent where there is no bus: then nothing is known of the archive. */
	archive?: Bucket;
	/** Absent where there is no bus: then no score of a past day is known. */
	scores?: PastScores;
	/** Absent where there is no bus: then of values that scoring computes their copies alone are known. */
	computed?: ReadComputed;
}
