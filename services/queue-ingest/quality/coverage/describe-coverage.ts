/** Counts the loaded data. All parts are subqueries of one statement, so that they see the same snapshot. */
import { databasesOf } from "#libs/contract/databases.ts";
import { activeMw, waitingCondition } from "#libs/contract/filters/project-condition.ts";
import type { Handler, Reply } from "#libs/contract/index.ts";
import { maxListDays } from "#libs/contract/operations/coverage.ts";
import { projectRegions, regions } from "#libs/contract/vocabulary.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { oneJsonReply } from "#libs/postgres/replies/reply.ts";
import { schedules } from "../../plants/sources/schedule.ts";
import { sources } from "../../queues/sources/index.ts";
import { sampleUrl } from "../../sources/archive.ts";
import { registeredFeeds } from "./list-sources.ts";

/** Fields whose share of known values shows how much an operator publishes. */
const fields = [
	"name",
	"developer",
	"developer_canonical",
	"state",
	"county",
	"fips",
	"lat",
	"capacity_mw",
	"queue_date",
	"cod",
	"actual_cod",
	"withdrawn_date",
	"ia_date",
	"study_phase",
	"poi",
	"utility",
	"tax_credit_type",
	"investability_score",
];

export function describeCoverage(sql: Sql): Handler<"describeCoverage"> {
	return async () =>
		oneJsonReply<Reply<"describeCoverage">>(
			sql,
			sql`
			select json_build_object(
				'queues', ${queues(sql)},
				'entities', ${entities(sql)},
				'changes', (select json_build_object('records', count(*), 'first', iso(min(detected_at)), 'last', iso(max(detected_at)))
					from changes where change_type <> 'raw_update'),
				'developers', ${developers(sql)},
				'eia860', ${eia860(sql)},
				'dg', ${spans(sql, sql`select source, state, year::text as moment, edition, kind from dg_rows`, sql`, 'kind', kind`)},
				'datacenters', ${spans(
					sql,
					sql`
					select source, state, as_of::text as moment, edition, null as kind from datacenter_facilities
					union all select source, state, as_of::text, edition, null from datacenter_proposals`,
				)},
				'load_requests', (select json_agg(json_build_object('region', r.region, 'requests', (
						select count(*) from projects p where p.region = r.region and p.kind = 'load')) order by r.place)
					from unnest(${[...projectRegions]}::text[]) with ordinality as r (region, place)
					where r.region = any(${[...regions]}::text[]) or exists (select from projects p where p.region = r.region and p.kind = 'load')),
				'market', ${market(sql)},
				'sample_databases', ${sampleDatabases(sql)})`,
		);
}

function queues(sql: Sql): Fragment {
	const known = sources.flatMap(({ feed, region }) => (region === null ? [] : [{ feed, region }]));
	const feeds = known.map(({ feed }) => feed);
	const feedRegions = known.map(({ region }) => region);
	const filled = fields
		.map((field) => sql`${field}::text, fraction(count(${sql(field)}), count(*))`)
		.reduce((all, one) => sql`${all}, ${one}`);
	return sql`(
		with generation as (
			select region, count(*) as requests, json_build_object(${filled}) as filled,
				array_agg(distinct state order by state) filter (where state is not null) as states
			from projects where kind = 'generation' group by region),
		statuses as (select region, json_object_agg(status_std, n order by status_std) as tally from (
			select region, status_std, count(*) as n from projects where kind = 'generation' group by 1, 2) s group by region),
		kinds as (select region, json_object_agg(kind, n order by kind) as tally from (
			select region, kind, count(*) as n from projects group by 1, 2) k group by region),
		lists as (
			select s.region, json_agg(json_build_object('source', s.feed, 'published_on', f.published_on,
				'as_of', iso(f.applied_as_of), 'requests', coalesce(f.requests, 0)) order by s.place) as lists
			from unnest(${feeds}::text[], ${feedRegions}::text[]) with ordinality as s (feed, region, place)
			left join feeds f using (feed) group by s.region),
		days as (select region, json_agg(day order by day) as days from (
			select region, day, row_number() over (partition by region order by day desc) as place from (
				select distinct region, to_char(as_of at time zone 'UTC', 'YYYY-MM-DD') as day from snapshots
				where region = any(${[...regions]}::text[]) and outcome in ('applied', 'backfilled')) all_days) d
			where place <= ${maxListDays} group by region)
		select json_agg(json_build_object('region', r.region, 'loaded', g.requests is not null,
			'requests', coalesce(g.requests, 0), 'by_status', coalesce(s.tally, '{}'), 'by_kind', coalesce(k.tally, '{}'),
			'states', coalesce(g.states, '{}'), 'filled', coalesce(g.filled, '{}'), 'lists', coalesce(l.lists, '[]'),
			'list_days', coalesce(d.days, '[]')) order by r.place)
		from unnest(${[...regions]}::text[]) with ordinality as r (region, place)
		left join generation g using (region) left join statuses s using (region) left join kinds k using (region)
		left join lists l using (region) left join days d using (region))`;
}

/** For a utility that the newest edition lacks, `newest_day` is the day of its last change. */
const entities = (sql: Sql): Fragment => sql`(
	select coalesce(json_agg(json_build_object('region', e.region, 'entity', e.entity, 'requests', e.requests, 'active_gw', e.active_gw,
		'outcomes', e.outcomes, 'newest_day', e.newest_day) order by r.place, e.entity), '[]')
	from unnest(${[...projectRegions]}::text[]) with ordinality as r (region, place) join (
		select p.region, case when p.kind = 'utility' then coalesce(p.utility, p.region) else p.region end as entity, count(*) as requests,
			round(coalesce(sum(${activeMw(sql)}) filter (where ${waitingCondition(sql)}), 0)::numeric / 1000, 3)::float8 as active_gw,
			count(*) filter (where p.status_std in ('Withdrawn', 'Operational')) as outcomes,
			to_char(max(case when p.listed = 'listed' then f.applied_as_of else p.last_changed_at end) at time zone 'UTC', 'YYYY-MM-DD') as newest_day
		from projects p left join feeds f using (feed) where p.kind in ('generation', 'utility') group by 1, 2) e using (region))`;

const developers = (sql: Sql): Fragment => sql`(
	select json_build_object(
		'developers', (select count(*) from listed_developers), 'curated', (select count(*) from listed_developers where known),
		'requests_with_developer', fraction(count(developer_id), count(developer)))
	from projects where kind = 'generation')`;

const eia860 = (sql: Sql): Fragment => sql`(
	select coalesce(json_agg(json_build_object('year', year, 'loaded', loaded, 'missing', missing, 'plants', plants,
		'generators', generators, 'early_release', early) order by year), '[]')
	from (
		select year, array_agg(schedule order by schedule) as loaded, bool_or(early_release) as early,
			array(select unnest(${[...schedules]}::text[]) except select unnest(array_agg(schedule)) order by 1) as missing,
			(select count(*) from plants p where p.year = s.year) as plants,
			(select count(distinct (plant_id, generator_id)) from generators g where g.year = s.year) as generators
		from eia_schedules s group by year) y)`;

/** Counts the rows of each source, and lists its states, editions, and first and last year or day. `kind`: SQL of one more member per source. */
const spans = (sql: Sql, rows: Fragment, kind = sql``): Fragment => sql`(
	select coalesce(json_agg(json_build_object('source', source, 'records', records, 'states', coalesce(states, '{}'), 'first', first,
		'last', last, 'editions', editions[:20] ${kind}) order by source), '[]')
	from (
		select source, min(kind) as kind, count(*) as records,
			array_agg(distinct state order by state) filter (where state is not null) as states,
			min(moment) as first, max(moment) as last, array_agg(distinct edition order by edition desc) as editions
		from (${rows}) r group by source) s)`;

/** A local day counts as loaded if one of its hours is. */
const market = (sql: Sql): Fragment => sql`(
	select coalesce(json_agg(row_to_json(m) order by iso, market), '[]')
	from (
		select iso, market, case when bool_or(finest_interval = 'hour') then 'hour' else 'month' end as finest_interval,
			count(distinct hub_id) filter (where hub_type = 'hub') as hubs, count(distinct hub_id) filter (where hub_type = 'zone') as zones,
			count(distinct hub_id) filter (where hub_type = 'interface') as interfaces,
			count(distinct hub_id) filter (where hub_type = 'node') as nodes,
			count(distinct local_date) as days, sum(hours) as hours, iso(min(first_at)) as first, iso(max(last_at)) as last
		from market_days join market_hubs using (iso, hub_id) group by iso, market) m)`;

/** A publisher's first file removes the sample's files, so if a sample file is applied, the database contains the sample. */
function sampleDatabases(sql: Sql): Fragment {
	return sql`(
	select coalesce(json_agg(d.database order by d.place), '[]')
	from unnest(${databasesOf("queue-ingest")}::text[]) with ordinality as d (database, place)
	-- The companies of the sample's requests are part of the sample.
	where case d.database when 'developer' then 'master' else d.database end in (
		select r.database
		from snapshot_files f join snapshots s on s.id = f.snapshot_id
			join unnest(${registeredFeeds.map(({ feed }) => feed)}::text[], ${registeredFeeds.map(({ database }) => database)}::text[]) as r (feed, database) on r.feed = f.feed
		where f.url = ${sampleUrl} and s.outcome = 'applied'))`;
}

export function describeDatabases(sql: Sql): Handler<"describeDatabases"> {
	return async () =>
		oneJsonReply<Reply<"describeDatabases">>(
			sql,
			sql`
			with sizes as materialized (${sizes(sql)})
			select json_build_object('databases', (select json_agg(json_build_object(
				'name', name, 'row_count', rows,
				'size_mb', coalesce((select round(bytes / 1048576, 2)::float8 from sizes where database = name), 0),
				'last_modified', iso(modified)) order by place)
				from (values
					(1, 'master', (select coalesce(sum(projects), 0) from project_counts), (select raised_at from data_version)),
					(2, 'developer', (select count(*) from listed_developers), (select max(updated_at) from developers)),
					(3, 'grid', (select coalesce(sum(stored), 0) from eia_schedules)
							+ (select coalesce(sum(stored), 0) from dataset_editions where database = 'grid'),
						greatest((select max(loaded_at) from eia_schedules),
							(select max(applied_at) from dataset_editions where database = 'grid'))),
					${stored(sql, 4, "dg", sql`(select coalesce(sum(projects), 0) from project_counts where kind = 'distribution')`)},
					${stored(sql, 5, "datacenter")}, ${stored(sql, 6, "market")}
				) as t (place, name, rows, modified)))`,
		);
}

/** A row of `values`: all stored rows of a related dataset, plus `more` (for `dg`, the installations that are stored like requests). */
const stored = (sql: Sql, place: number, name: string, more = sql`0`): Fragment => sql`
	(${place}::int, ${name}::text, (select coalesce(sum(stored), 0) from dataset_editions where database = ${name}) + ${more},
		(select max(applied_at) from dataset_editions where database = ${name}))`;

const sizes = (sql: Sql): Fragment => sql`
	select case
			when relname like 'developer%' or relname in ('company_evidence', 'register_edition') then 'developer'
			when relname in ('plants', 'generators', 'plant_owners', 'utilities', 'eia_schedules', 'generator_ownership', 'project_plants', 'grid_units',
					'linked_editions')
				then 'grid'
			when relname like 'dg\\_%' then 'dg'
			when relname like 'datacenter%' then 'datacenter'
			when relname like 'market\\_%' then 'market'
			else 'master' end as database,
		sum(pg_total_relation_size(oid)) as bytes
	from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r' group by 1`;
