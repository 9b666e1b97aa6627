/** Usage of accounts and keys. Quotas are counted by month, in UTC. */
import { invalid, notFound } from "#libs/contract/errors.ts";
import type { Handlers, Reply } from "#libs/contract/index.ts";
import { jsonReply, oneJsonReply } from "#libs/postgres/replies/reply.ts";
import { firstDayOf, isMonth, monthOf } from "../domain/months.ts";
import { recordUsage } from "../reactions/record-usage.ts";
import { type Resources, uncached } from "../resources.ts";
import { emailOf } from "../tables/accounts.ts";

const dayMs = 86_400_000;

export const usageOperations = ({ sql, now }: Resources) =>
	({
		/** Returns the usage of the key's whole account: a replaced key and its successor count together. */
		async describeUsage({ key_id, by_day_and_operation = false }) {
			const moment = now();
			const month = monthOf(moment);
			const today = moment.toISOString().slice(0, 10);
			const yesterday = new Date(moment.getTime() - dayMs);
			const reply = await jsonReply<Reply<"describeUsage">>(
				sql,
				sql`
				with used as materialized (
					select (hour at time zone 'UTC')::date as day, operation, requests, counted from usage_hours
					where account_id = (select account_id from keys where id = ${key_id})
						and hour >= ${firstDayOf(month)}::timestamptz and hour < ${firstDayOf(month)}::timestamptz + interval '1 month')
				select json_build_object(
					'key', json_build_object('hint', k.hint, 'created_at', iso(k.created_at), 'expires_at', iso(k.expires_at)),
					'email', ${emailOf(sql)}, 'email_verified', a.email is not null,
					'month', ${month}::text,
					'counted', (select coalesce(sum(counted), 0) from used),
					-- Whole hours are read from the sums; only the first, partial hour is counted request by request.
					'last_24_hours', (select coalesce(sum(requests), 0) from usage_hours h where h.account_id = k.account_id
							and h.hour > ${yesterday}::timestamptz and h.hour <= ${moment}::timestamptz)
						+ (select count(*) from usage u where u.account_id = k.account_id and u.occurred_at > ${yesterday}::timestamptz
							and u.occurred_at < date_trunc('hour', ${yesterday}::timestamptz) + interval '1 hour'),
					'by_operation', (select coalesce(json_agg(t order by requests desc, operation), '[]') from (
						select operation, sum(requests) as requests, sum(counted) as counted from used group by 1) t),
					'by_day', (select coalesce(json_agg(t order by day), '[]') from (
						select day, sum(requests) as requests, sum(counted) as counted from used group by 1) t),
					'key_today', case when k.daily_queries is not null then (
						select count(*) from usage u where u.account_id = k.account_id and u.key_id = k.id and u.counted
							and u.occurred_at >= ${today}::timestamptz) end,
					'by_day_and_operation', case when ${by_day_and_operation} then (
						select coalesce(json_agg(t order by day, operation), '[]') from (
							select day, operation, sum(requests) as requests, sum(counted) as counted from used group by 1, 2) t) end)
				from keys k join accounts a on a.id = k.account_id where k.id = ${key_id}`,
			);
			if (reply === null) throw notFound("no such key");
			return reply;
		},

		/** Returns the counted queries of an account in a month; 0 for an unknown account. */
		async countUsage({ account_id, month }) {
			if (!isMonth(month)) throw invalid([{ loc: ["query", "month"], msg: "must be a calendar month (YYYY-MM)" }]);
			const from = firstDayOf(month);
			return oneJsonReply<Reply<"countUsage">>(
				sql,
				sql`
				select json_build_object('counted', coalesce(sum(counted), 0)) from usage_hours
				where account_id = ${account_id} and hour >= ${from}::timestamptz and hour < ${from}::timestamptz + interval '1 month'`,
			);
		},

		/** Counts single requests, because the hourly sums are per account, not per key. */
		countKeyUsage: ({ key_id, day }) =>
			oneJsonReply<Reply<"countKeyUsage">>(
				sql,
				sql`
				select json_build_object('counted', count(*)) from usage
				where account_id = (select account_id from keys where id = ${key_id}) and key_id = ${key_id} and counted
					and occurred_at >= ${day}::timestamptz and occurred_at < ${day}::timestamptz + interval '1 day'`,
			),

		/** Returns which of these usage events are recorded. The gateway deletes those from its disk and publishes the others again. */
		async listRecordedUsage({ ids }) {
			const events = await sql<{ event_id: string }[]>`
				select event_id from inbox where reaction = ${recordUsage.name} and event_id = any(${ids}::text[])`;
			return uncached({ ids: events.map((event) => event.event_id) });
		},
	}) satisfies Partial<Handlers<"billing">>;
