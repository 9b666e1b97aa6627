/**
 * Replaces the filed status, stage and plant state of requests with what evidence from outside their operator's lists shows, and restores
 * the filed values once there is no such evidence. Set-based.
 */
import type { Fragment, Transaction } from "#libs/postgres/connect.ts";
import { refreshPortfolios } from "../../history/events/portfolios.ts";
import { changesAfter, publishChanges, publishProjects } from "../../history/events/publish.ts";
import { newestSeq } from "../../history/newest-seq.ts";
import { writeHistory } from "../../history/write-history.ts";
import type { OpenRequest } from "../open-request.ts";
import { findEvidence, type Reports, replaceableColumns, toReplacedColumns } from "../status-evidence.ts";
import { relateRequests } from "./relate-requests.ts";

interface EvidenceSource {
	snapshotId: number;
	/** ISO time of the list or edition that brings the evidence. */
	asOf: string;
	/** Applies only to requests of this list. */
	feed?: string;
	/** Applies to all requests except those of this list. */
	exceptFeed?: string;
	/** Region whose list was just written: its requests are related again even if no evidence changes one. */
	region?: string;
}

/**
 * Applies all evidence that is loaded to the requests of `source`. Expects the table `written` of the current list: requests in it already
 * have a new version; other requests that change get one and are added. Needs the schema-wide write lock.
 */
export async function applyEvidence(tx: Transaction, source: EvidenceSource): Promise<void> {
	const [evidence] = await tx<{ exists: boolean }[]>`
		select exists (select from lbnl_requests) or exists (select from project_plants)
			or exists (select from projects where missing_since is not null or as_filed is not null) as exists`;
	if (evidence?.exists !== true) return;
	const chosen = chosenRequests(tx, source);
	await findReplacements(tx, chosen, await readEvidence(tx, chosen));
	await writeReplacements(tx, source.asOf);
	await writeEvidenceChanges(tx, source);
}

/** Applies evidence to requests that no list is writing: also writes their history, relates them, and publishes those that change. */
export async function followEvidence(tx: Transaction, source: EvidenceSource): Promise<void> {
	await tx`drop table if exists written`;
	await tx`create temporary table written (id text primary key) on commit drop`;
	const previousSeq = await newestSeq(tx);
	await applyEvidence(tx, source);
	await writeHistory(tx, { snapshotId: source.snapshotId, from: source.asOf, derived: true });
	await publishChanges(tx, previousSeq);
	const changed = await tx<{ region: string }[]>`select distinct region from written join projects p using (id)`;
	const regions = new Set([...changed.map(({ region }) => region), ...(source.region ? [source.region] : [])]);
	for (const region of regions) await relateRequests(tx, region);
	const developers = await tx<{ id: number }[]>`
		select distinct developer_id as id from written w join projects p using (id) where developer_id is not null`;
	await refreshPortfolios(
		tx,
		developers.map((row) => row.id),
	);
	await publishProjects(
		tx,
		tx`
		-- No snapshot id, because an edition is not a snapshot of the operator's list.
		select w.id, v.valid_from as as_of, null::bigint as snapshot_id, 'null' as previous_developer,
			coalesce(c.changes, '[]') as changes
		from written w join projects p on p.id = w.id
		left join (${changesAfter(tx, previousSeq, source.snapshotId)}) c on c.project_id = w.id
		join project_versions v on v.project_id = p.id and v.version = p.version and v.valid_to is null`,
	);
}

/** Condition on `projects p`. */
function chosenRequests(tx: Transaction, { feed, exceptFeed }: EvidenceSource): Fragment {
	if (feed !== undefined) return tx`p.feed = ${feed}`;
	return exceptFeed === undefined ? tx`true` : tx`p.feed <> ${exceptFeed}`;
}

type Row = OpenRequest & Reports & { id: string };

/** SQL: a JSON object with the row's values of `replaceableColumns`. */
export const rowValues = (row: string): string =>
	`jsonb_build_object(${replaceableColumns.map((name) => `'${name}', ${row}.${name}`).join(", ")})`;

/** SQL: the entries of the JSON object `values` whose keys are in the JSON object `names`. */
export const pickKeys = (values: string, names: string): string =>
	`(select jsonb_object_agg(name, ${values} -> name) from jsonb_object_keys(${names}) as name)`;

/** SQL: an assignment of `replaceableColumns` from a JSON object with all of them. */
export const assignReplaceable = (values: string): string =>
	`(${replaceableColumns.join(", ")}) = (select ${replaceableColumns.join(", ")} from jsonb_populate_record(null::projects, ${values}))`;

/** SQL: the value of the column as the operator filed it, even if the row shows a different value. */
export const filedColumn = (row: string, column: (typeof replaceableColumns)[number]): string =>
	`case when ${row}.as_filed ? '${column}' then ${row}.as_filed ->> '${column}' else ${row}.${column} end`;

/** SQL condition: the row shows values from another publisher, not only those that follow from the request's absence from its lists. */
export const followsReport = (row: string): string =>
	`(${row}.as_filed is not null and ${row}.status_basis is distinct from 'absence')`;

/** SQL: values of a request that disappeared without a known outcome; null for others. A plant that existed keeps its state. */
export const absenceValues = (row: string): string => `
	case when ${row}.disappeared_at is not null and ${filedColumn(row, "status_std")} not in ('Operational', 'Withdrawn') then
		jsonb_build_object('status_std', 'Unknown', 'status_basis', 'absence', 'status_evidence',
			'Not in its lists since ' || to_char(${row}.missing_since at time zone 'UTC', 'YYYY-MM-DD') || '; no source states an outcome')
		|| case when ${filedColumn(row, "plant_state")} in ('none', 'under_construction')
			then '{"plant_state": "unknown", "plant_state_basis": null, "plant_state_evidence": null}' else '{}' end::jsonb end`;

/** Finds evidence for the requests that are open according to their operator. */
async function readEvidence(tx: Transaction, chosen: Fragment): Promise<Replacement[]> {
	const rows = await tx<Row[]>`
		with open as (
			select p.id, p.name, p.type_std, p.capacity_mw, p.components, p.status, p.listed, p.queue_date, p.cod,
				${tx.unsafe(filedColumn("p", "status_std"))} as status_std, ${tx.unsafe(filedColumn("p", "added_type_std"))} is not null as is_addition,
				${tx.unsafe(filedColumn("p", "construction_stage"))} as stage, ${tx.unsafe(filedColumn("p", "plant_state"))} as plant_state
			from projects p
			where ${chosen} and (p.kind = 'generation' or p.listed <> 'listed')
				and ${tx.unsafe(filedColumn("p", "status_std"))} not in ('Operational', 'Withdrawn')
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
		-- Planned units are those of the newest monthly list or, if none is loaded, of the newest form.
		planned as (select max(as_of) as day from grid_units_dated where source in ('eia-epm-planned', 'eia860m-planned')),
		plant as (
			select s.id, json_build_object('plantId', k.plant_id, 'kind', min(k.link_kind), 'name', (array_agg(u.plant_name order by u.as_of desc))[1],
				'method', min(k.method), 'confidence', min(k.confidence), 'units', json_agg(json_build_object(
					'technology', u.technology, 'capacityMw', u.capacity_mw, 'state', u.state, 'status', u.status, 'year', u.year,
					'begunBy', u.begun_by, 'source', u.source, 'asOf', u.as_of))) as plant
			-- A plant that is linked by its point of interconnection may belong to another request at that point.
			from open s join project_plants k on k.project_id = s.id and k.link_kind <> 'one_of' cross join planned
			cross join lateral (
				select distinct on (generator_id) generator_id, plant_name, capacity_mw, year, state, source, as_of,
					-- An EIA-860M list with coordinates states no status and calls all wind onshore, so any other report's technology is preferred.
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
		const evidence = findEvidence(row, row);
		return evidence === null ? [] : [{ id: row.id, replacing: toReplacedColumns(evidence) }];
	});
}

interface Replacement {
	id: string;
	replacing: ReturnType<typeof toReplacedColumns>;
}

/**
 * Creates the table `replacements`: requests whose row must show other values (`shown`), with the filed values that they replace (`as_filed`).
 * Expects filed values in rows that a list has just written, and expects that the history does not contain these rows yet. `is_logged` is true
 * if another source changes the status; disappearances and returns are already in the log.
 */
async function findReplacements(tx: Transaction, chosen: Fragment, evidence: Replacement[]): Promise<void> {
	await tx`drop table if exists replacements`;
	await tx`
		create temporary table replacements on commit drop as
		with next as (
			select p.id, p.as_filed, ${tx.unsafe(rowValues("p"))} as values, ${tx.unsafe(rowValues("p"))} || coalesce(p.as_filed, '{}') as filed,
				coalesce(e.replacing, ${tx.unsafe(absenceValues("p"))}) as replacing, e.replacing ? 'status_std' as is_reported,
				before.status_std as before, before.as_filed ? 'status_std' and before.status_basis <> 'absence' as was_reported
			from projects p
			left join jsonb_to_recordset(${JSON.stringify(evidence)}::text::jsonb) as e (id text, replacing jsonb) on e.id = p.id
			left join written w on w.id = p.id
			left join lateral (
				select * from project_versions v where v.project_id = p.id and v.valid_to is null order by v.entry desc limit 1) before on true
			where ${chosen} and (e.id is not null or w.id is not null or p.as_filed is not null or p.disappeared_at is not null))
		select id, ${tx.unsafe(pickKeys("filed", "replacing"))} as as_filed, filed || coalesce(replacing, '{}') as shown, before,
			(before <> (filed || coalesce(replacing, '{}')) ->> 'status_std' and (is_reported or was_reported)) is true as is_logged
		from next
		where values <> filed || coalesce(replacing, '{}') or (as_filed is null) <> (replacing is null) or replacing is null and was_reported`;
}

async function writeReplacements(tx: Transaction, asOf: string): Promise<void> {
	await tx`
		update projects p set ${tx.unsafe(assignReplaceable("m.shown"))}, as_filed = m.as_filed,
			last_changed_at = case when m.is_logged then greatest(p.last_changed_at, ${asOf}::timestamptz) else p.last_changed_at end,
			version = p.version + case when w.id is null then 1 else 0 end
		from replacements m left join written w on w.id = m.id where p.id = m.id`;
}

/**
 * Does not log a status that the operator itself files, because writing the list has logged that change. A change has the time of the list or
 * edition, or of the request's newest state if that is later.
 */
async function writeEvidenceChanges(tx: Transaction, { snapshotId, asOf }: EvidenceSource): Promise<void> {
	await tx`
		insert into changes (seq, snapshot_id, detected_at, region, feed, project_id, version, queue_id, kind, change_type, field_name,
			old_value, new_value, project_name, developer_canonical, capacity_mw, type_std, state)
		select (select coalesce(max(seq), 0) from changes) + row_number() over (order by p.id), ${snapshotId},
			greatest(${asOf}::timestamptz, (select max(v.valid_from) from project_versions v where v.project_id = p.id)),
			p.region, p.feed, p.id, p.version, p.queue_id, p.kind, 'evidence_update', 'status_std',
			m.before, p.status_std, p.name, p.developer_canonical, p.capacity_mw, p.type_std, p.state
		from replacements m join projects p on p.id = m.id
		where m.is_logged and not exists (select from changes c
			where c.snapshot_id = ${snapshotId} and c.project_id = p.id and c.field_name = 'status')`;
	await tx`
		insert into written select id from replacements on conflict do nothing`;
}
