/** What is kept for a while only: single requests (their sums stay), answers that were paid for, and claims that were given back. */
import type { Sql } from "#libs/postgres/connect.ts";
import { inBatches } from "#libs/postgres/in-batches.ts";
import type { Logger } from "#libs/service/logger.ts";
import { schedule } from "#libs/service/schedule.ts";

import { coveredMs } from "../domain/payments.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const paidAnswerHours = 24;
const releasedDays = 7;

export interface Forgetting {
	now(): Date;
	/** Age after which the ledger forgets single requests (days). */
	keepDays: number;
}

/** Forgets every hour, until closed. */
export const forgetOld = (sql: Sql, { log, now, keepDays }: Forgetting & { log: Logger }): AsyncDisposable =>
	schedule({
		name: "forget-old",
		everyMs: hourMs,
		jitterMs: 60_000,
		sql,
		log,
		now,
		run: async (signal) => {
			const forgotten = await forget(sql, { now, keepDays }, signal);
			log.info(forgotten, "what was old is forgotten");
		},
	});

export interface Forgotten {
	requests: number;
	paidAnswers: number;
	/** Claims that were given back uncharged. */
	released: number;
	/** Files that an account is no longer covered for. */
	coveredFiles: number;
}

/** Deletes in small transactions; what is interrupted goes on next time. */
export async function forget(sql: Sql, { now, keepDays }: Forgetting, signal: AbortSignal): Promise<Forgotten> {
	const moment = now().getTime();
	const until = new Date((Math.floor(moment / dayMs) - keepDays) * dayMs);
	// Before the first is gone: from then on nobody makes their sums again.
	await sql`update usage_kept set since = greatest(since, ${until})`;
	const requests = await inBatches(signal, 5_000, async (most) => {
		const gone = await sql`
			delete from usage where event_id in (
				select event_id from usage where occurred_at < ${until} order by occurred_at limit ${most})`;
		return gone.count;
	});
	const answered = new Date(moment - paidAnswerHours * hourMs);
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
