/** Every hour, deletes finished deliveries that are too old or too many, unused watchlists of the free plan, and records of mails. */
import type { Sql } from "#libs/postgres/connect.ts";
import { inBatches } from "#libs/postgres/in-batches.ts";
import type { Logger } from "#libs/service/logger.ts";
import { schedule } from "#libs/service/schedule.ts";
import type { Config } from "../config.ts";
import { followedSql, provenSql } from "../dispatch/rows.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

interface Retention {
	now(): Date;
	config: Pick<Config, "DELIVERIES_KEPT" | "DELIVERIES_KEEP_DAYS" | "FREE_WATCHLIST_DAYS">;
}

export const startDeletingOld = (sql: Sql, { log, now, config }: Retention & { log: Logger }): AsyncDisposable =>
	schedule({
		name: "delete-old",
		everyMs: hourMs,
		jitterMs: 60_000,
		sql,
		log,
		now,
		run: async (signal) => {
			const deliveries = await deleteDeliveries(sql, { now, config }, signal);
			if (deliveries > 0) log.info({ deliveries }, "old deliveries were deleted");
			const watchlists = await deleteWatchlists(sql, { now, unusedDays: config.FREE_WATCHLIST_DAYS });
			// The records are needed only to limit the mails of the last 24 hours.
			await sql`delete from requested_mails where requested_at < ${now()}::timestamptz - interval '1 day'`;
			if (watchlists > 0) log.info({ watchlists }, "unused watchlists were deleted");
		},
	});

function deleteDeliveries(sql: Sql, { now, config }: Retention, signal: AbortSignal): Promise<number> {
	const before = new Date(now().getTime() - config.DELIVERIES_KEEP_DAYS * dayMs);
	return inBatches(signal, 5_000, async (limit) => {
		const deleted = await sql`
			delete from deliveries where id in (
				select id from (
					select id, created_at, row_number() over (partition by webhook_id order by id desc) as place
					from deliveries where state <> 'pending'
				) d where place > ${config.DELIVERIES_KEPT} or created_at < ${before} limit ${limit})`;
		return deleted.count;
	});
}

/** Deletes unused watchlists of the free plan, and the disabled and unconfirmed webhooks that follow them. @returns the number of watchlists */
export function deleteWatchlists(sql: Sql, { now, unusedDays }: { now(): Date; unusedDays: number }): Promise<number> {
	const currentTime = now();
	const before = new Date(currentTime.getTime() - unusedDays * dayMs);
	return sql.begin(async (tx) => {
		await tx`
			update watchlists w set used_at = ${currentTime}
			where free and used_at < ${currentTime}::timestamptz - interval '1 day' and ${followedSql(tx)}`;
		const unused = await tx<{ id: number }[]>`
			select id from watchlists w where free and used_at < ${before} and not ${followedSql(tx)} order by id limit 1000 for update`;
		const ids = unused.map(({ id }) => id);
		// Locks wait for webhooks that are being confirmed. A delete that waits for such a lock itself would not see the confirmation.
		await tx`select from webhooks where watchlist_id = any(${ids}::bigint[]) order by id for update`;
		await tx`
			delete from webhooks f where watchlist_id = any(${ids}::bigint[]) and not (enabled and ${provenSql(tx, tx`f.id`)})`;
		// A webhook that was enabled or confirmed meanwhile keeps its watchlist.
		const deleted = await tx`
			delete from watchlists w where id = any(${ids}::bigint[]) and not exists (select from webhooks where watchlist_id = w.id)`;
		return deleted.count;
	});
}
