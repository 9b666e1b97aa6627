import type { Handler, Reply } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";

export function getDeveloperStats(sql: Sql): Handler<"getDeveloperStats"> {
	return async () =>
		oneJsonReply<Reply<"getDeveloperStats">>(
			sql,
			sql`
			select json_build_object(
				'total_developers', (select count(*) from listed_developers),
				'by_tier', coalesce((select json_agg(row_to_json(t)) from (
					select tier, count(*) as count, mw(sum((portfolio ->> 'total_capacity_mw')::float8)) as total_capacity_mw
					from listed_developers group by tier order by 3 desc, tier) t), '[]'),
				'needs_capital_count', (select count(*) from listed_developers where needs_capital),
				'active_states_avg', (select coalesce(round(avg(jsonb_array_length(portfolio -> 'states_active')), 2), 0)
					from listed_developers where portfolio -> 'states_active' <> '[]'))`,
		);
}
