import type { Handler, Reply } from "#libs/contract/index.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { oneJsonReply } from "#libs/postgres/replies/reply.ts";
import { pipelineNames, pipelines } from "../records/records.ts";
import type { Resources } from "../records/storing.ts";
import { sampleFolder } from "./store.ts";

/** A step or feed that has been failing for this long is listed separately, because all of them publish at least daily. */
const cadenceHours = 24;

/**
 * A pipeline's age counts from its last accepted or unchanged file. The age of a failing step or feed counts from its first failure, whose
 * time is returned as `last_success`.
 */
export function listSignalPipelines({ sql, now }: Resources): Handler<"listSignalPipelines"> {
	const names = pipelines.map(({ name }) => name);
	const maxAges = pipelines.map(({ maxAgeHours }) => maxAgeHours);
	const dayAgo = () => new Date(now().getTime() - cadenceHours * 3_600_000).toISOString();
	return async () =>
		oneJsonReply<Reply<"listSignalPipelines">>(
			sql,
			sql`
			select json_build_object('pipelines', json_agg(json_build_object(
				'pipeline', p.pipeline,
				'last_success', iso(p.last_success_at),
				'age_hours', age.hours,
				'max_age_hours', p.max_age,
				'status', case when p.last_success_at is null then 'NEVER' when age.hours > p.max_age then 'STALE' else 'FRESH' end,
				'state', p.state) order by p.place, p.pipeline))
			from (
				select pipeline, max_age, place, last_success_at,
					case when last_outcome in ('refused', 'failed') then 'failing'
						when last_outcome = 'unchanged' then 'unchanged' else 'ok' end as state
				from unnest(${names}::text[], ${maxAges}::float8[]) with ordinality as s (pipeline, max_age, place)
				join pipelines using (pipeline)
				union all
				select feed, ${cadenceHours}::float8, null, failing_since, 'failing' from looks
				where failing_since < ${dayAgo()}::timestamptz and looked_at > ${dayAgo()}::timestamptz) p
			cross join lateral (select case when p.last_success_at is not null then greatest(0, round(extract(epoch from
				${now().toISOString()}::timestamptz - p.last_success_at)::numeric / 3600, 2))::float8 end as hours) age`,
		);
}

/** `unchecked_records` of form-d counts listed filings whose content is not stored. */
export function listSignalSources(sql: Sql): Handler<"listSignalSources"> {
	return async () =>
		oneJsonReply<Reply<"listSignalSources">>(
			sql,
			sql`
			select json_build_object('sources', json_agg(json_build_object(
				'database', r.database, 'source', r.pipeline, 'records', r.records, 'last_checked', iso(r.last_checked_at),
				'last_changed', iso(r.last_changed_at), 'unchecked_records', r.unchecked_records) order by s.place))
			from unnest(${[...pipelineNames]}::text[]) with ordinality as s (pipeline, place)
			join source_records r using (pipeline)`,
		);
}

/** Describes each list as its endpoint returns it without filters. */
export function describeSignalCoverage(sql: Sql): Handler<"describeSignalCoverage"> {
	return async () =>
		oneJsonReply<Reply<"describeSignalCoverage">>(
			sql,
			sql`
			select json_build_object(
				'news', ${span(
					sql,
					sql`
					select event_type as type, iso(published_at) as moment, exists (
						select from article_matches m where m.article_id = a.article_id) as matched from articles a`,
				)},
				'capital_raises', ${span(
					sql,
					sql`
					select case when is_amendment then 'amendment' else 'new' end as type, filing_date::text as moment,
						developer_id is not null as matched from raises`,
				)},
				'material_events', ${span(
					sql,
					sql`
					select event_type as type, filing_date::text as moment, developer_id is not null as matched from filings
					where event_type is not null`,
				)},
				'ma_events', ${span(
					sql,
					sql`
					select event_type as type, effective_on::text as moment,
						coalesce(seller_canonical, buyer_canonical) is not null as matched from ma_events where not retracted`,
				)},
				'sample_databases', ${sampleDatabases(sql)})`,
		);
}

/** `rows` has the columns `type`, `moment` (a time or day that sorts as text) and `matched` (to a known developer). */
const span = (sql: Sql, rows: Fragment): Fragment => sql`(
	select json_build_object('records', coalesce(sum(n), 0), 'matched', coalesce(sum(matched), 0), 'first', min(first),
		'last', max(last), 'by_type', coalesce(json_object_agg(type, n order by type) filter (where type is not null), '{}'))
	from (
		select type, count(*) as n, count(*) filter (where matched) as matched, min(moment) as first, max(moment) as last
		from (${rows}) r group by type) t)`;

const sampleDatabases = (sql: Sql): Fragment => sql`(
	select coalesce(json_agg(distinct r.database order by r.database desc), '[]')
	from source_records r join source_files f on f.source = r.pipeline
	where starts_with(f.name, ${sampleFolder}))`;

/** `capital` contains exempt offerings, and `signals` everything else. */
export function describeSignalDatabases(sql: Sql): Handler<"describeSignalDatabases"> {
	return async () =>
		oneJsonReply<Reply<"describeSignalDatabases">>(
			sql,
			sql`
			with sizes as (
				select c.relname in ('raises', 'indexed_filings') as capital,
					round(sum(pg_total_relation_size(c.oid))::numeric / 1048576, 2)::float8 as mb
				from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' group by 1)
			select json_build_object('databases', json_build_array(
				json_build_object('name', 'signals',
					'row_count', (select count(*) from articles) + (select count(*) from filings)
						+ (select count(*) from ma_events where not retracted),
					'size_mb', (select mb from sizes where not capital),
					'last_modified', (select iso(raised_at) from data_version)),
				json_build_object('name', 'capital',
					'row_count', (select count(*) from raises),
					'size_mb', (select mb from sizes where capital),
					'last_modified', (select iso(last_changed_at) from pipelines where pipeline = 'form-d'))))`,
		);
}
