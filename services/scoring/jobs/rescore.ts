/** Computes every score again from the facts of its request. */
import type { Sql } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { currentVersion } from "../domain/score/versions/index.ts";
import { enqueueAll, lockScoring } from "../tables/recompute-queue.ts";

/** Marks all open requests. @returns how many */
export const rescore = (sql: Sql): Promise<number> =>
	sql.begin(async (tx) => {
		await lockScoring(tx);
		// Without a hash, scores are computed again although their inputs have not changed.
		await tx`update scores set inputs_hash = ''`;
		return enqueueAll(tx);
	});

/**
 * Serves the version that this code computes. Scores of another one are dropped, because they were computed from other inputs: requests
 * have none until the worker has computed theirs. What was published stays in history.
 */
export const serveCurrentVersion = (sql: Sql): Promise<void> =>
	sql.begin(async (tx) => {
		await lockScoring(tx);
		const changed = await tx`
			update settings set active_version = ${currentVersion} where active_version <> ${currentVersion}`;
		if (changed.count === 0) return;
		await tx`delete from scores where score_version <> ${currentVersion}`;
		await enqueueAll(tx);
		await raiseDataVersion(tx);
	});
