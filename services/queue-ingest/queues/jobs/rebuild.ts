/** Rebuilds an operator's requests from its lists, after a late or retracted list or by hand. Writes the differences, with history and change log. */
import { sampleLeft } from "#libs/contract/events/queue-ingest.ts";
import { fieldsOfProject } from "#libs/contract/records/project.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { publish, wakeRelay } from "#libs/postgres/events/outbox.ts";
import { linkNames, readFiledNames } from "../../developers/jobs/link-names.ts";
import { linkOtherLists, linkWritten, writePortfolios } from "../../developers/jobs/link-requests.ts";
import { refreshPortfolios } from "../../history/events/portfolios.ts";
import { publishChanges } from "../../history/events/publish.ts";
import { newestSeq } from "../../history/newest-seq.ts";
import { restateDevelopers, statesOf } from "../../history/restate-developers.ts";
import { stateColumns } from "../../history/write-history.ts";
import { linkPlants } from "../../plants/jobs/link-plants.ts";
import { toTheSecond } from "../../sources/as-of.ts";
import { lockWriters } from "../../sources/locks.ts";
import type { ListGroup, Source } from "../../sources/source.ts";
import { feedsOf } from "../sources/index.ts";
import { replaceableColumns } from "../status-evidence.ts";
import {
	absenceValues,
	assignReplaceable,
	followEvidence,
	followsReport,
	pickKeys,
	rowValues,
} from "./apply-evidence.ts";
import { listRegion } from "./apply-file.ts";
import { readWrittenIds, writeEvents } from "./apply-list.ts";
import { readDifferences } from "./compare-list.ts";
import { type ReplayedList, replayLists } from "./fold-lists.ts";
import { noChanges } from "./record-attempt.ts";

interface Rebuild {
	group: ListGroup;
	/** The list that causes the rebuild; its changes and events refer to it. */
	snapshotId: number;
	source: Source;
	/** ISO time of the first list to apply again, or `-infinity`. */
	from: string;
	now: Date;
	onList?: (list: ReplayedList) => Promise<void>;
}

const columns = stateColumns.join(", ");
const columnList = (alias: string, names: readonly string[] = stateColumns): string =>
	names.map((name) => `${alias}.${name}`).join(", ");
const originOf = new Map<string, string>(fieldsOfProject.map(({ name, origin }) => [name, origin]));
/** Columns that come from the lists. */
const listColumns = stateColumns.filter((name) => !["linked", "scored"].includes(originOf.get(name) ?? ""));
const isScored = (name: string) => originOf.get(name) === "scored";
const isReplaceable = (name: string) => replaceableColumns.some((one) => one === name);
const unscoredColumns = stateColumns.filter((name) => !isScored(name));

/** Expects the caller's transaction to hold the group's lock. Blocks other writers only after all lists are read. Returns the number of changed requests. */
export async function rebuild(tx: Transaction, { group, onList, ...task }: Rebuild): Promise<number> {
	await tx`
		create temporary table late (detected_at timestamptz, id text, field_order integer, change_type text, field_name text, old_value text,
			new_value text, queue_id text, kind text, name text, developer text, capacity_mw float8, type_std text, state text) on commit drop`;
	await replayLists(tx, group, task.from, async (list) => onList?.(list));
	await lockWriters(tx);
	const previousSeq = await newestSeq(tx);
	await addEvidence(tx, group);
	await refreshPortfolios(tx, await linkNames(tx, await readFiledNames(tx, "states")));
	await findDifferences(tx, group);
	await writeCorrections(tx, task);
	await writeStates(tx, group, task.from);
	await updateProjects(tx);
	await linkPlants(tx, await readWrittenIds(tx));
	const moved = await linkWritten(tx);
	await restateDevelopers(tx, statesOf(tx, tx`select id from settled union select id from written`));
	await removeGone(tx, task.snapshotId);
	await writePortfolios(tx, moved ?? []);
	await publishChanges(tx, previousSeq);
	const [newest] = await tx<{ asOf: string }[]>`
		select iso(max(l.as_of)) as "asOf" from snapshot_files l join snapshots s on s.id = l.snapshot_id
		where l.feed = ${task.source.feed} and s.outcome in ('applied', 'backfilled')`;
	const [count] = await tx<{ changed: number }[]>`select count(*)::int as changed from written`;
	const changed = count?.changed ?? 0;
	const snapshot = { id: task.snapshotId, region: listRegion(task.source), asOf: newest?.asOf ?? task.from };
	if (changed > 0)
		await writeEvents(tx, task.source, snapshot, { ...noChanges, changed }, previousSeq, `-${previousSeq}`);
	await followEvidence(tx, { snapshotId: task.snapshotId, asOf: task.now.toISOString(), region: snapshot.region });
	if (moved !== null) await linkOtherLists(tx);
	await raiseDataVersion(tx);
	await wakeRelay(tx);
	return changed;
}

/** SQL condition: evidence `e` may replace the values of the row. A listed request with a filed status accepts only evidence from the EIA. */
const mayFollowEvidence = (alias: string) =>
	`${alias}.status_std not in ('Operational', 'Withdrawn') and (${alias}.listed <> 'listed'
		or ${alias}.kind = 'generation' and ${alias}.status_std <> 'Suspended' and (e.plant_state_basis like 'eia%' or ${alias}.status is null))`;

/**
 * Applies the current evidence to the rebuilt requests and to their states since the time when evidence was first applied. A request that
 * disappeared has the status Unknown unless evidence states an outcome.
 */
async function addEvidence(tx: Transaction, group: ListGroup): Promise<void> {
	const otherColumns = stateColumns.filter(
		(name) => name !== "last_changed_at" && name !== "as_filed" && !isReplaceable(name),
	);
	const applyValues = (row: string, replacing: string) =>
		`as_filed = ${pickKeys(rowValues(row), replacing)}, ${assignReplaceable(`${rowValues(row)} || ${replacing}`)}`;
	await tx.unsafe(
		`create temporary table evidence on commit drop as
		select p.id, v.valid_from, v.snapshot_id, v.derived, p.last_changed_at, p.plant_state_basis,
			${pickKeys(rowValues("p"), "p.as_filed")} as replacing
		from projects p cross join lateral (
			select * from project_versions v where v.project_id = p.id and ${followsReport("v")}
			order by v.valid_from, v.version limit 1) v
		where p.feed = any($1::text[]) and ${followsReport("p")}`,
		[feedsOf(group)],
	);
	await tx.unsafe(`
		insert into states (id, version, valid_from, snapshot_id, derived, last_changed_at, as_filed, ${[...replaceableColumns, ...otherColumns].join(", ")})
			select s.id, s.version, e.valid_from, e.snapshot_id, true, e.valid_from, ${pickKeys(rowValues("s"), "e.replacing")},
				${columnList("n", replaceableColumns)}, ${columnList("s", otherColumns)}
			from evidence e join (
				select *, lead(valid_from) over (partition by id order by valid_from, place) as valid_to from states) s using (id)
			cross join lateral jsonb_populate_record(null::projects, ${rowValues("s")} || e.replacing) n
			where (s.valid_from < e.valid_from or e.derived and s.valid_from = e.valid_from)
				and coalesce(s.valid_to, 'infinity') > e.valid_from and ${mayFollowEvidence("s")};
		update states s set ${applyValues("s", "e.replacing")}, last_changed_at = greatest(s.last_changed_at, e.valid_from) from evidence e
			where e.id = s.id and s.as_filed is null and (s.valid_from > e.valid_from or not e.derived and s.valid_from = e.valid_from)
				and ${mayFollowEvidence("s")};
		update rebuilt f set ${applyValues("f", "e.replacing")}, last_changed_at = greatest(f.last_changed_at, e.last_changed_at)
			from evidence e where e.id = f.id and ${mayFollowEvidence("f")};
		update states s set ${applyValues("s", absenceValues("s"))} where s.as_filed is null and ${absenceValues("s")} is not null;
		update rebuilt f set ${applyValues("f", absenceValues("f"))} where f.as_filed is null and ${absenceValues("f")} is not null`);
}

/** Creates tables: `written` (new or changed requests), `gone` (requests that no list contains) and `reassigned` (the current developers of both). */
async function findDifferences(tx: Transaction, group: ListGroup): Promise<void> {
	await tx.unsafe(
		`drop table if exists written, reassigned;
		create temporary table written (id text primary key) on commit drop;
		insert into written select f.id from rebuilt f left join projects p using (id)
			where p.id is null or (${columnList("f", listColumns)}) is distinct from (${columnList("p", listColumns)});
		create temporary table gone on commit drop as
			select p.id from projects p where p.feed = any('{${feedsOf(group).join(",")}}') and not exists (select from rebuilt f where f.id = p.id);
		create temporary table reassigned on commit drop as
			select p.id, p.developer_id, p.developer_canonical as canonical, p.developer as filed, p.developer is distinct from f.developer as differs
			from projects p left join rebuilt f using (id) where p.id in (select id from written union select id from gone)`,
	);
}

const describedColumns = ["queue_id", "kind", "name", "developer", "capacity_mw", "type_std", "state"]
	.map((name) => `coalesce(f.${name}, p.${name})`)
	.join(", ");

/** Writes the changes of a late list (the table `late`), and a correction for each field or listing whose current value differs. */
async function writeCorrections(tx: Transaction, { snapshotId, source, now }: Omit<Rebuild, "group">): Promise<void> {
	await readDifferences(tx, source, "projects", "rebuilt");
	await tx.unsafe(
		`insert into changes (seq, snapshot_id, detected_at, region, feed, project_id, version, queue_id, kind, change_type, field_name,
			old_value, new_value, project_name, developer_canonical, capacity_mw, type_std, state, backfilled)
		with corrections as (
			select id, field_order, field_name, old_value, new_value from differences where id in (select id from written)
			union all
			select p.id, 90, 'missing_since', iso(case when p.disappeared_at is not null then p.missing_since end),
				iso(case when f.disappeared_at is not null then f.missing_since end)
			from rebuilt f join projects p using (id) where (f.disappeared_at is null) <> (p.disappeared_at is null)
			union all
			select id, 91, 'listed', p.listed, f.listed from rebuilt f full join projects p using (id)
			where p.id in (select id from gone) or p.id is null),
		found as (
			select *, null::bigint as version from late
			union all
			select $4::timestamptz, c.id, c.field_order, 'correction', c.field_name, c.old_value, c.new_value, ${describedColumns},
				coalesce(p.version + 1, f.version)
			from corrections c left join projects p using (id) left join rebuilt f using (id))
		select (select coalesce(max(seq), 0) from changes) + row_number() over (order by c.version is not null, c.id nulls first, c.field_order),
			$1::bigint, c.detected_at, $2::text, $3::text, c.id, c.version, c.queue_id, c.kind, c.change_type, c.field_name, c.old_value,
			c.new_value, c.name, n.canonical_name, c.capacity_mw, c.type_std, c.state, true
		from found c left join lateral request_developer(c.id, c.developer) n on true`,
		[snapshotId, listRegion(source), source.feed, now.toISOString()],
	);
}

/**
 * Writes the states that changed. A state that replaces a state of the same list keeps its version. An inserted state has the version of the
 * state before it. The current state of a changed request has the next version.
 */
async function writeStates(tx: Transaction, group: ListGroup, from: string): Promise<void> {
	const scored = stateColumns.map((name) => (isScored(name) ? `p.${name}` : `s.${name}`)).join(", ");
	await tx.unsafe(
		`create temporary table settled on commit drop as
		select s.id, s.place, s.valid_from, o.entry, case when s.is_open and w.id is not null then coalesce(p.version + 1, s.version)
			else coalesce(o.version, max(o.version) over (partition by s.id order by s.valid_from, s.place), least(s.version, p.version))
			end as version,
			not (s.is_open and w.id is not null) and (${columnList("s", listColumns)}) is not distinct from (${columnList("o", listColumns)}) as is_unchanged
		from (select *, lead(id) over (partition by id order by valid_from, place) is null as is_open from states) s
		left join written w using (id) left join projects p using (id)
		left join lateral (
			select * from project_versions v where v.project_id = s.id and v.valid_from = s.valid_from and v.snapshot_id = s.snapshot_id
				and v.derived = s.derived order by v.entry desc limit 1) o on true`,
	);
	await tx.unsafe(
		`insert into settled (id, valid_from, entry, is_unchanged)
			select project_id, valid_from, entry, false from project_versions v
			where feed = any($1::text[]) and valid_from >= $2::timestamptz and entry not in (select entry from settled where entry is not null)`,
		[feedsOf(group), from],
	);
	await tx`delete from project_versions v using settled s where s.entry = v.entry and not s.is_unchanged`;
	await tx.unsafe(`
		insert into project_versions (project_id, version, valid_from, snapshot_id, derived, ${columns})
		select s.id, t.version, s.valid_from, s.snapshot_id, s.derived, ${scored}
		from settled t join states s using (place) left join projects p on p.id = s.id where not t.is_unchanged order by s.place`);
	await tx`
		update project_versions v set valid_to = n.valid_to
		from (
			select entry, lead(valid_from) over (partition by project_id order by valid_from, version, entry) as valid_to
			from project_versions where project_id in (select id from settled)) n
		where v.entry = n.entry and v.valid_to is distinct from n.valid_to`;
}

async function updateProjects(tx: Transaction): Promise<void> {
	await tx.unsafe(`
		update rebuilt f set developer_id = n.developer_id, developer_canonical = n.canonical_name,
				developer_tier = coalesce(n.tier, 'unknown'), needs_capital = n.needs_capital
			from written w join rebuilt o using (id) left join lateral request_developer(o.id, o.developer) n on true where f.id = o.id;
		update projects p set (${unscoredColumns.join(", ")}, version) = (${columnList("f", unscoredColumns)}, p.version + 1)
			from rebuilt f where f.id = p.id and p.id in (select id from written);
		update projects p set raw = f.raw from rebuilt f where f.id = p.id and f.raw is distinct from p.raw;
		insert into projects (id, version, raw, ${columns}) select id, version, raw, ${columns} from rebuilt f
			where not exists (select from projects p where p.id = f.id)`);
}

/** Removes requests that only the retracted list contained, and publishes their removal. */
async function removeGone(tx: Transaction, snapshotId: number): Promise<void> {
	const gone = await tx<{ id: string }[]>`select id from gone order by id`;
	if (gone.length === 0) return;
	const [newest] = await tx<{ id: number }[]>`select max(id) as id from snapshots`;
	const version = (newest?.id ?? snapshotId) + 1;
	await tx`delete from project_aliases where project_id in (select id from gone)`;
	await tx`delete from projects where id in (select id from gone)`;
	await publish(tx, sampleLeft, {
		id: `${sampleLeft.name}:${version}:${snapshotId}`,
		occurred_at: toTheSecond(new Date().toISOString()),
		version,
		project_ids: gone.map(({ id }) => id),
		developer_ids: [],
		plant_ids: [],
	});
}
