/** Writes an accepted list: changes, projects, their history and the events, in the caller's transaction. Set-based. */
import { snapshotApplied } from "#libs/contract/events/queue-ingest.ts";
import type { ProjectRegion } from "#libs/contract/vocabulary.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import { publish } from "#libs/postgres/events/outbox.ts";
import { linkOtherLists, linkStaged, linkWritten, writePortfolios } from "../../developers/jobs/link-requests.ts";
import { changesAfter, publishChanges, publishProjects } from "../../history/events/publish.ts";
import { newestSeq } from "../../history/newest-seq.ts";
import { restateDevelopers, statesOf } from "../../history/restate-developers.ts";
import { writeHistory } from "../../history/write-history.ts";
import { linkPlants } from "../../plants/jobs/link-plants.ts";
import { toTheSecond } from "../../sources/as-of.ts";
import type { ListGroup, Source } from "../../sources/source.ts";
import { factColumns } from "../columns.ts";
import { applyEvidence, followEvidence } from "./apply-evidence.ts";
import { storeCells } from "./compare-cells.ts";
import { disappearedFrom, vanishedFrom } from "./compare-list.ts";

export interface Applied {
	/** Requests in the list. */
	rows: number;
	new: number;
	changed: number;
	status_changes: number;
	withdrawn: number;
	disappeared: number;
}

interface Snapshot {
	id: number;
	/** Group in which a request number of the list identifies one request. */
	group: ListGroup;
	/** Region of the list's requests. */
	region: ProjectRegion;
	/** ISO time. */
	asOf: string;
	/** Time of the feed's previous list; null for the first one, whose requests are all `first_listed`. */
	previousAsOf: string | null;
}

/**
 * A new request is late if its queue date is more than `age` before the previous list, which did not contain it. If there are more than `rows`
 * late requests, and more than `share` of the requests that were known before, the list's scope has grown (a full export after a filtered
 * one): they are recorded as `first_listed` instead of new, and one additional change records how many there are.
 */
const lateNewcomers = { age: "interval '90 days'", share: 0.2, rows: 100 };

const facts = factColumns.map((column) => column.name);

/** Condition on `staged s` and `projects p`: the row creates a new version. A changed cell from which no field is read does not. */
const isRewritten = (feed: string) =>
	`(p.row_hash <> s.row_hash or p.feed <> ${feed} or p.queue_id <> s.queue_id or p.missing_since is not null)`;

/** Expects the tables of `stageList` and `compareFields`, and the schema-wide write lock held. */
export async function applyList(tx: Transaction, source: Source, snapshot: Snapshot): Promise<Applied> {
	const counts = await countOutcome(tx, source);
	const previousSeq = await newestSeq(tx);
	await linkStaged(tx);
	await writeChanges(tx, source, snapshot);
	await writeProjects(tx, source, snapshot);
	await storeCells(tx, source.feed);
	await linkPlants(tx, await readWrittenIds(tx));
	const evidence = { snapshotId: snapshot.id, asOf: snapshot.asOf };
	const feed = source.completes ?? source.feed;
	await applyEvidence(tx, { ...evidence, feed });
	const moved = await linkWritten(tx);
	await writeHistory(tx, { snapshotId: snapshot.id, from: snapshot.asOf });
	// The developers that this list assigns also apply to earlier states of the requests.
	await restateDevelopers(tx, statesOf(tx, moved === null ? tx`null` : tx`select id from written`));
	await writePortfolios(tx, moved ?? []);
	await publishChanges(tx, previousSeq);
	await writeEvents(tx, source, snapshot, counts, previousSeq);
	// This list can also bring evidence about requests of other lists, through their plants and companies.
	await followEvidence(tx, { ...evidence, exceptFeed: feed, region: snapshot.region });
	if (moved !== null) await linkOtherLists(tx);
	return counts;
}

export async function readWrittenIds(tx: Transaction): Promise<string[]> {
	const rows = await tx<{ id: string }[]>`select id from written`;
	return rows.map((row) => row.id);
}

export async function countOutcome(tx: Transaction, source: Source, base = "projects"): Promise<Applied> {
	const [row] = await tx.unsafe<Applied[]>(`
		select
			(select count(*) from staged) as rows,
			(select count(*) from staged where is_new) as new,
			(select count(distinct id) from differences) as changed,
			(select count(distinct id) from differences where field_name = 'status') as status_changes,
			(select count(*) from staged s join ${base} p using (id)
				where s.status_std = 'Withdrawn' and p.status_std <> 'Withdrawn') as withdrawn,
			(select count(*) from ${base} p where ${vanishedFrom(source)}) as disappeared`);
	if (row === undefined) throw new Error("the query for the counts returned no row");
	return row;
}

/** `seq` continues after the last committed change: the schema-wide lock keeps it in commit order. */
async function writeChanges(tx: Transaction, source: Source, snapshot: Snapshot): Promise<void> {
	const isLate = `is_new and coalesce(queue_date < $5::timestamptz - ${lateNewcomers.age}, false)`;
	const isBulk = `(select count(*) from staged where ${isLate}) > ${lateNewcomers.rows} and
		(select count(*) from staged where ${isLate}) > ${lateNewcomers.share} * (select count(*) from staged where not is_new)`;
	await tx.unsafe(
		`
		with found as (
			select id, 0 as field_order, case when $5::timestamptz is null or ${isLate} and ${isBulk} then 'first_listed' else 'new_project' end
				as change_type, null as field_name, null as old_value, status as new_value
			from staged where is_new
			union all
			select s.id, 1, 'field_update', 'queue_id', p.queue_id, s.queue_id
			from staged s join projects p using (id) where s.renumbered
			union all
			select id, 10 + field_order, change_type, field_name, old_value, new_value
			from differences where not recoded
			union all
			select p.id, 90, 'correction', 'missing_since', iso(p.missing_since), null
			from projects p where p.disappeared_at is not null and (exists (select from staged s where s.id = p.id)
				or exists (select from listed l where l.id = p.id and p.feed = $4))
			union all
			select p.id, 91, 'disappeared', 'missing_since', null, iso(p.missing_since)
			from projects p where ${disappearedFrom("$4", "$3::timestamptz")}
			union all
			select null, 200, 'field_update', 'requests', null,
				(select count(*) from staged where ${isLate}) || ' requests newly listed'
			where ${isBulk}
			union all
			select null, 100 + field_order, change_type, field_name, null, count(*) || ' projects recoded'
			from differences where recoded group by field_order, change_type, field_name
			union all
			select id, 80, 'raw_update', field_name, old_value, new_value
			from filed_differences where not recoded
			union all
			select null, 180, 'raw_update', field_name, null, count(*) || ' projects recoded'
			from filed_differences where recoded group by field_name
		)
		insert into changes (seq, snapshot_id, detected_at, region, feed, project_id, version, queue_id, kind, change_type, field_name,
			old_value, new_value, project_name, developer_canonical, capacity_mw, type_std, state)
		select (select coalesce(max(seq), 0) from changes) + row_number()
				over (order by f.change_type = 'raw_update', f.id nulls first, f.field_order, f.field_name),
			$1, $3, $2, $4, f.id, case when f.id is not null then coalesce(p.version, d.version, 0)
				+ case when f.change_type <> 'raw_update' or ${isRewritten("$4")} then 1 else 0 end end, coalesce(s.queue_id, p.queue_id),
			coalesce(s.kind, p.kind),
			f.change_type, f.field_name, f.old_value, f.new_value,
			coalesce(s.name, p.name), case when s.id is null then p.developer_canonical else n.canonical_name end,
			coalesce(s.capacity_mw, p.capacity_mw), coalesce(s.type_std, p.type_std),
			coalesce(s.state, p.state)
		from found f left join staged s on s.id = f.id left join projects p on p.id = f.id left join deleted_projects d on d.id = f.id
			left join lateral request_developer(s.id, s.developer) n on true`,
		[snapshot.id, snapshot.region, snapshot.asOf, source.feed, snapshot.previousAsOf],
	);
}

/** Creates the table `written`: ids of requests that are new or changed. `base` is the table to which the requests are written. */
export async function writeProjects(
	tx: Transaction,
	source: Source,
	{ asOf, region, group }: Omit<Snapshot, "id" | "previousAsOf">,
	base = "projects",
): Promise<void> {
	const feed = source.completes ?? source.feed;
	await tx.unsafe("drop table if exists written; create temporary table written (id text primary key) on commit drop");
	await tx.unsafe(
		`with added as (
			insert into ${base} (id, queue_id, region, feed, key, raw, row_hash, first_seen_at, last_changed_at, version,
				developer_id, developer_canonical, developer_tier, needs_capital, ${facts.join(", ")})
			select s.id, queue_id, $1, $2, key, raw, row_hash, $3::timestamptz, $3::timestamptz, coalesce(d.version, 0) + 1,
				n.developer_id, n.canonical_name, coalesce(n.tier, 'unknown'), n.needs_capital, ${facts.join(", ")}
			from staged s left join deleted_projects d on d.id = s.id left join lateral request_developer(s.id, s.developer) n on true
			where is_new returning id)
		insert into written select id from added`,
		[region, feed, asOf],
	);
	await tx.unsafe(
		`with updated as (
			update ${base} p set queue_id = s.queue_id, feed = $1, key = s.key, raw = s.raw, row_hash = s.row_hash,
				missing_since = null, disappeared_at = null, as_filed = null, status_evidence = null, version = p.version + 1,
				last_changed_at = case when exists (select from differences d where d.id = p.id) then $2::timestamptz
					else p.last_changed_at end,
				developer_id = n.developer_id, developer_canonical = n.canonical_name,
				developer_tier = coalesce(n.tier, 'unknown'), needs_capital = n.needs_capital,
				${facts.map((name) => `${name} = s.${name}`).join(", ")}
			from staged s left join lateral request_developer(s.id, s.developer) n on true
			where p.id = s.id and not s.is_new and ${isRewritten("$1")}
			returning p.id)
		insert into written select id from updated`,
		[feed, asOf],
	);
	// A difference in `raw` alone is stored without a new version.
	await tx`update ${tx(base)} p set raw = s.raw from staged s
		where p.id = s.id and p.raw is distinct from s.raw and not exists (select from written w where w.id = p.id)`;
	await markMissing(tx, source, asOf, base);
	await tx`
		insert into project_aliases (project_id, number, region, key, first_seen_at)
		select s.id, s.queue_id, ${group}, s.key, ${asOf}::timestamptz from staged s
		where not exists (select from project_aliases a where a.project_id = s.id and a.number = s.queue_id)`;
}

/** A missing request is not withdrawn: it keeps its status, and only its absence is recorded, which a later list may confirm. */
async function markMissing(tx: Transaction, source: Source, asOf: string, base: string): Promise<void> {
	await tx.unsafe(
		`with gone as (
			update ${base} p set disappeared_at = $1::timestamptz, version = p.version + 1
			where ${disappearedFrom("$2", "$1::timestamptz")} returning p.id)
		insert into written select id from gone`,
		[asOf, source.feed],
	);
	await tx.unsafe(
		`with gone as (
			update ${base} p set missing_since = $1::timestamptz, version = p.version + 1 where ${vanishedFrom(source)} returning p.id)
		insert into written select id from gone`,
		[asOf],
	);
	await tx.unsafe(
		`with back as (
			update ${base} p set missing_since = null, disappeared_at = null, version = p.version + 1
			from listed l where l.id = p.id and p.feed = $1 and p.missing_since is not null returning p.id)
		insert into written select id from back on conflict do nothing`,
		[source.feed],
	);
}

/** Publishes the list, and the written requests with their changes after `previousSeq`. `suffix` distinguishes a repeated event of the same list. */
export async function writeEvents(
	tx: Transaction,
	source: Source,
	snapshot: Pick<Snapshot, "id" | "region" | "asOf">,
	counts: Applied,
	previousSeq: number,
	suffix = "",
): Promise<void> {
	await publishProjects(
		tx,
		tx`
		select w.id, ${snapshot.asOf}::timestamptz as as_of, ${snapshot.id}::bigint as snapshot_id,
			case when r.id is null then 'null' else json_build_object('filed', r.filed, 'canonical', r.canonical)::text end
				as previous_developer,
			coalesce(c.changes, '[]') as changes
		from written w left join reassigned r on r.id = w.id and r.differs
		left join (${changesAfter(tx, previousSeq, snapshot.id)}) c on c.project_id = w.id`,
	);
	const [written] = await tx<{ last_seq: number; developer_changes: number }[]>`
		select (select coalesce(max(seq), 0) from changes) as last_seq,
			(select count(*) from reassigned r join written w using (id) where r.differs) as developer_changes`;
	await publish(tx, snapshotApplied, {
		id: `snapshot.applied:${snapshot.id}:${source.feed}${suffix}`,
		occurred_at: toTheSecond(new Date().toISOString()),
		version: snapshot.id,
		region: snapshot.region,
		feed: source.feed,
		as_of: toTheSecond(snapshot.asOf),
		rows: counts.rows,
		new: counts.new,
		changed: counts.changed,
		snapshot_id: snapshot.id,
		developer_changes: written?.developer_changes ?? 0,
		last_seq: written?.last_seq ?? 0,
	});
}
