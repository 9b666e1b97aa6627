import type { Handler, Reply } from "#libs/contract/index.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";
import type { Resources } from "../../resources.ts";
import { notReplaced } from "../../sources/archive.ts";
import { sources } from "../sources/index.ts";

/** Zombies (queues.md 4.4): active, more than three years past their date, without a change for two. */
export function getQueueIntegrity({ sql, now }: Resources): Handler<"getQueueIntegrity"> {
	const feeds = sources.filter((source) => source.region !== null);
	const names = feeds.map((source) => source.feed);
	const maxAges = feeds.map((source) => source.maxAgeHours);
	return async () => {
		const at = now().toISOString();
		const percent = (column: string) => sql`round(100.0 * count(${sql(column)}) / count(*), 1)::float8`;
		return oneJsonReply<Reply<"getQueueIntegrity">>(
			sql,
			sql`
			with p as (
				select p.*, d.parent_name from projects p left join developers d using (developer_id) where kind = 'generation'),
			regions as (
				select region, json_build_object('total', count(*),
					'active', count(*) filter (where status_std = 'Active'),
					'operational', count(*) filter (where status_std = 'Operational'),
					'last_change', iso(max(last_changed_at)),
					'energized', count(*) filter (where status_std = 'Operational' or energized_date is not null),
					'coverage', json_build_object('developer', ${percent("developer")}, 'queue_date', ${percent("queue_date")},
						'cod', ${percent("cod")}, 'county', ${percent("county")}, 'parent', ${percent("parent_name")},
						'poi_substation', ${percent("poi")})) as facts
				from p group by region),
			alerts as (
				select distinct on (f.region, f.reason) f.region,
					coalesce(nullif(array_to_string(feeds_of(f), ', '), ''), f.region) as feed, f.outcome as level,
					coalesce(f.reason, 'no reason') as reason, f.as_of, f.finished_at, f.id
				from snapshots f
				where f.outcome in ('quarantined', 'failed') and ${notReplaced(sql)}
				order by f.region, f.reason, f.id desc),
			newest as (
				select distinct on (f.feed) s.region, f.feed, f.unknown_values, f.unknown_columns, s.as_of, s.finished_at, s.id
				from snapshot_files f join snapshots s on s.id = f.snapshot_id
				where s.outcome = 'applied' and f.feed is not null order by f.feed, s.id desc),
			warnings as (
				select region, feed, 'warning' as level, concat_ws('; ',
					'values kept as filed, their meaning is not known: ' || (
						select string_agg(format('%s "%s" in %s rows', v ->> 'field', v ->> 'value', v ->> 'count'), ', ')
						from jsonb_array_elements(unknown_values) v where not v ? 'note'),
					(select string_agg(format('%s: %s rows', v ->> 'note', v ->> 'count'), '; ')
						from jsonb_array_elements(unknown_values) v where v ? 'note'),
					'columns kept raw: ' || (select string_agg(c, ', ') from jsonb_array_elements_text(unknown_columns) c)) as reason,
					as_of, finished_at, id
				from newest where unknown_values <> '[]' or unknown_columns <> '[]')
			select json_build_object(
				'snapshot', json_build_object(
					'generated_at', iso(${at}::timestamptz),
					'regions', coalesce((select json_object_agg(region, facts order by region) from regions), '{}'),
					'permits', '{}'::json,
					'zombies', coalesce((select json_agg(row_to_json(t)) from (
						select id, region, name, cod, capacity_mw, iso(last_changed_at) as last_changed_at from p
						where status_std = 'Active' and cod < (${at}::timestamptz - interval '3 years')::date
							and last_changed_at < ${at}::timestamptz - interval '24 months'
						order by cod, id limit 500) t), '[]'),
					'stale_sources', coalesce((select json_agg(s.feed order by s.feed)
						from unnest(${names}::text[], ${maxAges}::float8[]) as s (feed, max_age) left join feeds f using (feed)
						where f.last_success_at is null
							or f.last_success_at < ${at}::timestamptz - make_interval(secs => s.max_age * 3600)), '[]')),
				'alerts', coalesce((select json_agg(json_build_object('region', region, 'feed', feed, 'level', level,
					'reason', reason, 'as_of', iso(as_of), 'raised_at', iso(finished_at), 'snapshot_id', id) order by id desc)
					from (select * from alerts union all select * from warnings) a), '[]'),
				'has_baseline', exists (select from feeds where applied_as_of is not null))`,
		);
	};
}
