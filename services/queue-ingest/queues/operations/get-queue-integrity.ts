import { activeCondition } from "#libs/contract/filters/project-condition.ts";
import type { Handler } from "#libs/contract/index.ts";
import { type IntegrityFinding, integrityFindings } from "#libs/contract/vocabulary.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { type ListPage, readPage, replyList } from "#libs/postgres/replies/list.ts";
import type { Resources } from "../../resources.ts";
import { notReplaced } from "../../sources/archive.ts";
import { sources } from "../sources/index.ts";

/** Only zombie requests are paged; everything else is the same on each page. */
export function getQueueIntegrity({ sql, now }: Resources): Handler<"getQueueIntegrity"> {
	return async ({ page, per_page, cursor }) => {
		const at = now();
		const listPage = await readPage(
			sql,
			{
				filters: {},
				tables: sql`${regions(sql)}, ${alerts(sql)},`,
				chosen: sql`projects where ${findingCondition(sql, "zombies", at)}`,
				sort: [{ column: "cod" }, { column: "id" }],
				rows: sql`select p.id, p.region, p.name, p.cod, p.capacity_mw, iso(p.last_changed_at) as last_changed_at
					from page join projects p using (id)`,
				fields: {
					generated_at: sql`select to_json(iso(${at.toISOString()}::timestamptz))`,
					regions: sql`select coalesce(json_object_agg(region, facts order by region), '{}') from regions`,
					permits: permits(sql),
					findings: findings(sql, at),
					stale_sources: staleSources(sql, at),
					alerts: sql`
						select coalesce(json_agg(json_build_object('region', region, 'feed', feed, 'level', level,
							'reason', reason, 'as_of', iso(as_of), 'raised_at', iso(finished_at), 'snapshot_id', id) order by id desc), '[]')
						from (select * from alerts union all select * from warnings) a`,
					has_baseline: sql`select to_json(exists (select from feeds where applied_as_of is not null))`,
				},
			},
			{ page, per_page, cursor },
		);
		return { json: writeIntegrity(listPage), dataVersion: listPage.dataVersion };
	};
}

/** Writes the rows as `zombies` between `snapshot` and `meta`. */
function writeIntegrity({ rows, meta, fields }: ListPage): Buffer {
	const { alerts, has_baseline, ...facts } = fields;
	const head = JSON.stringify(facts).slice(0, -1);
	const tail = JSON.stringify({ meta, alerts, has_baseline }).slice(1);
	return Buffer.concat([Buffer.from(`{"snapshot":${head},"zombies":[`), rows, Buffer.from(`]},${tail}`)]);
}

function regions(sql: Sql): Fragment {
	const percent = (column: string) => sql`round(100.0 * count(${sql(column)}) / count(*), 1)::float8`;
	return sql`
		p as (select p.*, d.parent_name from projects p left join developers d using (developer_id) where kind = 'generation'),
		regions as (
			select region, json_build_object('total', count(*),
				'active', count(*) filter (where ${activeCondition(sql)}),
				'operational', count(*) filter (where status_std = 'Operational'),
				'last_change', iso(max(last_changed_at)),
				'energized', count(*) filter (where status_std = 'Operational' or energized_date is not null),
				'coverage', json_build_object('developer', ${percent("developer")}, 'queue_date', ${percent("queue_date")},
					'cod', ${percent("cod")}, 'county', ${percent("county")}, 'parent', ${percent("parent_name")},
					'poi_substation', ${percent("poi")})) as facts
			from p group by region)`;
}

function findings(sql: Sql, at: Date): Fragment {
	const each = integrityFindings
		.map(
			(finding) => sql`
			select ${finding}::text as finding, region, count(*) as n from projects
			where ${findingCondition(sql, finding, at)} group by region`,
		)
		.reduce((all, one) => sql`${all} union all ${one}`);
	return sql`
		select json_object_agg(finding, json_build_object('total', total, 'by_region', by_region)) from (
			select finding, coalesce(sum(n), 0) as total,
				coalesce(json_object_agg(region, n order by region) filter (where region is not null), '{}') as by_region
			from unnest(${[...integrityFindings]}::text[]) finding left join (${each}) counted using (finding) group by finding) f`;
}

/** Columns of operators' lists that contain the day of a permit; the value "Not Required" is not a permit. */
const permitColumns = { air: "Air Permit", ghg: "GHG Permit" };

function permits(sql: Sql): Fragment {
	const kinds = Object.keys(permitColumns);
	const columns = Object.values(permitColumns);
	return sql`
		select coalesce(json_object_agg(source, facts order by source), '{}') from (
			select format('%s %s', region, kind_of) as source, json_build_object('permits', count(*),
				'matched', count(*) filter (where listed = 'listed'), 'last', iso(max(filed)::timestamp at time zone 'UTC')) as facts
			from projects cross join unnest(${kinds}::text[], ${columns}::text[]) as c (kind_of, header)
			cross join lateral (select raw ->> header as filed) f
			where kind = 'generation' and raw ?| ${columns}::text[] and filed ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'
			group by region, kind_of) p`;
}

/** Snapshots that were held back or failed, by reason, and unknown values and columns of the newest accepted ones. */
const alerts = (sql: Sql): Fragment => sql`
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
		from newest where unknown_values <> '[]' or unknown_columns <> '[]')`;

function staleSources(sql: Sql, at: Date): Fragment {
	const feeds = sources.filter((source) => source.region !== null && !source.utility);
	const names = feeds.map((source) => source.feed);
	const maxAges = feeds.map((source) => source.maxAgeHours);
	return sql`
		select coalesce(json_agg(s.feed order by s.feed), '[]')
		from unnest(${names}::text[], ${maxAges}::float8[]) as s (feed, max_age) left join feeds f using (feed)
		where f.last_success_at is null
			or f.last_success_at < ${at.toISOString()}::timestamptz - make_interval(secs => s.max_age * 3600)`;
}

export function listIntegrityFindings({ sql, now }: Resources): Handler<"listIntegrityFindings"> {
	return async ({ page, per_page, cursor, ...filters }) => {
		const { finding, region } = filters;
		return replyList(
			sql,
			{
				filters,
				chosen: sql`projects where ${findingCondition(sql, finding, now())}
					${region === undefined ? sql`` : sql`and region = ${region}`}`,
				sort: [{ column: "id" }],
				rows: sql`select p.id, p.region, p.name, p.status, p.status_std, p.queue_date, p.cod, p.actual_cod, p.energized_date,
						p.withdrawn_date, p.capacity_mw, iso(p.last_changed_at) as last_changed_at
					from page join projects p using (id)`,
			},
			{ page, per_page, cursor },
		);
	};
}

/** Earliest plausible date: the oldest queue date of an operator is in 1996 (ISO-NE). */
const earliestDate = "1996-01-01";
/** Maximum plausible years until a projected date; those in the lists are at most ten years ahead. */
const maxYearsAhead = 20;

/** Condition on requests that are in the newest list; operators no longer file the others. */
function findingCondition(sql: Sql, finding: IntegrityFinding, at: Date): Fragment {
	const now = sql`${at.toISOString()}::timestamptz`;
	const today = sql`(${now} at time zone 'UTC')::date`;
	const conditions: Record<IntegrityFinding, Fragment> = {
		zombies: sql`status_std = 'Active' and cod < (${now} - interval '3 years')::date
			and last_changed_at < ${now} - interval '24 months'`,
		cod_before_queue_date: sql`least(cod, actual_cod) < queue_date`,
		// `greatest` and `least` ignore dates that are not filed.
		implausible_date: sql`(least(cod, actual_cod) < ${earliestDate}::text::date
			or cod > ${today} + make_interval(years => ${maxYearsAhead})
			or greatest(queue_date, actual_cod, withdrawn_date) > ${today})`,
		// If another publisher states that the plant operates, the evidence contains the date.
		operational_without_date: sql`status_std = 'Operational' and status_basis is distinct from 'other_source' and actual_cod is null and energized_date is null`,
	};
	return sql`kind = 'generation' and listed = 'listed' and ${conditions[finding]}`;
}
