/** Operations on the freshness and size of this service's data. */
import type { Handlers, Reply } from "#libs/contract/index.ts";
import { oneJsonReply } from "#libs/postgres/replies/reply.ts";
import { type ReferenceSource, referenceSources } from "../references/sources/reference.ts";
import type { Resources } from "../resources.ts";

/** Age (hours) beyond which each source is stale, its supported formats, and the date of the newest published file that was read in full. */
export const references: Record<
	ReferenceSource,
	{ maxAgeHours: number; layout: { formats: string; verified: string } }
> = {
	// A notice is published each June, sometimes late.
	"energy-communities": { maxAgeHours: 400 * 24, layout: { formats: "xlsx, TSV, CSV", verified: "2025-01" } },
	// The list is fixed through 2028.
	"low-income": { maxAgeHours: 800 * 24, layout: { formats: "xlsx, JSON", verified: "2024-12" } },
	// Berkeley Lab publishes its studies region by region.
	"ic-costs": { maxAgeHours: 400 * 24, layout: { formats: "xlsx, CSV", verified: "2022" } },
};

export const sourceOperations = ({ sql, now }: Pick<Resources, "sql" | "now">) =>
	({
		/**
		 * A pipeline's age counts from the newest day in its loaded files: the day of publication, otherwise the first day of validity, or the
		 * day of a cost study. Without such a day the age is unknown.
		 */
		listScoringPipelines: () =>
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
				from unnest(${[...referenceSources]}::text[], ${referenceSources.map((source) => references[source].maxAgeHours)}::float8[])
					with ordinality as s (source, max_age, place)
				join reference_sources r using (source)
				cross join lateral (select greatest(max(coalesce(published_on, valid_from)), (select max(as_of)
						from filed_interconnection_costs where s.source = 'ic-costs'))::timestamp at time zone 'UTC' as at
					from reference_files f where f.source = s.source) published
				cross join lateral (select case when r.last_success_at is not null then greatest(0, round(extract(epoch from
					${now().toISOString()}::timestamptz - published.at)::numeric / 3600, 2))::float8 end as hours) age`,
			),

		listScoringSources: () =>
			oneJsonReply<Reply<"listScoringSources">>(
				sql,
				sql`
				select json_build_object('sources', json_agg(json_build_object('database', 'scoring', 'source', s.source, 'records', r.records,
					'last_checked', iso(r.last_checked_at), 'last_changed', iso(r.last_changed_at), 'unchecked_records', 0) order by s.place))
				from unnest(${[...referenceSources]}::text[]) with ordinality as s (source, place) join source_records r using (source)`,
			),

		describeScoringDatabases: () =>
			oneJsonReply<Reply<"describeScoringDatabases">>(
				sql,
				sql`
				select json_build_object('databases', json_build_array(json_build_object(
					'name', 'scoring',
					'row_count', (select count(*) from scores where score_version = (select active_version from settings))
						+ (select count(*) from developer_ratings),
					'size_mb', (select round(sum(pg_total_relation_size(c.oid))::numeric / 1048576, 2)::float8
						from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'),
					'last_modified', (select iso(raised_at) from data_version))))`,
			),
	}) satisfies Partial<Handlers<"scoring">>;
