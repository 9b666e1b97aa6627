import { notFound } from "#libs/contract/errors.ts";
import type { Handler, Reply } from "#libs/contract/index.ts";
import { jsonReply } from "#libs/postgres/reply.ts";
import { firstDayOf, monthOf } from "../domain/usage.ts";
import type { Resources } from "../resources.ts";

const dayMs = 86_400_000;

/** Usage of the key's whole account: a replaced key and its successor count together. */
export function describeUsage({ sql, now }: Resources): Handler<"describeUsage"> {
	return async ({ key_id, by_day_and_operation = false }) => {
		const moment = now();
		const month = monthOf(moment);
		const from = firstDayOf(month);
		const today = moment.toISOString().slice(0, 10);
		const yesterday = new Date(moment.getTime() - dayMs);
		const reply = await jsonReply<Reply<"describeUsage">>(
			sql,
			sql`
			select json_build_object(
				'key', json_build_object('hint', k.hint, 'created_at', iso(k.created_at), 'expires_at', iso(k.expires_at)),
				'month', ${month}::text, 'counted', m.counted,
				-- Whole hours are read from the sums; only the first, partial hour is counted request by request.
				'last_24_hours', (select coalesce(sum(requests), 0) from usage_hours h where h.account_id = k.account_id
						and h.hour > ${yesterday}::timestamptz and h.hour <= ${moment}::timestamptz)
					+ (select count(*) from usage u where u.account_id = k.account_id and u.occurred_at > ${yesterday}::timestamptz
						and u.occurred_at < date_trunc('hour', ${yesterday}::timestamptz) + interval '1 hour'),
				'by_operation', m.by_operation, 'by_day', d.by_day,
				'key_today', case when k.daily_queries is not null then (
					select count(*) from usage u where u.account_id = k.account_id and u.key_id = k.id and u.counted
						and u.occurred_at >= ${today}::timestamptz) end,
				'by_day_and_operation', case when ${by_day_and_operation} then (
					select coalesce(json_agg(t order by day, operation), '[]') from (
						select (hour at time zone 'UTC')::date as day, operation, sum(requests) as requests, sum(counted) as counted
						from usage_hours h where h.account_id = k.account_id
							and h.hour >= ${from}::timestamptz and h.hour < ${from}::timestamptz + interval '1 month'
						group by 1, 2
					) t) end)
			from keys k cross join lateral (
				select coalesce(sum(counted), 0) as counted, coalesce(json_agg(o order by requests desc, operation), '[]') as by_operation
				from (
					select operation, sum(requests) as requests, sum(counted) as counted from usage_hours h
					where h.account_id = k.account_id
						and h.hour >= ${from}::timestamptz and h.hour < ${from}::timestamptz + interval '1 month'
					group by operation
				) o
			) m cross join lateral (
				select coalesce(json_agg(d order by day), '[]') as by_day
				from (
					select (hour at time zone 'UTC')::date as day, sum(requests) as requests, sum(counted) as counted from usage_hours h
					where h.account_id = k.account_id
						and h.hour >= ${from}::timestamptz and h.hour < ${from}::timestamptz + interval '1 month'
					group by 1
				) d
			) d where k.id = ${key_id}`,
		);
		if (reply === null) throw notFound("no such key");
		return reply;
	};
}
