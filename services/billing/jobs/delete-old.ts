/** Deletes rows after their retention: single requests (their sums are retained), cached paid responses, released claims, covered files. */
import type { Sql } from "#libs/postgres/connect.ts";
import { inBatches } from "#libs/postgres/in-batches.ts";
import type { Logger } from "#libs/service/logger.ts";
import { schedule } from "#libs/service/schedule.ts";

import { coveredMs, responseCacheMs } from "../domain/payments.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const releasedDays = 7;

export interface Retention {
	now(): Date;
	/** Age after which single requests are deleted from the ledger (days). */
	keepDays: number;
}

/** Runs every hour, until closed. */
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

/** Numbers of deleted rows. */
export interface Deleted {
	requests: number;
	paidAnswers: number;
	/** Claims that were released uncharged. */
	released: number;
	/** Files whose coverage has ended. */
	coveredFiles: number;
}

/** Deletes in small transactions; an interrupted run continues next time. */
export async function deleteExpired(sql: Sql, { now, keepDays }: Retention, signal: AbortSignal): Promise<Deleted> {
	const moment = now().getTime();
	const until = new Date((Math.floor(moment / dayMs) - keepDays) * dayMs);
	// Before the first row is deleted: a recount must not rebuild sums of days that are incomplete.
	await sql`update usage_retention set since = greatest(since, ${until})`;
	const requests = await inBatches(signal, 5_000, async (most) => {
		const gone = await sql`
			delete from usage where event_id in (
				select event_id from usage where occurred_at < ${until} order by occurred_at limit ${most})`;
		return gone.count;
	});
	const answered = new Date(moment - responseCacheMs);
	const paidAnswers = await inBatches(signal, 200, async (most) => {
		const gone = await sql`
			delete from paid_answers where payment_id in (
				select payment_id from paid_answers where kept_at < ${answered} order by kept_at limit ${most})`;
		return gone.count;
	});
	const given = new Date(moment - releasedDays * dayMs);
	const released = await inBatches(signal, 1_000, async (most) => {
		const gone = await sql`
			delete from payments where id in (
				select id from payments where state = 'released' and credits_id is null and claimed_at < ${given} limit ${most})`;
		return gone.count;
	});
	const coveredUntil = new Date(moment - coveredMs);
	const coveredFiles = await inBatches(signal, 1_000, async (most) => {
		const gone = await sql`
			delete from covered_files where (account_id, sha256) in (
				select account_id, sha256 from covered_files where covered_at < ${coveredUntil} order by covered_at limit ${most})`;
		return gone.count;
	});
	return { requests, paidAnswers, released, coveredFiles };
}
