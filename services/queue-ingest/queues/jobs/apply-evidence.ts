/** Lets the standard status of requests follow what no list of their operator says of them, and takes it back. Set-based. */
import type { Fragment, Transaction } from "#libs/postgres/connect.ts";
import { refreshPortfolios } from "../../history/events/portfolios.ts";
import { publishChanges } from "../../history/events/publish-changes.ts";
import { publishProjects } from "../../history/events/publish-projects.ts";
import { newestSeq } from "../../history/newest-seq.ts";
import { writeHistory } from "../../history/write-history.ts";
import type { OpenRequest } from "../open-request.ts";
import { evidenceFor, type Reports, replaced, replacedBy } from "../status-evidence.ts";

interface EvidenceSource {
	snapshotId: number;
	/** ISO moment of the list or edition that shows it. */
	asOf: string;
	/** Only requests of this list. */
	feed?: string;
	/** All requests except those of this list. */
	besides?: string;
}

/**
 * For every request, by what is known now. Expects the table `written` of the list at work: a request there has its new version already,
 * others get one and are added. Needs the schema-wide write lock.
 */
export async function applyEvidence(tx: Transaction, source: EvidenceSource): Promise<void> {
	const [any] = await tx<{ exists: boolean }[]>`
		select exists (select from lbnl_requests) or exists (select from project_plants)
			or exists (select from projects where missing_since is not null or as_filed is not null) as exists`;
	if (any?.exists !== true) return;
	const chosen = chosenBy(tx, source);
	await noteMoves(tx, chosen, await readEvidence(tx, chosen));
	await writeMoves(tx, source.asOf);
	await writeChanges(tx, source);
}

/** For what is no list: the history of each request that follows, and its announcement, too. Answers how many they are. */
export async function followEvidence(tx: Transaction, source: EvidenceSource): Promise<number> {
	await tx`drop table if exists written`;
	await tx`create temporary table written (id text primary key) on commit drop`;
	const before = await newestSeq(tx);
	await applyEvidence(tx, source);
	await writeHistory(tx, { snapshotId: source.snapshotId, from: source.asOf, derived: true });
	await publishChanges(tx, before);
	const developers = await tx<{ id: number }[]>`
		select distinct developer_id as id from written w join projects p using (id) where developer_id is not null`;
	await refreshPortfolios(
		tx,
		developers.map((row) => row.id),
	);
	return publishProjects(
		tx,
		tx`
		-- No snapshot: that of an edition says nothing of the day of the operator's list.
		select w.id, v.valid_from as as_of, null::bigint as snapshot_id, 'null' as previous_developer,
			coalesce((select json_agg(json_build_object('seq', seq, 'change_type', change_type, 'field_name', field_name,
					'old_value', old_value, 'new_value', new_value) order by seq)::text
				from changes c where c.snapshot_id = ${source.snapshotId}::bigint and c.project_id = w.id and c.change_type <> 'raw_update'), '[]') as changes
		from written w join projects p on p.id = w.id
		join project_versions v on v.project_id = p.id and v.version = p.version and v.valid_to is null`,
	);
}

/** On `projects p`. */
function chosenBy(tx: Transaction, { feed, besides }: EvidenceSource): Fragment {
	if (feed !== undefined) return tx`p.feed = ${feed}`;
	return besides === undefined ? tx`true` : tx`p.feed <> ${besides}`;
}

type Row = OpenRequest & Reports & { id: string };

/** Values of the columns that evidence can replace, as the row has them. */
export const valuesOf = (row: string): string =>
	`jsonb_build_object(${replaced.map((name) => `'${name}', ${row}.${name}`).join(", ")})`;

/** The values of an object (SQL) under the names of another. */
export const namedBy = (values: string, names: string): string =>
	`(select jsonb_object_agg(name, ${values} -> name) from jsonb_object_keys(${names}) as name)`;

/** Assigns to the columns the values of an object (SQL) that has them all. */
export const setReplaced = (values: string): string =>
	`(${replaced.join(", ")}) = (select ${replaced.join(", ")} from jsonb_populate_record(null::projects, ${values}))`;

/** The column of the row as its operator's lists say it. */
export const filed = (row: string, column: (typeof replaced)[number]): string =>
	`case when ${row}.as_filed ? '${column}' then ${row}.as_filed ->> '${column}' else ${row}.${column} end`;

/** A source decides what the row shows in place of what is filed, not the request's absence alone. */
export const isReported = (row: string): string =>
	`(${row}.as_filed is not null and ${row}.status_basis is distinct from 'absence')`;

/**
 * Values of a request that has disappeared, which says neither that it is open, nor that it was built or given up; null of any other. A plant
 * that stood at its site stands there.
 */
export const absence = (row: string): string => `
	case when ${row}.disappeared_at is not null and ${filed(row, "status_std")} not in ('Operational', 'Withdrawn') then
		jsonb_build_object('status_std', 'Unknown', 'status_basis', 'absence', 'status_evidence',
			'Not in its lists since ' || to_char(${row}.missing_since at time zone 'UTC', 'YYYY-MM-DD') || '; no source states an outcome')
		|| case when ${filed(row, "plant_state")} in ('none', 'under_construction')
			then '{"plant_state": "unknown", "plant_state_basis": null, "plant_state_evidence": null}' else '{}' end::jsonb end`;

/** Requests that are open, as their operator filed them. */
async function readEvidence(tx: Transaction, chosen: Fragment): Promise<Found[]> {
	const rows = await tx<Row[]>`
		with open as (
			select p.id, p.name, p.type_std, p.capacity_mw, p.components, p.status, p.listed, p.queue_date, p.cod,
				${tx.unsafe(filed("p", "status_std"))} as status_std, ${tx.unsafe(filed("p", "added_type_std"))} is not null as is_addition,
				${tx.unsafe(filed("p", "construction_stage"))} as stage, ${tx.unsafe(filed("p", "plant_state"))} as plant_state
			from projects p
			where ${chosen} and (p.kind = 'generation' or p.listed <> 'listed')
				and ${tx.unsafe(filed("p", "status_std"))} not in ('Operational', 'Withdrawn')
				and (p.capacity_basis <> 'net_change' or p.listed <> 'listed')),
		outcome as (
			select distinct on (s.id) s.id, json_build_object('status', r.status_std, 'on', r.on_date, 'report', r.edition) as outcome
			from open s join project_aliases a on a.project_id = s.id
			join request_reports r on r.region = a.region and r.key = a.key and r.status_std is not null
			where s.listed <> 'listed' and r.edition::date >= (select max(v.valid_from)::date from project_versions v
				where v.project_id = s.id and v.missing_since is null and not v.derived)
			order by s.id, r.edition desc),
		lbnl as (
			select s.id, json_agg(json_build_object('name', l.request ->> 'name', 'typeStd', l.request ->> 'typeStd', 'queueDate', l.request ->> 'queueDate',
				'operationDate', l.request ->> 'actualCod') order by l.repeat) as requests
			from open s join project_aliases a on a.project_id = s.id
			join lbnl_requests l on l.lbnl_region = a.region and l.key = a.key and l.status_std = 'Operational'
			where s.status is null or s.listed <> 'listed' or s.components <> '[]'
			group by s.id),
		edition as (select (applied_as_of at time zone 'UTC')::date as day from feeds where feed = 'lbnl'),
		-- A unit is planned as long as the newest monthly list says so; without one, the newest form.
		planned as (select max(as_of) as day from grid_units_dated where source in ('eia-epm-planned', 'eia860m-planned')),
		plant as (
			select s.id, json_build_object('plantId', k.plant_id, 'name', (array_agg(u.plant_name order by u.as_of desc))[1],
				'method', min(k.method), 'confidence', min(k.confidence), 'units', json_agg(json_build_object(
					'technology', u.technology, 'capacityMw', u.capacity_mw, 'state', u.state, 'status', u.status, 'year', u.year,
					'begunBy', u.begun_by, 'source', u.source, 'asOf', u.as_of))) as plant
			-- Which of several requests at a point of interconnection the plant is of is not known.
			from open s join project_plants k on k.project_id = s.id and k.link_kind = 'direct' cross join planned
			cross join lateral (
				select distinct on (generator_id) generator_id, plant_name, capacity_mw, year, state, source, as_of,
					-- A list with coordinates states no status, and calls all wind onshore.
					first_value(technology) over (partition by generator_id order by source = 'eia_860m', as_of desc) as technology,
					first_value(status) over stated as status,
					min(as_of) filter (where status in ('U', 'V', 'TS')) over (partition by generator_id) as begun_by
				from (
					select g.generator_id, g.plant_name, g.technology, g.capacity_mw, g.status, g.operating_year as year,
						case when g.stage = 'operable' and g.status in ('OP', 'SB') then 'running'
							when g.stage = 'proposed' and planned.day is null then 'planned' else 'other' end as state,
						'eia_860' as source, make_date(g.year, 12, 31) as as_of
					from generators g where g.plant_id = k.plant_id
					union all
					select m.generator_id, m.plant_name, m.technology, coalesce(m.capacity_mw, m.summer_mw), m.status, m.year,
						case when m.source = 'eia-epm-new' then 'running' when m.source = 'eia860m-cancelled' then 'cancelled'
							when m.as_of = planned.day then 'planned' else 'other' end,
						case when m.source like 'eia860m-%' then 'eia_860m' else 'eia_epm' end, m.as_of
					from grid_units_dated m where m.plant_id = k.plant_id) each_report
				window stated as (partition by generator_id order by status is null, as_of desc)
				order by generator_id, as_of desc, state <> 'running') u
			group by s.id, k.plant_id)
		select s.id, s.name, s.type_std as "typeStd", s.capacity_mw as "capacityMw", s.components,
			s.is_addition as "isAddition", s.stage, s.plant_state as "plantState", s.status,
			s.status_std as "statusStd", s.listed, s.queue_date as "queueDate", s.cod, outcome.outcome,
			exists (select from project_aliases a join project_aliases b on b.region = a.region and b.key = a.key
				where a.project_id = s.id and b.project_id <> s.id) as "sharesNumber",
			case when l.id is not null then json_build_object('day', e.day, 'requests', l.requests) end as lbnl, plant.plant
		from open s left join outcome on outcome.id = s.id left join lbnl l on l.id = s.id left join edition e on true
		left join plant on plant.id = s.id
		where l.id is not null or plant.id is not null or s.listed <> 'listed'`;
	return rows.flatMap((row) => {
		const evidence = evidenceFor(row, row);
		return evidence === null ? [] : [{ id: row.id, replacing: replacedBy(evidence) }];
	});
}

interface Found {
	id: string;
	replacing: ReturnType<typeof replacedBy>;
}

/**
 * Creates `moved`: requests whose row is to show other values, with these and with what they replace. What a list has just written stands in
 * the row as filed; the state before it is still the newest of the history. `tells`: a source that is no list changes the status. The log says
 * already that a request has disappeared, or is listed again.
 */
async function noteMoves(tx: Transaction, chosen: Fragment, found: Found[]): Promise<void> {
	await tx`drop table if exists moved`;
	await tx`
		create temporary table moved on commit drop as
		with next as (
			select p.id, p.as_filed, ${tx.unsafe(valuesOf("p"))} as values, ${tx.unsafe(valuesOf("p"))} || coalesce(p.as_filed, '{}') as filed,
				coalesce(e.replacing, ${tx.unsafe(absence("p"))}) as replacing, e.replacing ? 'status_std' as is_reported,
				before.status_std as before, before.as_filed ? 'status_std' and before.status_basis <> 'absence' as was_reported
			from projects p
			left join jsonb_to_recordset(${JSON.stringify(found)}::text::jsonb) as e (id text, replacing jsonb) on e.id = p.id
			left join written w on w.id = p.id
			left join lateral (
				select * from project_versions v where v.project_id = p.id and v.valid_to is null order by v.entry desc limit 1) before on true
			where ${chosen} and (e.id is not null or w.id is not null or p.as_filed is not null or p.disappeared_at is not null))
		select id, ${tx.unsafe(namedBy("filed", "replacing"))} as as_filed, filed || coalesce(replacing, '{}') as shown, before,
			(before <> (filed || coalesce(replacing, '{}')) ->> 'status_std' and (is_reported or was_reported)) is true as tells
		from next
		where values <> filed || coalesce(replacing, '{}') or (as_filed is null) <> (replacing is null) or replacing is null and was_reported`;
}

async function writeMoves(tx: Transaction, asOf: string): Promise<void> {
	await tx`
		update projects p set ${tx.unsafe(setReplaced("m.shown"))}, as_filed = m.as_filed,
			last_changed_at = case when m.tells then greatest(p.last_changed_at, ${asOf}::timestamptz) else p.last_changed_at end,
			version = p.version + case when w.id is null then 1 else 0 end
		from moved m left join written w on w.id = m.id where p.id = m.id`;
}

/**
 * That the operator files a status itself is its own change, which its list has written. At the time of the list or edition, or of a later one
 * that the request stands in.
 */
async function writeChanges(tx: Transaction, { snapshotId, asOf }: EvidenceSource): Promise<void> {
	await tx`
		insert into changes (seq, snapshot_id, detected_at, region, feed, project_id, version, queue_id, kind, change_type, field_name,
			old_value, new_value, project_name, developer_canonical, capacity_mw, type_std, state)
		select (select coalesce(max(seq), 0) from changes) + row_number() over (order by p.id), ${snapshotId},
			greatest(${asOf}::timestamptz, (select max(v.valid_from) from project_versions v where v.project_id = p.id)),
			p.region, p.feed, p.id, p.version, p.queue_id, p.kind, 'evidence_update', 'status_std',
			m.before, p.status_std, p.name, p.developer_canonical, p.capacity_mw, p.type_std, p.state
		from moved m join projects p on p.id = m.id
		where m.tells and not exists (select from changes c
			where c.snapshot_id = ${snapshotId} and c.project_id = p.id and c.field_name = 'status')`;
	await tx`
		insert into written select id from moved on conflict do nothing`;
}
