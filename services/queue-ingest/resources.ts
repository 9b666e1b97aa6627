/** Resources of this service's operations. The clock is injected so that tests can set it. */
import type { Bucket } from "#libs/bus/objects.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import type { PastScores } from "./history/past-scores.ts";
import type { ReadComputed, ReadCosts, ReadCreditSums } from "./provenance/computed-values.ts";

export interface Resources {
	sql: Sql;
	now: () => Date;
	/** Absent without a bus: then the archive counts as unknown. */
	archive?: Bucket;
	/** Absent without a bus: then scores of past days are unknown. */
	scores?: PastScores;
	/** Absent without a bus: then only copies of scoring's values are known. */
	computed?: ReadComputed;
	/** Absent without a bus: then `/stats` lacks these sums. */
	creditSums?: ReadCreditSums;
	/** Absent without a bus: then no study is known. */
	costs?: ReadCosts;
}
