import type { Handler, Reply } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";

export function getStats(sql: Sql): Handler<"getStats"> {
	return async ({ population, include_unlisted }) =>
		oneJsonReply<Reply<"getStats">>(
			sql,
			sql`
			with p as (select * from queue_totals where projects > 0 ${population === "all" ? sql`` : sql`and kind = 'generation'`}
				${include_unlisted ? sql`` : sql`and listed = 'listed'`})
			select json_build_object('data', json_build_object(
				'total_projects', (select coalesce(sum(projects), 0) from p),
				'total_capacity_gw', (select coalesce(round(sum(capacity_mw) / 1000, 3)::float8, 0) from p),
				'by_iso', coalesce((select json_agg(row_to_json(t)) from (
					select region as iso, sum(projects) as count, round(sum(capacity_mw), 3)::float8 as total_mw
					from p group by region order by sum(projects) desc, region) t), '[]'),
				'by_fuel_type', coalesce((select json_agg(row_to_json(t)) from (
					select type_std as fuel_type, sum(projects) as count, round(sum(capacity_mw), 3)::float8 as total_mw
					from p group by type_std order by sum(projects) desc, type_std) t), '[]'),
				'tax_credits', (select json_build_object(
					'eligible_projects', coalesce(sum(credit_eligible), 0),
					'energy_community_projects', coalesce(sum(energy_community), 0),
					'low_income_projects', coalesce(sum(low_income), 0),
					'estimated_total_value', coalesce(round(sum(credit_value)), 0),
					'conditional_projects', coalesce(sum(conditional), 0),
					'conditional_value', coalesce(round(sum(conditional_value)), 0),
					'listed_value', coalesce(round(sum(credit_value) filter (where listed = 'listed')), 0),
					'unlisted_value', coalesce(round(sum(credit_value) filter (where listed <> 'listed')), 0),
					'value_by_confidence', json_build_object(
						'high', coalesce(round(sum(high_value)), 0),
						'medium', coalesce(round(sum(credit_value - high_value - low_value)), 0),
						'low', coalesce(round(sum(low_value)), 0))) from p)))`,
		);
}
