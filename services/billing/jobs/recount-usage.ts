/**
 * Rebuilds the hourly sums of usage from the ledger. Each day is one transaction, during which writers of the ledger wait, but readers do not.
 * The sums of days whose requests the retention job has begun to delete are retained, and so are those of account 0 (requests without a key),
 * because most of its requests have no row.
 */
import type { Fragment, Sql, Transaction } from "#libs/postgres/connect.ts";
import { daysOf } from "../domain/months.ts";

export interface MonthRecount {
	/** `YYYY-MM` */
	month: string;
	/** Number of removed sums, which differed from the ledger. */
	removed: number;
	written: number;
}

/** @param onlyMonth null: every month of the ledger */
export async function recountUsage(
	sql: Sql,
	onlyMonth: string | null,
	report: (done: MonthRecount) => void,
): Promise<void> {
	const months = onlyMonth === null ? await readRetainedMonths(sql) : [onlyMonth];
	for (const month of months) {
		const recount: MonthRecount = { month, removed: 0, written: 0 };
		for (const day of daysOf(month)) {
			const { removed, written } = await sql.begin((tx) => recountDay(tx, day));
			recount.removed += removed;
			recount.written += written;
		}
		report(recount);
	}
}

async function readRetainedMonths(sql: Sql): Promise<string[]> {
	const rows = await sql<{ month: string }[]>`
		select distinct to_char(occurred_at, 'YYYY-MM') as month from (
			select occurred_at from usage where account_id is not null union all select hour from usage_hours where account_id <> 0
		) t where occurred_at >= (select since from usage_retention) order by 1`;
	return rows.map((row) => row.month);
}

async function recountDay(tx: Transaction, day: string): Promise<Omit<MonthRecount, "month">> {
	// The lock excludes writers: a row inserted between the two statements would be missing from the sums or counted twice.
	await tx`lock table usage in share row exclusive mode`;
	const from = tx`greatest(${day}::timestamptz, (select since from usage_retention))`;
	const until = tx`${day}::timestamptz + interval '1 day'`;
	const requests = tx`(select * from usage where account_id is not null and occurred_at >= ${from} and occurred_at < ${until}) requests`;
	// Writes only differences, so that a recount of correct sums leaves the table unchanged.
	const removed = await tx`
		delete from usage_hours h where account_id <> 0 and hour >= ${from} and hour < ${until} and not exists (
			select from (${hourlySums(tx, requests)}) s
			where (s.account_id, s.hour, s.operation, s.requests, s.counted, s.failed, s.paid_micro_usd)
				= (h.account_id, h.hour, h.operation, h.requests, h.counted, h.failed, h.paid_micro_usd))`;
	const written = await tx`
		insert into usage_hours (account_id, hour, operation, requests, counted, failed, paid_micro_usd)
		${hourlySums(tx, requests)} on conflict do nothing`;
	return { removed: removed.count, written: written.count };
}

/** Query for rows of usage_hours from `requests`, a table or query with the columns of the ledger. Account 0 has the requests without a key. */
export const hourlySums = (sql: Sql | Transaction, requests: Fragment): Fragment => sql`
	select coalesce(account_id, 0) as account_id, date_trunc('hour', occurred_at) as hour, operation, count(*) as requests,
		count(*) filter (where counted) as counted, count(*) filter (where status >= 400) as failed,
		sum(paid_micro_usd)::bigint as paid_micro_usd
	from ${requests} group by 1, 2, 3`;
