import type { Handler, Reply } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";

export function getStats(sql: Sql): Handler<"getStats"> {
	return async ({ population }) =>
		oneJsonReply<Reply<"getStats">>(
			sql,
			sql`
			with p as (select * from projects ${population === "all" ? sql`` : sql`where kind = 'generation'`})
			select json_build_object('data', json_build_object(
				'total_projects', (select count(*) from p),
				'total_capacity_gw', (select coalesce(round(sum(capacity_mw)::numeric / 1000, 3)::float8, 0) from p),
				'by_iso', coalesce((select json_agg(row_to_json(t)) from (
					select region as iso, count(*) as count, coalesce(round(sum(capacity_mw)::numeric, 3)::float8, 0) as total_mw
					from p group by region order by count(*) desc, region) t), '[]'),
				'by_fuel_type', coalesce((select json_agg(row_to_json(t)) from (
					select type_std as fuel_type, count(*) as count, coalesce(round(sum(capacity_mw)::numeric, 3)::float8, 0) as total_mw
					from p group by type_std order by count(*) desc, type_std) t), '[]'),
				'tax_credits', (select json_build_object(
					'eligible_projects', count(*) filter (where tax_credit_pct > 0),
					'energy_community_projects', count(*) filter (where energy_community_eligible),
					'low_income_projects', count(*) filter (where low_income_eligible),
					'estimated_total_value', coalesce(round(sum(estimated_credit_value)::numeric), 0),
					'conditional_projects', count(*) filter (where tax_credit_pct > 0 and tax_credit_status = 'conditional'),
					'conditional_value', coalesce(round(sum(estimated_credit_value)
						filter (where tax_credit_status = 'conditional')::numeric), 0)) from p)))`,
		);
}
