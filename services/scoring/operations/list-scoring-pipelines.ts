import type { Handler, Reply } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";
import { pipelines } from "../domain/pipelines.ts";

/** A pipeline is as old as the newest day that what was loaded states: publication, else validity, or the study of a cost. Without a day its age is not known. */
export function listScoringPipelines(sql: Sql, now: () => Date): Handler<"listScoringPipelines"> {
	const names = pipelines.map(({ name }) => name);
	const maxAges = pipelines.map(({ maxAgeHours }) => maxAgeHours);
	return async () =>
		oneJsonReply<Reply<"listScoringPipelines">>(
			sql,
			sql`
			select json_build_object('pipelines', json_agg(json_build_object(
				'pipeline', s.source,
				'last_success', iso(least(r.last_success_at, published.at)),
				'age_hours', age.hours,
				'max_age_hours', s.max_age,
				'status', case when r.last_success_at is null then 'NEVER' when age.hours <= s.max_age then 'FRESH' else 'STALE' end,
				'state', case r.last_outcome when 'refused' then 'failing' when 'unchanged' then 'unchanged' else 'ok' end)
				order by s.place))
			from unnest(${names}::text[], ${maxAges}::float8[]) with ordinality as s (source, max_age, place)
			join reference_sources r using (source)
			cross join lateral (select greatest(max(coalesce(published_on, valid_from)), (select max(as_of)
					from filed_interconnection_costs where s.source = 'ic-costs'))::timestamp at time zone 'UTC' as at
				from reference_files f where f.source = s.source) published
			cross join lateral (select case when r.last_success_at is not null then greatest(0, round(extract(epoch from
				${now().toISOString()}::timestamptz - published.at)::numeric / 3600, 2))::float8 end as hours) age`,
		);
}
