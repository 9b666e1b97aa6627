/**
 * Deletes rows after their retention: single requests (not their sums), cached paid responses, released claims, covered files, mails and ended
 * OAuth records; and all usage of deleted accounts, even if it is recorded after the deletion.
 */
import type { Sql } from "#libs/postgres/connect.ts";
import { inBatches } from "#libs/postgres/in-batches.ts";
import type { Logger } from "#libs/service/logger.ts";
import { schedule } from "#libs/service/schedule.ts";
import { coverageMs, responseCacheMs } from "../domain/payments.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const releasedClaimsKeptMs = 7 * dayMs;
/** Longer than a mail is needed: it is attempted for a day, and its link works for another day. */
const mailsKeptMs = 3 * dayMs;

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
	// Set before the first deletion, so that a recount does not rebuild the sums of incomplete days.
	await sql`update usage_retention set since = greatest(since, ${until})`;
	const deleteBy = (batchSize: number, remove: (limit: number) => PromiseLike<{ count: number }>): Promise<number> =>
		inBatches(signal, batchSize, async (limit) => (await remove(limit)).count);
	return {
		requests: await deleteBy(
			5_000,
			(limit) => sql`
				delete from usage where event_id in (
					select event_id from usage where occurred_at < ${until} order by occurred_at limit ${limit})`,
		),
		requestsOfDeletedAccounts: await deleteBy(
			5_000,
			(limit) => sql`
				delete from usage where event_id in (
					select u.event_id from accounts a join usage u on u.account_id = a.id where a.deleted_at is not null limit ${limit})`,
		),
		sumsOfDeletedAccounts: await deleteBy(
			5_000,
			(limit) => sql`
				delete from usage_hours where (account_id, hour, operation) in (
					select h.account_id, h.hour, h.operation from accounts a join usage_hours h on h.account_id = a.id
					where a.deleted_at is not null limit ${limit})`,
		),
		mails: await deleteBy(
			1_000,
			(limit) => sql`
				delete from mails where id in (
					select id from mails where requested_at < ${before(mailsKeptMs)} order by id limit ${limit})`,
		),
		paidAnswers: await deleteBy(
			200,
			(limit) => sql`
				delete from paid_answers where payment_id in (
					select payment_id from paid_answers where kept_at < ${before(responseCacheMs)} order by kept_at limit ${limit})`,
		),
		released: await deleteBy(
			1_000,
			(limit) => sql`
				delete from payments where id in (
					select id from payments where state = 'released' and credits_id is null and claimed_at < ${before(releasedClaimsKeptMs)}
					limit ${limit})`,
		),
		oauthRecords: await deleteBy(
			1_000,
			(limit) => sql`
				delete from oauth_records where (kind, sha256) in (
					select r.kind, r.sha256 from oauth_records r left join keys k on k.id = r.key_id
					where r.expires_at < ${now()} or k.revoked_at is not null limit ${limit})`,
		),
		coveredFiles: await deleteBy(
			1_000,
			(limit) => sql`
				delete from covered_files where (account_id, sha256) in (
					select account_id, sha256 from covered_files where covered_at < ${before(coverageMs)} order by covered_at limit ${limit})`,
		),
	};
}
