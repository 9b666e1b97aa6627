/** Lists the sources of each database with their record counts and dates, and the pipelines with their ages. */
import type { Database } from "#libs/contract/databases.ts";
import type { SourceNote } from "#libs/contract/envelopes.ts";
import type { Handler, Reply } from "#libs/contract/index.ts";
import type { ProjectRegion } from "#libs/contract/vocabulary.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { oneJsonReply } from "#libs/postgres/replies/reply.ts";
import { datasets } from "../../datasets/index.ts";
import { eia860 } from "../../plants/sources/index.ts";
import { operators, partialSources, programmes, sources } from "../../queues/sources/index.ts";
import type { Publication } from "../../sources/source.ts";
import type { Resources } from "../../resources.ts";

export const registeredFeeds: readonly { feed: string; database: Database }[] = [
	...[...sources, ...partialSources].map(({ feed }) => ({ feed, database: "master" as const })),
	{ feed: eia860.feed, database: "grid" },
	...programmes.map(({ feed }) => ({ feed, database: "dg" as const })),
	...datasets.map(({ feed, database }) => ({ feed, database })),
];

const usualLicense =
	"Published for the public on the operator's site; facts are republished here, the file itself is not";

function createNote(region: ProjectRegion, publication: Publication): SourceNote {
	const { publisher, licence = usualLicense } = { ...operators[region], ...publication };
	return { publisher, licence, attribution: `Source: ${publisher}`, cadence: "daily", ...publication };
}

/** Descriptions of the sources that operators publish. */
export const notes: Record<string, SourceNote> = Object.fromEntries(
	[...sources, ...partialSources, ...datasets].flatMap(({ feed, region, publication }) =>
		region && publication ? [[feed, createNote(region, publication)]] : [],
	),
);

/** Includes feeds that were never polled, whose values are null. Files about developers, which are loaded by hand, come last. */
export function listSources(sql: Sql): Handler<"listSources"> {
	const feeds = registeredFeeds.map(({ feed }) => feed);
	const databases = registeredFeeds.map(({ database }) => database);
	return async () =>
		oneJsonReply<Reply<"listSources">>(
			sql,
			sql`
			select json_build_object('notes', ${JSON.stringify(notes)}::text::json, 'sources', json_agg(json_build_object(
				'database', database, 'source', source, 'records', coalesce(records, 0),
				'last_checked', iso(last_checked_at), 'last_changed', iso(last_changed_at),
				'unchecked_records', coalesce(unchecked_records, 0)) order by place, source))
			from (
				select s.database, s.feed as source, r.records, r.last_checked_at, r.last_changed_at, r.unchecked_records, s.place
				from unnest(${feeds}::text[], ${databases}::text[]) with ordinality as s (feed, database, place)
				left join source_records r using (feed)
				union all
				select 'developer', source, records, last_checked_at, last_changed_at, 0, null from developer_sources) t`,
		);
}

/**
 * A pipeline's age is the time since a list was last accepted or found unchanged. The age of a related dataset without a publication day is
 * unknown, because loading it does not make it fresh.
 */
export function listPipelines({ sql, now }: Resources): Handler<"listPipelines"> {
	const names = pipelines.map((pipeline) => pipeline.feed);
	const datasetFeeds = datasets.map(({ feed }) => feed);
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
			cross join lateral (select case when f.last_success_at is not null and not (s.feed = any(${datasetFeeds}::text[]) and f.published_on is null) then greatest(0, round(extract(epoch from
				${now().toISOString()}::timestamptz - f.last_success_at)::numeric / 3600, 2))::float8 end as hours) age`,
		);
}

export const pipelines: readonly { feed: string; maxAgeHours: number }[] = [
	...sources,
	eia860,
	...programmes,
	...datasets,
];
