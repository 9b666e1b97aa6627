import type { Handler, Reply } from "#libs/contract/index.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";
import type { Resources } from "../../resources.ts";
import { anyMoment, changeCounts, changeDays, ofGeneration } from "./change-counts.ts";

/** Of generation requests. A withdrawal is a change of status by which a request became Withdrawn and still is, counted once for each project. */
export function summariseChanges({ sql, now }: Resources): Handler<"summariseChanges"> {
	return async ({ since_days }) => {
		const since = new Date(now().getTime() - since_days * 86_400_000);
		const withdrawn = sql`withdrawal_counts where detected_at >= ${anyMoment(sql, since)} and requests > 0`;
		const withdrawals = sql`sum(requests) as withdrawn, round(sum(capacity_mw), 3)::float8 as withdrawn_mw`;
		return oneJsonReply<Reply<"summariseChanges">>(
			sql,
			sql`
			select json_build_object(
				'since_days', ${since_days}::int,
				'by_day', coalesce((select json_agg(row_to_json(t)) from (
					select day, change_type, count from ${changeDays(sql, since)} d where change_type not in ('evidence_update', 'first_listed') order by day desc, count desc, change_type) t), '[]'),
				'withdrawals_by_region', coalesce((select json_agg(row_to_json(t)) from (
					select region, ${withdrawals} from ${withdrawn} group by region order by 2 desc, 1) t), '[]'),
				'top_withdrawing_developers', coalesce((select json_agg(row_to_json(t)) from (
					select developer_canonical as developer, ${withdrawals} from ${withdrawn} and developer_canonical is not null
					group by developer_canonical order by 2 desc, 3 desc, 1 limit 25) t), '[]'),
				'new_entries_by_region', coalesce((select json_agg(row_to_json(t)) from (
					select region, sum(changes) as new_projects, round(sum(capacity_mw), 3)::float8 as new_mw
					from ${changeCounts(sql, since)} c where ${ofGeneration(sql)} and change_type = 'new_project'
					group by region order by 2 desc, 1) t), '[]'))`,
		);
	};
}
