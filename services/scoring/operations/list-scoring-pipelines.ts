import type { Handler, Reply } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";
import { pipelines } from "../domain/pipelines.ts";

/** A pipeline is as old as the last file that was accepted, or looked at again and found unchanged. */
export function listScoringPipelines(sql: Sql, now: () => Date): Handler<"listScoringPipelines"> {
	const names = pipelines.map(({ name }) => name);
	const maxAges = pipelines.map(({ maxAgeHours }) => maxAgeHours);
	return async () =>
		oneJsonReply<Reply<"listScoringPipelines">>(
			sql,
			sql`
			select json_build_object('pipelines', json_agg(json_build_object(
				'pipeline', s.source,
				'last_success', iso(r.last_success_at),
				'age_hours', age.hours,
				'max_age_hours', s.max_age,
				'status', case when r.last_success_at is null then 'NEVER' when age.hours > s.max_age then 'STALE' else 'FRESH' end,
				'state', case r.last_outcome when 'refused' then 'failing' when 'unchanged' then 'unchanged' else 'ok' end)
				order by s.place))
			from unnest(${names}::text[], ${maxAges}::float8[]) with ordinality as s (source, max_age, place)
			join reference_sources r using (source)
			cross join lateral (select case when r.last_success_at is not null then greatest(0, round(extract(epoch from
				${now().toISOString()}::timestamptz - r.last_success_at)::numeric / 3600, 2))::float8 end as hours) age`,
		);
}
