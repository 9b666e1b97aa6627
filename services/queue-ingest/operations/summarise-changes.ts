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
			with counts as materialized (
				select (at at time zone 'UTC')::date as day, region, change_type, sum(changes) as changes, sum(capacity_mw) as capacity_mw
				from ${changeCounts(sql, since)} c where coalesce(kind, 'generation') = 'generation'
				group by 1, 2, 3 having sum(changes) > 0),
			withdrawn as materialized (
				select region, developer_canonical, count(*) as withdrawn, sum(capacity_mw) as mw
				from withdrawals where withdrawn and detected_at >= ${since.toISOString()}::timestamptz
				group by region, developer_canonical)
			select json_build_object(
				'since_days', ${since_days}::int,
				'by_day', coalesce((select json_agg(row_to_json(t)) from (
					select day, change_type, sum(changes) as count
					from counts group by day, change_type order by day desc, 3 desc, change_type) t), '[]'),
				'withdrawals_by_region', coalesce((select json_agg(row_to_json(t)) from (
					select region, sum(withdrawn) as withdrawn, coalesce(round(sum(mw)::numeric, 3)::float8, 0) as withdrawn_mw
					from withdrawn group by region order by 2 desc, 1) t), '[]'),
				'top_withdrawing_developers', coalesce((select json_agg(row_to_json(t)) from (
					select developer_canonical as developer, sum(withdrawn) as withdrawn, coalesce(round(sum(mw)::numeric, 3)::float8, 0) as withdrawn_mw
					from withdrawn where developer_canonical is not null
					group by developer_canonical order by 2 desc, 3 desc, 1 limit 25) t), '[]'),
				'new_entries_by_region', coalesce((select json_agg(row_to_json(t)) from (
					select region, sum(changes) as new_projects, round(sum(capacity_mw), 3)::float8 as new_mw
					from counts where change_type = 'new_project' group by region order by 2 desc, 1) t), '[]'))`,
		);
	};
}
