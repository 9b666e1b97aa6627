import {
	activeMw,
	exclusionReason,
	openCondition,
	projectCondition,
} from "#libs/contract/filters/project-condition.ts";
import type { Handler, Reply } from "#libs/contract/index.ts";
import { type AsOf, checkDay } from "#libs/contract/operations/as-of.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { oneJsonReply } from "#libs/postgres/replies/reply.ts";
import { metaPart, requestsAt } from "../../history/past.ts";
import type { Resources } from "../../resources.ts";
import { countPlants, countsMegawatts, type Distinct, plantsAt } from "./distinct.ts";

export function getStats(resources: Resources): Handler<"getStats"> {
	const { sql } = resources;
	return async ({ population, include_unlisted, distinct, ...asOf }) => {
		checkDay(resources, asOf);
		// The tables of totals count only current requests, including those that another request represents.
		const needsCounting = asOf.as_of !== undefined || distinct !== undefined;
		const chosen = projectCondition(sql, { population, include_unlisted });
		const sums = needsCounting ? undefined : await resources.creditSums?.();
		// A plant counts in the group of the request that represents it; its megawatts count in the groups of all its requests.
		const isCounted = distinct === undefined ? sql`projects > 0` : sql`true`;
		// `queue_totals` has no status column.
		const statuses = needsCounting ? sql`totals` : sql`project_counts`;
		return oneJsonReply<Reply<"getStats">>(
			sql,
			sql`
			with totals as materialized (select * from ${needsCounting ? countTotals(sql, asOf, distinct) : sql`queue_totals`} t),
			p as (select * from totals p where ${isCounted} and ${chosen}),
			open as materialized (${
				needsCounting
					? sql`select reason, sum(projects) as projects, sum(capacity_mw) as capacity_mw, sum(active_mw) as active_mw,
							sum(in_operation) as in_operation, sum(operating_mw) as operating_mw from totals where is_open group by reason`
					: sql`select ${openSums(sql, undefined)} from projects p where ${openCondition(sql)} group by reason`
			}),
			left_out as (
				select reason, projects as count, capacity_mw as mw from open where reason is not null
				union all
				select 'in_operation', in_operation, operating_mw from open where reason is null and in_operation > 0)
			select json_build_object(${metaPart(sql, asOf)} 'data', json_build_object(
				'active_capacity_gw', coalesce((select round(active_mw / 1000, 3)::float8 from open where reason is null), 0),
				'by_status', coalesce((select json_agg(row_to_json(t)) from (
					select status_std as status, sum(projects) as count, round(sum(capacity_mw), 3)::float8 as total_mw
					from ${statuses} p where ${isCounted} and ${chosen} group by status_std order by sum(projects) desc, status_std) t), '[]'),
				'active_projects', coalesce((select projects from open where reason is null), 0),
				'active_left_out', coalesce((select json_agg(json_build_object('reason', reason, 'count', count,
					'total_mw', round(mw, 3)::float8) order by mw desc, reason) from left_out), '[]'),
				'total_projects', (select coalesce(sum(projects), 0) from p),
				'total_capacity_gw', (select coalesce(round(sum(capacity_mw) / 1000, 3)::float8, 0) from p),
				'by_iso', coalesce((select json_agg(row_to_json(t)) from (
					select region as iso, sum(projects) as count, round(sum(capacity_mw), 3)::float8 as total_mw
					from p group by region order by sum(projects) desc, region) t), '[]'),
				'by_fuel_type', coalesce((select json_agg(row_to_json(t)) from (
					select type_std as fuel_type, sum(projects) as count, round(sum(capacity_mw), 3)::float8 as total_mw
					from p group by type_std order by sum(projects) desc, type_std) t), '[]'),
				'tax_credits', ${needsCounting ? sql`null::json` : taxCredits(sql, sums)}))`,
		);
	};
}

/** Aggregates over the rows of `p`. */
const taxCredits = (sql: Sql, sums: Reply<"sumActiveCredits"> | undefined): Fragment => sql`(
	select json_build_object(
		'active', ${sums === undefined ? null : JSON.stringify(sums)}::text::json,
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
			'low', coalesce(round(sum(low_value)), 0))) from p)`;

/** Counts and sums of requests by the reason why they are not active. `numeric` adds fractions exactly. */
const openSums = (sql: Sql, distinct: Distinct): Fragment => sql`
	${exclusionReason(sql)} as reason, ${countPlants(sql, distinct)} as projects, coalesce(sum(capacity_mw)::numeric, 0) as capacity_mw,
	sum(${activeMw(sql)})::numeric as active_mw, ${countPlants(sql, distinct, sql`operating_mw > 0`)} as in_operation,
	sum(operating_mw) filter (where operating_mw > 0)::numeric as operating_mw`;

/** Computes `queue_totals` for past or distinct requests, also grouped by status and by whether the requests are open. */
const countTotals = (sql: Sql, asOf: AsOf, distinct: Distinct): Fragment => sql`(
	select kind, listed, region, type_std, status_std, ${openCondition(sql)} as is_open, ${openSums(sql, distinct)}
	from ${plantsAt(sql, asOf, distinct)} ${countsMegawatts(sql, distinct)} group by kind, listed, region, type_std, status_std, is_open, reason)`;

export function summariseMilestones(resources: Resources): Handler<"summariseMilestones"> {
	const { sql } = resources;
	return async ({ include_unlisted, ...asOf }) => {
		checkDay(resources, asOf);
		return oneJsonReply<Reply<"summariseMilestones">>(
			sql,
			sql`
			with p as (select * from ${requestsAt(sql, asOf)} kind = 'generation' ${include_unlisted ? sql`` : sql`and listed = 'listed'`}),
			stages as (
				select construction_stage as stage, count(*) as n, round(avg(construction_stage_confidence)::numeric, 4)::float8 as confidence
				from p group by 1),
			agreements as (select ia_status as status, count(*) as n from p group by 1)
			select json_build_object(${metaPart(sql, asOf)}
				'total_projects', (select count(*) from p),
				'total_with_milestones', (select count(*) from p
					where num_nonnulls(ia_date, actual_cod, study_phase, backfeed_date, ia_status_filed) > 0),
				'ia_status_distribution', coalesce((select json_object_agg(status, n order by n desc, status) from agreements), '{}'),
				'construction_stage_distribution', coalesce((select json_object_agg(stage, n order by n desc, stage) from stages), '{}'),
				'avg_confidence_by_stage', coalesce((select json_object_agg(stage, confidence order by n desc, stage) from stages), '{}'),
				'milestone_fill_rates', (select json_build_object('ia_date', count(ia_date), 'actual_cod', count(actual_cod),
					'study_phase', count(study_phase), 'backfeed_date', count(backfeed_date), 'ia_status', count(ia_status_filed)) from p))`,
		);
	};
}

export function validate(resources: Resources): Handler<"validate"> {
	const { sql } = resources;
	// The share excludes requests that cannot get a credit: withdrawn, built, void, or using existing rights.
	const open = sql`status_std in ('Active', 'Suspended') and plant_state <> 'energized' and ${exclusionReason(sql)} is null`;
	return async (asOf) => {
		checkDay(resources, asOf);
		return oneJsonReply<Reply<"validate">>(
			sql,
			sql`
			select json_build_object(${metaPart(sql, asOf)} 'total_projects', count(*), 'coverage', json_build_object(
				'geocoded', fraction(count(lat), count(*)),
				'ia_status', fraction(count(*) filter (where ia_status <> 'In Progress (unknown study)'), count(*)),
				'developer_tier', fraction(count(*) filter (where developer_tier <> 'unknown'), count(*)),
				'tax_credit_eligibility', ${
					asOf.as_of === undefined
						? sql`fraction(count(*) filter (where ${open} and tax_credit_status <> 'requires_determination'), count(*) filter (where ${open}))`
						: sql`null::float8`
				},
				'construction_stage', fraction(count(*) filter (where construction_stage_confidence > 0.5), count(*))))
			from ${requestsAt(sql, asOf)} kind = 'generation' and listed = 'listed'`,
		);
	};
}
