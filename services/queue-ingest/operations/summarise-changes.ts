import type { Handler, Reply } from "#libs/contract/index.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";
import type { Resources } from "../resources.ts";
import { changeCounts } from "./change-counts.ts";

/** Of generation requests. A withdrawal is a change of status by which a request became Withdrawn and still is, told once for each project. */
export function summariseChanges({ sql, now }: Resources): Handler<"summariseChanges"> {
	return async ({ since_days }) => {
		const since = new Date(now().getTime() - since_days * 86_400_000);
		return oneJsonReply<Reply<"summariseChanges">>(
			sql,
			sql`
			with recent as not materialized (
				select * from changes where detected_at >= ${since.toISOString()}::timestamptz and coalesce(kind, 'generation') = 'generation'),
			withdrawals as (
				select distinct on (p.id) p.id, p.region, p.developer_canonical, p.capacity_mw
				from recent c join projects p on p.id = c.project_id
				where c.change_type = 'status_change' and p.status_std = 'Withdrawn'
					-- Withdrawn before in another word is no withdrawal.
					and exists (select from project_versions v where v.project_id = p.id and v.valid_to = c.detected_at
						and v.body::json ->> 'status_std' <> 'Withdrawn')
				order by p.id)
			select json_build_object(
				'since_days', ${since_days}::int,
				'by_day', coalesce((select json_agg(row_to_json(t)) from (
					select to_char(at at time zone 'UTC', 'YYYY-MM-DD') as day, change_type, sum(changes) as count
					from ${changeCounts(sql, since)} c where coalesce(kind, 'generation') = 'generation'
					group by 1, 2 having sum(changes) > 0 order by 1 desc, 3 desc, 2) t), '[]'),
				'withdrawals_by_region', coalesce((select json_agg(row_to_json(t)) from (
					select region, count(*) as withdrawn, coalesce(round(sum(capacity_mw)::numeric, 3)::float8, 0) as withdrawn_mw
					from withdrawals group by region order by 2 desc, 1) t), '[]'),
				'top_withdrawing_developers', coalesce((select json_agg(row_to_json(t)) from (
					select developer_canonical as developer, count(*) as withdrawn, coalesce(round(sum(capacity_mw)::numeric, 3)::float8, 0) as withdrawn_mw
					from withdrawals where developer_canonical is not null group by developer_canonical order by 2 desc, 3 desc, 1 limit 25) t), '[]'),
				'new_entries_by_region', coalesce((select json_agg(row_to_json(t)) from (
					select region, count(*) as new_projects, coalesce(round(sum(capacity_mw)::numeric, 3)::float8, 0) as new_mw
					from recent where change_type = 'new_project' group by region order by 2 desc, 1) t), '[]'))`,
		);
	};
}
