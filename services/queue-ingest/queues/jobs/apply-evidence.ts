/** Lets the standard status of requests follow what no list of their operator says of them, and takes it back. Set-based. */
import { evidenceBases } from "#libs/contract/vocabulary.ts";
import type { Fragment, Transaction } from "#libs/postgres/connect.ts";
import { refreshPortfolios } from "../../history/events/portfolios.ts";
import { publishChanges } from "../../history/events/publish-changes.ts";
import { publishProjects } from "../../history/events/publish-projects.ts";
import { newestSeq } from "../../history/newest-seq.ts";
import { writeHistory } from "../../history/write-history.ts";
import type { Evidence, OpenRequest } from "../open-request.ts";
import { evidenceFor, type Reports, reportBases } from "../status-evidence.ts";

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
			or exists (select from evidenced_statuses) or exists (select from request_reports) as exists`;
	if (any?.exists !== true) return;
	const chosen = chosenBy(tx, source);
	await stageEvidence(tx, await readEvidence(tx, chosen));
	await noteMoves(tx, chosen);
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

/** The row shows what no list says: what its list says is in `evidenced_statuses`. */
export const isFollowing = (row: string): string =>
	`(${row}.status_basis = any('{${evidenceBases.join(",")}}') or ${row}.plant_state_basis = any('{${reportBases.join(",")}}')) is true`;

/** Requests that are open, as their operator filed them. */
async function readEvidence(tx: Transaction, chosen: Fragment): Promise<({ id: string } & Evidence)[]> {
	const rows = await tx<Row[]>`
		with open as (
			select p.id, p.name, p.type_std, p.capacity_mw, p.components, p.status, p.listed, p.queue_date, p.cod,
				coalesce(e.filed ->> 'status_std', p.status_std) as status_std,
				case when e.filed ? 'added_type_std' then e.filed ->> 'added_type_std' else p.added_type_std end is not null as is_addition,
				coalesce(e.filed ->> 'construction_stage', p.construction_stage) as stage,
				coalesce(e.filed ->> 'plant_state', p.plant_state) as plant_state
			from projects p
			left join evidenced_statuses e on e.project_id = p.id and ${tx.unsafe(isFollowing("p"))}
			where ${chosen} and (p.kind = 'generation' or p.listed <> 'listed')
				and coalesce(e.filed ->> 'status_std', p.status_std) not in ('Operational', 'Withdrawn')
				and (p.capacity_basis <> 'net_change' or p.listed <> 'listed')),
		outcome as (
			select distinct on (s.id) s.id, json_build_object('status', r.status_std, 'on', r.on_date, 'report', r.edition) as outcome
			from open s join project_aliases a on a.project_id = s.id
			join request_reports r on r.region = a.region and r.key = a.key and r.status_std is not null
			where s.listed <> 'listed' and r.edition::date >= (select max(v.valid_from)::date from project_versions v
				where v.project_id = s.id and v.missing_since is null and not v.derived)
			order by s.id, r.edition desc),
		lbnl as (
			select s.id, json_agg(json_build_object('name', l.request ->> 'name', 'queueDate', l.request ->> 'queueDate',
				'operationDate', l.request ->> 'actualCod') order by l.repeat) as requests
			from open s join project_aliases a on a.project_id = s.id
			join lbnl_requests l on l.lbnl_region = a.region and l.key = a.key and l.status_std = 'Operational'
			where s.status is null or s.listed <> 'listed'
			group by s.id),
		edition as (select (applied_as_of at time zone 'UTC')::date as day from feeds where feed = 'lbnl'),
		-- A unit is planned as long as the newest monthly list says so; without one, the newest form.
		planned as (select max(as_of) as day from grid_units_dated where source in ('eia-epm-planned', 'eia860m-planned')),
		plant as (
			select s.id, json_build_object('plantId', k.plant_id, 'name', (array_agg(u.plant_name order by u.as_of desc))[1],
				'method', min(k.method), 'confidence', min(k.confidence), 'units', json_agg(json_build_object(
					'technology', u.technology, 'capacityMw', u.capacity_mw, 'state', u.state, 'status', u.status, 'year', u.year,
					'source', u.source, 'asOf', u.as_of))) as plant
			-- Which of several requests at a point of interconnection the plant is of is not known.
			from open s join project_plants k on k.project_id = s.id and k.link_kind = 'direct' cross join planned
			cross join lateral (
				select distinct on (generator_id) * from (
					select g.generator_id, g.plant_name, g.technology, g.capacity_mw, g.status, g.operating_year as year,
						case when g.stage = 'operable' and g.status in ('OP', 'SB') then 'running'
							when g.stage = 'proposed' and planned.day is null then 'planned' else 'other' end as state,
						'eia_860' as source, make_date(g.year, 12, 31) as as_of
					from generators g where g.plant_id = k.plant_id
					union all
					select m.generator_id, m.plant_name, m.technology, coalesce(m.capacity_mw, m.summer_mw), m.status, m.year,
						case when m.source = 'eia-epm-new' then 'running' when m.as_of = planned.day and m.source <> 'eia860m-cancelled'
							then 'planned' else 'other' end,
						case when m.source like 'eia860m-%' then 'eia_860m' else 'eia_epm' end, m.as_of
					from grid_units_dated m where m.plant_id = k.plant_id) each_report
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
		return evidence === null ? [] : [{ id: row.id, ...evidence }];
	});
}

async function stageEvidence(tx: Transaction, found: ({ id: string } & Evidence)[]): Promise<void> {
	await tx`drop table if exists evidenced, moved`;
	await tx`
		create temporary table evidenced on commit drop as
		select id, status, "statusBasis" as status_basis, "on" as on_date, "plantState" as plant_state, basis, adds ->> 'type' as adds_type,
			(adds ->> 'mw')::float8 as adds_mw, confidence, says
		from jsonb_to_recordset(${JSON.stringify(found)}::text::jsonb) as t (id text, status text, "statusBasis" text, "on" date,
			"plantState" text, basis text, adds jsonb, confidence float8, says text)`;
}

/** Columns that evidence replaces. */
export const replaced = [
	...(["status_std", "status_basis", "construction_stage", "construction_stage_confidence", "ia_status"] as const),
	...(["plant_state", "plant_state_basis", "plant_state_evidence", "actual_cod", "withdrawn_date"] as const),
	...(["request_class", "added_type_std", "incremental_mw"] as const),
];

/** The same as the operator's list says it. */
export const asFiled = (row: string): string =>
	`jsonb_build_object(${replaced.map((name) => `'${name}', ${row}.${name}`).join(", ")})`;

/**
 * Creates `moved`: requests whose row is to follow the evidence, or what was filed again, each with the status that was shown before. What a
 * list has just written stands in the row as filed.
 */
async function noteMoves(tx: Transaction, chosen: Fragment): Promise<void> {
	const follows = tx.unsafe(isFollowing("p"));
	const filed = tx.unsafe(asFiled("p"));
	await tx`
		create temporary table moved on commit drop as
		select p.id, case when ${follows} then coalesce(k.filed, ${filed}) else ${filed} end as filed,
			coalesce(k.status_std, p.status_std) as shown, e.id is not null as follows, e.status, e.status_basis, e.on_date, e.plant_state,
			e.basis, e.adds_type, e.adds_mw, e.confidence, e.says
		from projects p
		left join evidenced e on e.id = p.id
		left join evidenced_statuses k on k.project_id = p.id
		where ${chosen} and (e.id is not null or k.project_id is not null)
			and (e.id is null or not ${follows} or p.plant_state_evidence is distinct from e.says or p.plant_state <> e.plant_state)`;
}

async function writeMoves(tx: Transaction, asOf: string): Promise<void> {
	await tx`
		delete from evidenced_statuses k using moved m where k.project_id = m.id`;
	await tx`
		insert into evidenced_statuses (project_id, status_std, filed)
		select id, coalesce(status, filed ->> 'status_std'), filed from moved where follows`;
	await tx`
		update projects p set
			status_std = coalesce(m.status, m.filed ->> 'status_std'),
			status_basis = case when m.status is null then m.filed ->> 'status_basis' else m.status_basis end,
			status_evidence = case when m.status is not null then m.says end,
			construction_stage = case when m.status is not null then lower(m.status)
				else m.filed ->> 'construction_stage' end,
			construction_stage_confidence = case when m.status is not null then m.confidence
				else (m.filed ->> 'construction_stage_confidence')::float8 end,
			ia_status = case when m.status is not null then m.status else m.filed ->> 'ia_status' end,
			actual_cod = coalesce((m.filed ->> 'actual_cod')::date, case m.status when 'Operational' then m.on_date end),
			withdrawn_date = coalesce((m.filed ->> 'withdrawn_date')::date, case m.status when 'Withdrawn' then m.on_date end),
			request_class = case when m.adds_type is null then coalesce(m.filed ->> 'request_class', p.request_class) else 'modification' end,
			added_type_std = coalesce(m.adds_type, m.filed ->> 'added_type_std'),
			incremental_mw = case when m.adds_type is not null then m.adds_mw
				when m.filed ? 'incremental_mw' then (m.filed ->> 'incremental_mw')::float8 else p.incremental_mw end,
			plant_state = coalesce(m.plant_state, m.filed ->> 'plant_state', 'unknown'),
			plant_state_basis = case when m.follows then m.basis else m.filed ->> 'plant_state_basis' end,
			plant_state_evidence = case when m.follows then m.says else m.filed ->> 'plant_state_evidence' end,
			last_changed_at = case when m.shown = coalesce(m.status, m.filed ->> 'status_std') then p.last_changed_at
				else greatest(p.last_changed_at, ${asOf}::timestamptz) end,
			version = p.version + case when w.id is null then 1 else 0 end
		from moved m left join written w on w.id = m.id where p.id = m.id`;
}

/**
 * A request that is new has no status before. That the operator files a status itself is its own change, which its list has written. At the
 * time of the list or edition, or of a later one that the request stands in.
 */
async function writeChanges(tx: Transaction, { snapshotId, asOf }: EvidenceSource): Promise<void> {
	await tx`
		insert into changes (seq, snapshot_id, detected_at, region, feed, project_id, version, queue_id, kind, change_type, field_name,
			old_value, new_value, project_name, developer_canonical, capacity_mw, type_std, state)
		select (select coalesce(max(seq), 0) from changes) + row_number() over (order by p.id), ${snapshotId},
			greatest(${asOf}::timestamptz, (select max(v.valid_from) from project_versions v where v.project_id = p.id)),
			p.region, p.feed, p.id, p.version, p.queue_id, p.kind, 'evidence_update', 'status_std',
			m.shown, p.status_std, p.name, p.developer_canonical, p.capacity_mw, p.type_std, p.state
		from moved m join projects p on p.id = m.id left join written w on w.id = p.id
		where m.shown <> p.status_std and not (w.id is not null and p.version = 1)
			and not exists (select from changes c
				where c.snapshot_id = ${snapshotId} and c.project_id = p.id and c.field_name = 'status')`;
	await tx`
		insert into written select id from moved on conflict do nothing`;
}
