/** Deletes rows after their retention: single requests (their sums are retained), cached paid responses, released claims, covered files. */
import type { Sql } from "#libs/postgres/connect.ts";
import { inBatches } from "#libs/postgres/in-batches.ts";
import type { Logger } from "#libs/service/logger.ts";
import { schedule } from "#libs/service/schedule.ts";
import { coveredMs, responseCacheMs } from "../domain/payments.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const releasedClaimsKeptMs = 7 * dayMs;

interface Retention {
	now(): Date;
	/** Age after which single requests are deleted from the ledger (days). */
	keepDays: number;
}

export const deleteOld = (sql: Sql, { log, now, keepDays }: Retention & { log: Logger }): AsyncDisposable =>
	schedule({
		name: "delete-old",
		everyMs: hourMs,
		jitterMs: 60_000,
		sql,
		log,
		now,
		run: async (signal) => {
			const deleted = await deleteExpired(sql, { now, keepDays }, signal);
			log.info(deleted, "expired rows deleted");
		},
	});

/** Deletes in small transactions; an interrupted run continues next time. @returns the numbers of deleted rows */
export async function deleteExpired(sql: Sql, { now, keepDays }: Retention, signal: AbortSignal) {
	const moment = now().getTime();
	const before = (ms: number) => new Date(moment - ms);
	const until = new Date((Math.floor(moment / dayMs) - keepDays) * dayMs);
	// Set before the first row is deleted, so that a recount does not rebuild sums of incomplete days.
	await sql`update usage_retention set since = greatest(since, ${until})`;
	const inTurns = (most: number, remove: (most: number) => PromiseLike<{ count: number }>): Promise<number> =>
		inBatches(signal, most, async (limit) => (await remove(limit)).count);
	return {
		requests: await inTurns(
			5_000,
			(most) => sql`
				delete from usage where event_id in (
					select event_id from usage where occurred_at < ${until} order by occurred_at limit ${most})`,
		),
		paidAnswers: await inTurns(
			200,
			(most) => sql`
				delete from paid_answers where payment_id in (
					select payment_id from paid_answers where kept_at < ${before(responseCacheMs)} order by kept_at limit ${most})`,
		),
		released: await inTurns(
			1_000,
			(most) => sql`
				delete from payments where id in (
					select id from payments where state = 'released' and credits_id is null and claimed_at < ${before(releasedClaimsKeptMs)}
					limit ${most})`,
		),
		coveredFiles: await inTurns(
			1_000,
			(most) => sql`
				delete from covered_files where (account_id, sha256) in (
					select account_id, sha256 from covered_files where covered_at < ${before(coveredMs)} order by covered_at limit ${most})`,
		),
	};
}
