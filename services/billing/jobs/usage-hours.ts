/** The hourly sums of requests, for new ones (`reactions/record-usage.ts`) and for those of the ledger (`recount-usage.ts`). */
import type { Fragment, Sql, Transaction } from "#libs/postgres/connect.ts";

/** Rows of usage_hours for `requests`, a table or query with the columns of the ledger. Requests without a key are account 0. */
export const sumsOf = (sql: Sql | Transaction, requests: Fragment): Fragment => sql`
	select coalesce(account_id, 0) as account_id, date_trunc('hour', occurred_at) as hour, operation, count(*) as requests,
		count(*) filter (where counted) as counted, count(*) filter (where status >= 400) as failed,
		sum(paid_micro_usd)::bigint as paid_micro_usd
	from ${requests} group by 1, 2, 3`;
