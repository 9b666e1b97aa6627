import type { Handler, Reply } from "#libs/contract/index.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";
import { checkDay, metaPart, requestsAt } from "../../history/past.ts";
import type { Resources } from "../../resources.ts";

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
