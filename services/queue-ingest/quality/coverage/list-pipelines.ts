import type { Handler, Reply } from "#libs/contract/index.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";
import { datasets } from "../../datasets/index.ts";
import type { Resources } from "../../resources.ts";
import { pipelines } from "./pipelines.ts";

/**
 * A pipeline is as old as the last list that was accepted, or looked at again and found unchanged. How old a related dataset is that
 * states no day is unknown: that it was loaded yesterday does not make it fresh.
 */
export function listPipelines({ sql, now }: Resources): Handler<"listPipelines"> {
	const names = pipelines.map((pipeline) => pipeline.feed);
	const byHand = datasets.map(({ feed }) => feed);
	const maxAges = pipelines.map((pipeline) => pipeline.maxAgeHours);
	return async () =>
		oneJsonReply<Reply<"listPipelines">>(
			sql,
			sql`
			select json_build_object('pipelines', json_agg(json_build_object(
				'pipeline', s.feed,
				'last_success', iso(f.last_success_at),
				'age_hours', age.hours,
				'max_age_hours', s.max_age,
				'status', case when f.last_success_at is null then 'NEVER' when age.hours <= s.max_age then 'FRESH' else 'STALE' end,
				'state', case when f.paused then 'paused' when f.last_outcome in ('quarantined', 'failed') then 'failing'
					when f.last_outcome = 'unchanged' then 'unchanged' else 'ok' end) order by s.place))
			from unnest(${names}::text[], ${maxAges}::float8[]) with ordinality as s (feed, max_age, place)
			left join feeds f using (feed)
			cross join lateral (select case when f.last_success_at is not null and not (s.feed = any(${byHand}::text[]) and f.published_on is null) then greatest(0, round(extract(epoch from
				${now().toISOString()}::timestamptz - f.last_success_at)::numeric / 3600, 2))::float8 end as hours) age`,
		);
}
