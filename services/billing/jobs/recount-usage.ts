/**
 * Makes the sums of usage again from the ledger. Each day is a transaction, which keeps out who writes the ledger as long as it takes,
 * and nobody who reads. Days that the ledger has begun to forget keep their sums: nothing else is left of them.
 */
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import { daysOf } from "../domain/usage.ts";
import { sumsOf } from "./usage-hours.ts";

export interface Recounted {
	/** `YYYY-MM` */
	month: string;
	/** Sums that were not what the ledger gives. */
	removed: number;
	/** Sums in their place, and those that were not there. */
	written: number;
}

/** Recounts a month (`YYYY-MM`), or every month of the ledger. */
export async function recountUsage(sql: Sql, only: string | null, report: (done: Recounted) => void): Promise<void> {
	const months = only === null ? await keptMonths(sql) : [only];
	for (const month of months) {
		const done: Recounted = { month, removed: 0, written: 0 };
		for (const day of daysOf(month)) {
			const { removed, written } = await sql.begin((tx) => recountDay(tx, day));
			done.removed += removed;
			done.written += written;
		}
		report(done);
	}
}

/** Also months that only the sums know of. */
async function keptMonths(sql: Sql): Promise<string[]> {
	const rows = await sql<{ month: string }[]>`
		select distinct to_char(occurred_at, 'YYYY-MM') as month from (
			select occurred_at from usage union all select hour from usage_hours
		) t where occurred_at >= (select since from usage_kept) order by 1`;
	return rows.map((row) => row.month);
}

async function recountDay(tx: Transaction, day: string): Promise<Omit<Recounted, "month">> {
	// One at a time, and without a writer: what one would add between two of these statements would be lost, or there twice.
	await tx`lock table usage in share row exclusive mode`;
	const from = tx`greatest(${day}::timestamptz, (select since from usage_kept))`;
	const until = tx`${day}::timestamptz + interval '1 day'`;
	const kept = tx`(select * from usage where occurred_at >= ${from} and occurred_at < ${until}) kept`;
	// Only what differs is written: a recount that finds everything right leaves the table as it was.
	const removed = await tx`
		delete from usage_hours h where hour >= ${from} and hour < ${until} and not exists (
			select from (${sumsOf(tx, kept)}) s
			where (s.account_id, s.hour, s.operation, s.requests, s.counted, s.failed, s.paid_micro_usd)
				= (h.account_id, h.hour, h.operation, h.requests, h.counted, h.failed, h.paid_micro_usd))`;
	const written = await tx`
		insert into usage_hours (account_id, hour, operation, requests, counted, failed, paid_micro_usd)
		${sumsOf(tx, kept)} on conflict do nothing`;
	return { removed: removed.count, written: written.count };
}
