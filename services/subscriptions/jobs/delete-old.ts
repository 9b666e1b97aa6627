/** Deletes deliveries that were taken, or tests that failed: the newest of each webhook are kept, for some days. */
import type { Sql } from "#libs/postgres/connect.ts";
import { inBatches } from "#libs/postgres/in-batches.ts";
import type { Logger } from "#libs/service/logger.ts";
import { schedule } from "#libs/service/schedule.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

export interface Retention {
	now(): Date;
	/** Of a webhook. */
	kept: number;
	keepDays: number;
}

/** Runs every hour, until closed. */
export const deleteOld = (sql: Sql, { log, ...retention }: Retention & { log: Logger }): AsyncDisposable =>
	schedule({
		name: "delete-old",
		everyMs: hourMs,
		jitterMs: 60_000,
		sql,
		log,
		now: retention.now,
		run: async (signal) => {
			const deliveries = await deleteDeliveries(sql, retention, signal);
			if (deliveries > 0) log.info({ deliveries }, "old deliveries were deleted");
		},
	});

/** @returns how many */
export function deleteDeliveries(sql: Sql, { now, kept, keepDays }: Retention, signal: AbortSignal): Promise<number> {
	const before = new Date(now().getTime() - keepDays * dayMs);
	return inBatches(signal, 5_000, async (most) => {
		const gone = await sql`
			delete from deliveries where id in (
				select id from (
					select id, created_at, row_number() over (partition by webhook_id order by id desc) as place
					from deliveries where state <> 'pending'
				) d where place > ${kept} or created_at < ${before} limit ${most})`;
		return gone.count;
	});
}
