/** Resources of this service's operations. The clock is injected so that tests can set it. */
import type { Bucket } from "#libs/bus/objects.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import type { PastScores } from "./history/past-scores.ts";
import type { ReadComputed, ReadCosts, ReadCreditSums } from "./provenance/computed-values.ts";

export interface Resources {
	sql: Sql;
	now: () => Date;
	/** Absent without a bus: the archive is then unavailable. */
	archive?: Bucket;
	/** Absent without a bus: scores of past days are then unknown. */
	scores?: PastScores;
	/** Absent without a bus: only copies of scoring's values are then known. */
	computed?: ReadComputed;
	/** Absent without a bus: `/stats` then lacks these sums. */
	creditSums?: ReadCreditSums;
	/** Absent without a bus: no study is then known. */
	costs?: ReadCosts;
}
