import type { Handler, Reply } from "#libs/contract/index.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";
import { checkDay, metaPart } from "../../history/past.ts";
import type { Resources } from "../../resources.ts";
import { developersAt } from "../developers-at.ts";

export function getDeveloperStats(resources: Resources): Handler<"getDeveloperStats"> {
	const { sql } = resources;
	return async (asOf) => {
		checkDay(resources, asOf);
		return oneJsonReply<Reply<"getDeveloperStats">>(
			sql,
			sql`
			with d as materialized (select * from ${developersAt(sql, asOf)} d)
			select json_build_object(${metaPart(sql, asOf)}
				'total_developers', (select count(*) from d),
				'by_tier', coalesce((select json_agg(row_to_json(t)) from (
					select tier, count(*) as count, mw(sum((portfolio ->> 'total_capacity_mw')::float8)) as total_capacity_mw
					from d group by tier order by 3 desc, tier) t), '[]'),
				'needs_capital_count', ${asOf.as_of !== undefined ? sql`null::integer` : sql`(select count(*) from d where needs_capital)`},
				'active_states_avg', (select coalesce(round(avg(jsonb_array_length(portfolio -> 'states_active')), 2), 0)
					from d where portfolio -> 'states_active' <> '[]'))`,
		);
	};
}
