/**
 * Releases payments that no request will finish: claims whose request ended before it began the charge, and debits whose response the
 * gateway never delivered. The job runs in billing, so that it does not depend on a gateway or its payment rails.
 */
import type { Sql } from "#libs/postgres/connect.ts";
import { writtenAhead } from "#libs/postgres/written-ahead.ts";
import type { Logger } from "#libs/service/logger.ts";
import { schedule } from "#libs/service/schedule.ts";
import { abandonAfterMs, refundUndeliveredAfterMs } from "../domain/payments.ts";
import { refunds, timeBefore } from "../tables/payments.ts";

const batchSize = 100;

export const releaseForgotten = (
	sql: Sql,
	{ log, now, everyMs = 30_000 }: { log: Pick<Logger, "debug" | "info" | "error">; now(): Date; everyMs?: number },
): AsyncDisposable =>
	schedule({
		name: "release-forgotten",
		everyMs,
		sql,
		// Runs are logged at debug level, because there are two per minute; `run` logs releases at info level.
		log: { debug: log.debug.bind(log), info: log.debug.bind(log), error: log.error.bind(log) },
		now,
		async run(signal) {
			let released = 0;
			for (let count = batchSize; count === batchSize && !signal.aborted; released += count)
				count = await releaseAbandoned(sql, now(), batchSize);
			if (released > 0) log.info({ released }, "abandoned payments released");
		},
	});

/** @returns how many payments were released: fewer than `limit` if no others are abandoned, or other replicas have locked them */
export async function releaseAbandoned(sql: Sql, at: Date, limit: number): Promise<number> {
	const [released] = await sql<{ count: number }[]>`
		with abandoned as materialized (
			select id from payments
			where state = 'claimed' and (claimed_at <= ${timeBefore(at, abandonAfterMs)} or ${writtenAhead(sql, sql`claimed_at`, at)})
				-- The payment was debited, but its response was never delivered.
				or state = 'settled' and credits_id is not null and delivered_at is null
					and (finished_at <= ${timeBefore(at, refundUndeliveredAfterMs)} or ${writtenAhead(sql, sql`finished_at`, at)})
			order by claimed_at limit ${limit} for update skip locked),
		given_back as (
			update payments p set state = 'released', stored = null, finished_at = ${at.toISOString()}
			from abandoned a where p.id = a.id returning p.id, p.credits_id, p.amount_micro_usd),
		${refunds(sql, at.toISOString())}
		select count(*) from given_back`;
	return released?.count ?? 0;
}
