import type { Handler, Reply } from "#libs/contract/index.ts";
import type { AsOf } from "#libs/contract/operations/as-of.ts";
import { active, projectCondition } from "#libs/filters/project-condition.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";
import { checkDay, metaPart, requestsAt } from "../../history/past.ts";
import type { Scores } from "../../history/past-scores.ts";
import { scoresOn } from "../../history/scored.ts";
import type { Resources } from "../../resources.ts";

export function getStats(resources: Resources): Handler<"getStats"> {
	const { sql } = resources;
	return async ({ population, include_unlisted, ...asOf }) => {
		checkDay(resources, asOf);
		const scores = await scoresOn(resources, asOf);
		const chosen = projectCondition(sql, { population, include_unlisted });
		// `queue_totals` has no status column.
		const statuses = asOf.as_of !== undefined ? sql`totals` : sql`project_counts`;
		return oneJsonReply<Reply<"getStats">>(
			sql,
			sql`
			with totals as (select * from ${asOf.as_of !== undefined ? totalsAt(sql, asOf, scores) : sql`queue_totals`} t),
			p as (select * from totals p where projects > 0 and ${chosen})
			select json_build_object(${metaPart(sql, asOf)} 'data', json_build_object(
				'active_capacity_gw', (select coalesce(round(sum(capacity_mw) / 1000, 3)::float8, 0)
					from ${statuses} p where ${projectCondition(sql, active)}),
				'by_status', coalesce((select json_agg(row_to_json(t)) from (
					select status_std as status, sum(projects) as count, round(sum(capacity_mw), 3)::float8 as total_mw
					from ${statuses} p where projects > 0 and ${chosen} group by status_std order by sum(projects) desc, status_std) t), '[]'),
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
	};
}

/** `queue_totals` as of a past date, also grouped by status. */
const totalsAt = (sql: Sql, asOf: AsOf, scores: Scores | undefined): Fragment => sql`(
	select kind, listed, region, type_std, status_std, count(*) as projects, coalesce(sum(capacity_mw::numeric), 0) as capacity_mw,
		count(*) filter (where tax_credit_pct > 0) as credit_eligible,
		count(*) filter (where energy_community_eligible) as energy_community,
		count(*) filter (where low_income_eligible) as low_income,
		coalesce(sum(estimated_credit_value::numeric), 0) as credit_value,
		count(*) filter (where tax_credit_pct > 0 and tax_credit_status = 'conditional') as conditional,
		coalesce(sum(estimated_credit_value::numeric) filter (where tax_credit_status = 'conditional'), 0) as conditional_value,
		coalesce(sum(estimated_credit_value::numeric) filter (where construction_stage_confidence >= 0.8), 0) as high_value,
		coalesce(sum(estimated_credit_value::numeric) filter (where construction_stage_confidence < 0.5), 0) as low_value
	from ${requestsAt(sql, asOf, scores)} true group by kind, listed, region, type_std, status_std)`;
