import type { Handler, Reply } from "#libs/contract/index.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";
import { pipelines } from "../domain/pipelines.ts";
import type { Resources } from "../resources.ts";

/** A pipeline is as old as the last file that was accepted, or looked at again and found unchanged. */
export function listSignalPipelines({ sql, now }: Resources): Handler<"listSignalPipelines"> {
	const names = pipelines.map(({ name }) => name);
	const maxAges = pipelines.map(({ maxAgeHours }) => maxAgeHours);
	return async () =>
		oneJsonReply<Reply<"listSignalPipelines">>(
			sql,
			sql`
			select json_build_object('pipelines', json_agg(json_build_object(
				'pipeline', p.pipeline,
				'last_success', iso(p.last_success_at),
				'age_hours', age.hours,
				'max_age_hours', s.max_age,
				'status', case when p.last_success_at is null then 'NEVER' when age.hours > s.max_age then 'STALE' else 'FRESH' end,
				'state', case when p.paused then 'paused' when p.last_outcome in ('refused', 'failed') then 'failing'
					when p.last_outcome = 'unchanged' then 'unchanged' else 'ok' end) order by s.place))
			from unnest(${names}::text[], ${maxAges}::float8[]) with ordinality as s (pipeline, max_age, place)
			join pipelines p using (pipeline)
			cross join lateral (select case when p.last_success_at is not null then greatest(0, round(extract(epoch from
				${now().toISOString()}::timestamptz - p.last_success_at)::numeric / 3600, 2))::float8 end as hours) age`,
		);
}
