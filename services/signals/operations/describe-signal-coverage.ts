import type { Handler, Reply } from "#libs/contract/index.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";
import { pipelines } from "../domain/pipelines.ts";
import { sampleFolder } from "../jobs/leave-sample.ts";

/** What each list of signals holds, as its endpoint would answer it without a filter. */
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

/** Of rows of a type, a moment that sorts as text, and whether a known developer is in it. */
const span = (sql: Sql, rows: Fragment): Fragment => sql`(
	select json_build_object('records', coalesce(sum(n), 0), 'matched', coalesce(sum(matched), 0), 'first', min(first),
		'last', max(last), 'by_type', coalesce(json_object_agg(type, n order by type) filter (where type is not null), '{}'))
	from (
		select type, count(*) as n, count(*) filter (where matched) as matched, min(moment) as first, max(moment) as last
		from (${rows}) r group by type) t)`;

/** Files of the sample are on record for as long as it is stored. */
const sampleDatabases = (sql: Sql): Fragment => sql`(
	select coalesce(json_agg(distinct p.database order by p.database desc), '[]')
	from unnest(${pipelines.map(({ name }) => name)}::text[], ${pipelines.map(({ database }) => database)}::text[]) as p (source, database)
		join source_files f using (source)
	where starts_with(f.name, ${sampleFolder}))`;
