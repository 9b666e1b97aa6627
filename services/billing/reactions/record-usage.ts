/** Records requests in the ledger and its hourly sums. Publishes usage.reached when an account reaches a share of its monthly queries. */
import type { z } from "zod";
import type { Bus } from "#libs/bus/connect.ts";
import { type Reaction, type RunningReaction, react } from "#libs/bus/events/react.ts";
import { usageReached } from "#libs/contract/events/billing.ts";
import { usageRecorded } from "#libs/contract/events/gateway.ts";
import { alertShares } from "#libs/contract/operations/access/billing-fields.ts";
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import { publishAll } from "#libs/postgres/events/outbox.ts";
import { hourlySums } from "../jobs/recount-usage.ts";

interface AccountMonth {
	account_id: number;
	/** `YYYY-MM` */
	month: string;
}

type AnsweredRequest = z.output<typeof usageRecorded.payload>["requests"][number];
type ReachedShare = Omit<z.output<typeof usageReached.payload>, "id" | "version">;

export const recordUsage: Reaction<typeof usageRecorded> = {
	service: "billing",
	name: "record-usage",
	event: usageRecorded,
	// Each event carries up to a thousand requests.
	batch: 10,
	// Short, because a batch takes milliseconds: the events of a killed replica are redelivered after this time.
	ackWaitMs: 10_000,
	async handler(tx, events) {
		const changed = await addToLedger(
			tx,
			events.flatMap(({ requests }) => requests),
		);
		if (changed.length > 0) await publishReached(tx, changed);
	},
};

/** Starts everything this service subscribes to; the caller closes each. */
export const startReactions = async (bus: Bus, sql: Sql): Promise<RunningReaction[]> => [
	await react(bus, sql, recordUsage),
];

/**
 * Adds requests to the ledger and its sums. A redelivered request changes neither, even after its inbox row was deleted. An anonymous request
 * (without a key or a payment) is only added to the sums, because a row for each would let any client fill the disk; only the inbox prevents
 * it from being added twice. Rows are written in the order of their keys, so that two consumers cannot deadlock.
 * @returns the accounts and months whose count has increased
 */
function addToLedger(tx: Transaction, requests: readonly AnsweredRequest[]) {
	return tx<AccountMonth[]>`
		with answered (event_id) as (
			select * from json_to_recordset(${JSON.stringify(requests)}::text::json)
				as r (id text, occurred_at timestamptz, account_id bigint, key_id bigint, operation text, status integer,
					counted boolean, rail text, paid_micro_usd bigint, duration_ms float8)
		), fresh as (
			insert into usage (event_id, occurred_at, account_id, key_id, operation, status, counted, rail, paid_micro_usd, duration_ms)
			select * from answered where account_id is not null or rail is not null order by event_id
			on conflict (event_id) do nothing
			returning *
		), added as (
			insert into usage_hours as h (account_id, hour, operation, requests, counted, failed, paid_micro_usd)
			${hourlySums(tx, tx`(table fresh union all select * from answered where account_id is null and rail is null) requests`)}
			order by 1, 2, 3
			on conflict (account_id, hour, operation) do update set (requests, counted, failed, paid_micro_usd)
				= (h.requests + excluded.requests, h.counted + excluded.counted, h.failed + excluded.failed,
					h.paid_micro_usd + excluded.paid_micro_usd)
		)
		select distinct account_id, to_char(occurred_at, 'YYYY-MM') as month from fresh where counted and account_id is not null`;
}

/** Publishes each share of the monthly queries that an account reaches for the first time. If its limit changes, the shares count anew. */
async function publishReached(tx: Transaction, changed: readonly AccountMonth[]): Promise<void> {
	const accountsWithLimit = tx`
		jsonb_to_recordset(${JSON.stringify(changed)}::text::jsonb) as g (account_id bigint, month text)
			join accounts a on a.id = g.account_id
			join plans p on p.name = a.plan
			cross join lateral (select coalesce(a.monthly_queries, p.monthly_queries) as monthly_queries) l
		where l.monthly_queries is not null
			and not exists (select from usage_alerts u where u.account_id = g.account_id and u.month = g.month
				and u.monthly_queries = l.monthly_queries and u.percent = 100)`;
	// The lock serializes consumers: two concurrent ones would not count each other's requests, and both might miss that a share is reached.
	const locked = await tx`select a.id from ${accountsWithLimit} order by a.id for no key update of a`;
	if (locked.count === 0) return;
	const percents = alertShares.map((share) => Math.round(100 * share));
	const reachedShares = await tx<ReachedShare[]>`
		with counted as (
			select g.account_id, g.month, a.plan, l.monthly_queries, (
				select sum(h.counted) from usage_hours h where h.account_id = g.account_id
					and h.hour >= (g.month || '-01')::timestamptz and h.hour < (g.month || '-01')::timestamptz + interval '1 month'
			) as used from ${accountsWithLimit}
		), new_alerts as (
			insert into usage_alerts (account_id, month, monthly_queries, percent)
			select account_id, month, monthly_queries, percent from counted, unnest(${percents}::smallint[]) percent
			where used * 100 >= monthly_queries * percent order by 1, 2, 3, 4
			on conflict do nothing returning *
		)
		select account_id, month, plan, percent / 100.0::float8 as share, used, monthly_queries, iso(now()) as occurred_at
		from counted join new_alerts using (account_id, month, monthly_queries) order by 1, 2, percent`;
	await publishAll(
		tx,
		usageReached,
		reachedShares.map((one) => ({
			id: `usage.reached:${one.account_id}:${one.month}:${one.monthly_queries}:${one.share}`,
			version: one.used,
			...one,
		})),
	);
}
