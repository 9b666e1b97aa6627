/**
 * What holds after a list that was loaded late: the lists that follow it and are loaded already are gone through in order, as if they were
 * taken in after it, for the requests of which it says something new. Set-based.
 */
import type { Transaction } from "#libs/postgres/connect.ts";
import { restateDevelopers, statesOf } from "../../history/restate-developers.ts";
import { settleDays } from "../../history/settle-days.ts";
import { stateColumns } from "../../history/state-columns.ts";
import type { ListGroup } from "../../sources/source.ts";
import { factColumns } from "../columns.ts";
import { sourceOf, sourcesOf } from "../sources/index.ts";
import { confirmAbsence, mustStay } from "./compare-list.ts";
import { mergePartialRows } from "./stage-list.ts";

interface Later {
	snapshotId: number;
	feed: string;
	/** Of timestamptz, to the microsecond. */
	asOf: string;
}

const columns = stateColumns.join(", ");
const facts = factColumns.map(({ name }) => name);
/** Of two states that are equal in these, what later lists make is equal, too. */
const compared = [...facts, "row_hash", "feed", "key", "missing_since", "disappeared_at"];
const compare = (one: string, other: string) =>
	[one, other]
		.map((alias) => `(${compared.map((name) => `${alias}.${name}`).join(", ")})`)
		.join(" is not distinct from ");

/**
 * Expects the states that the list of `snapshotId`, which came late, begins at `asOf` written, one a request. What later lists begin is
 * replaced until the old course of a request and the new one meet.
 */
export async function replayLists(tx: Transaction, group: ListGroup, list: Omit<Later, "feed">): Promise<void> {
	await tx.unsafe(
		`create temporary table reached on commit drop as
			select project_id as id, entry, version, '{}'::jsonb as raw, ${columns} from project_versions where snapshot_id = $1::bigint`,
		[list.snapshotId],
	);
	await tx`
		create temporary table course on commit drop as
			select v.project_id as id, v.entry, v.valid_from, v.valid_to, v.valid_from > ${list.asOf}::timestamptz as is_later
			from project_versions v join reached r on r.id = v.project_id
			where v.believed and v.snapshot_id is distinct from ${list.snapshotId}::bigint
				and (v.valid_to is null or v.valid_to > ${list.asOf}::timestamptz)`;
	await replay(tx, group, await listsAfter(tx, group, list.asOf));
}

/** Keeps in `reached` the newest states that lists made which came late: the requests themselves are not as these say. Before a list is written. */
export async function noteLateStates(tx: Transaction, group: ListGroup): Promise<void> {
	await tx`drop table if exists reached, course`;
	await tx.unsafe(
		`create temporary table reached on commit drop as
			select project_id as id, entry, version, '{}'::jsonb as raw, ${columns} from project_versions
			where backfilled and believed and valid_to is null and feed = any($1::text[])`,
		[sourcesOf(group).map(({ feed }) => feed)],
	);
}

/** After it: what the list makes of those states holds, where that is another than what it made of the requests. */
export async function followLateStates(tx: Transaction, group: ListGroup, list: Later): Promise<void> {
	const [any] = await tx<{ reached: boolean }[]>`select exists (select from reached) as reached`;
	if (!any?.reached) return;
	// What the list says may be what the request was already, and be new to those states.
	await tx.unsafe(
		`insert into project_versions (project_id, version, valid_from, snapshot_id, backfilled, ${columns})
		select p.id, p.version, $2::timestamptz, $1::bigint, true, ${stateColumns.map((name) => `p.${name}`).join(", ")}
		from reached r join staged s using (id) join projects p using (id)
		where (r.row_hash <> p.row_hash or r.missing_since is not null) and not exists (select from written w where w.id = p.id)`,
		[list.snapshotId, list.asOf],
	);
	await tx`
		create temporary table course on commit drop as
			select v.project_id as id, v.entry, v.valid_from, v.valid_to,
				v.snapshot_id = ${list.snapshotId}::bigint and v.entry > r.entry as is_later
			from project_versions v join reached r on r.id = v.project_id
			where v.believed and (v.valid_to is null or v.valid_to > ${list.asOf}::timestamptz)`;
	await replay(tx, group, [list]);
}

/**
 * Expects `reached`, what holds before the lists, and `course`, what held until now, of which what is later may be replaced.
 */
async function replay(tx: Transaction, group: ListGroup, lists: readonly Later[]): Promise<void> {
	await tx`drop table if exists settled`;
	await tx`create temporary table settled on commit drop as select id from reached`;
	await tx`create index on course (id)`;
	await tx`analyze course, reached`;
	for (const list of lists) {
		if (await readStatements(tx, group, list)) await follow(tx, list);
		const [left] = await tx<{ any: boolean }[]>`select exists (select from reached) as any`;
		if (left?.any === false) break;
	}
	await replaceCourse(tx, "reached", "infinity");
	await settleDays(tx);
	await restateDevelopers(tx, statesOf(tx, tx`select id from settled`));
}

/** Oldest first. Of several of a time the last one says what holds; beside it that of another feed which wins over it comes first. */
async function listsAfter(tx: Transaction, group: ListGroup, asOf: string): Promise<Later[]> {
	return tx<Later[]>`
		select distinct on (at.as_of, f.place) s.id as "snapshotId", f.feed, at.as_of::text as "asOf"
		from unnest(${sourcesOf(group).map(({ feed }) => feed)}::text[]) with ordinality as f (feed, place)
		join snapshot_files l on l.feed = f.feed join snapshots s on s.id = l.snapshot_id
		cross join lateral (select coalesce(l.as_of, s.as_of) as as_of) at
		where s.outcome in ('applied', 'backfilled') and not s.retraction and at.as_of > ${asOf}::timestamptz
		order by at.as_of, f.place, s.id desc`;
}

/** Creates `said`: what the list makes of the requests that are followed, with what held at its time until now. Answers whether it does. */
async function readStatements(tx: Transaction, group: ListGroup, { snapshotId, feed, asOf }: Later): Promise<boolean> {
	const feeds = sourcesOf(group).map((source) => source.feed);
	const higher = feeds.slice(0, feeds.indexOf(feed));
	await tx`drop table if exists said`;
	await tx.unsafe(
		`create temporary table said on commit drop as
		with list as materialized (
			select stated, named, unmerged from snapshot_files where snapshot_id = $1::bigint and feed = $2),
		stated as (select unnest(stated) as id from list),
		named as (select distinct unnest(named) as key from list),
		unmerged as (select u.key as id from list, jsonb_each(unmerged) u),
		found as (
			select c.id, c.entry as held, v.entry, v.valid_from, c.feed, c.missing_since, c.disappeared_at, c.status_std,
				u.id is not null as is_unmerged, s.id is not null as is_stated, n.key is not null as is_named,
				coalesce(v.feed = $2 and v.missing_since is null, false) as is_known, l.stated is null as is_old
			from reached c cross join list l left join stated s on s.id = c.id left join named n on n.key = c.key left join unmerged u on u.id = c.id
			left join course k on k.id = c.id and k.valid_from <= $3::timestamptz and coalesce(k.valid_to, 'infinity') > $3::timestamptz
			left join project_versions v on v.entry = k.entry),
		made as (
			select c.id, c.entry, c.valid_from, case
				when c.missing_since is null and c.feed = any($4::text[]) then null
				when (is_unmerged or is_stated) and c.entry = c.held then null
				when is_unmerged then 'row'
				-- Of a list from before its requests were kept, what has a state of it counts as stated.
				when is_known and (is_stated or is_old) then 'known'
				when is_stated then null
				when c.feed <> $2 then null
				when is_named then case when c.missing_since is not null then 'back' end
				when c.missing_since is null then case when true ${mustStay(sourceOf(feed), "c")} then 'gone' end
				when c.disappeared_at is null and c.missing_since <= $3::timestamptz - ${confirmAbsence} then 'lost'
			end as what from found c)
		select * from made where what is not null`,
		[snapshotId, feed, asOf, higher],
	);
	const [any] = await tx<{ said: boolean }[]>`select exists (select from said) as said`;
	return any?.said === true;
}

async function follow(tx: Transaction, list: Later): Promise<void> {
	const { snapshotId, asOf } = list;
	await tx.unsafe(`
		update reached c set (version, ${columns}) = (select v.version, ${stateColumns.map((name) => `v.${name}`).join(", ")}
			from project_versions v where v.entry = s.entry)
		from said s where s.id = c.id and s.what = 'known'`);
	await takeRows(tx, list);
	await tx`
		update reached c set
			missing_since = case s.what when 'gone' then ${asOf}::timestamptz when 'lost' then c.missing_since end,
			disappeared_at = case s.what when 'lost' then ${asOf}::timestamptz end,
			listed = case s.what when 'gone' then 'missing' when 'lost' then 'disappeared' else 'listed' end
		from said s where s.id = c.id and s.what in ('gone', 'lost', 'back')`;
	await tx.unsafe(`
		drop table if exists met;
		create temporary table met on commit drop as
		select c.id, s.valid_from from reached c join said s using (id) join project_versions v on v.entry = s.entry
		where ${compare("c", "v")}`);
	await tx.unsafe(
		`insert into project_versions (project_id, version, valid_from, snapshot_id, backfilled, ${columns})
		select c.id, c.version, $2::timestamptz, $1::bigint, true, ${stateColumns.map((name) => `c.${name}`).join(", ")}
		from reached c join said using (id)
		where not exists (select from met m where m.id = c.id and m.valid_from = $2::timestamptz)`,
		[snapshotId, asOf],
	);
	await replaceCourse(tx, "met", asOf);
	await tx`delete from reached c using met m where m.id = c.id`;
}

/** Rows that the history has merged with what was known, or not at all, are merged with what holds before the list now. */
async function takeRows(tx: Transaction, { snapshotId, feed }: Later): Promise<void> {
	const types = factColumns.map(({ name, type }) => `${name} ${type}`).join(", ");
	await tx.unsafe("drop table if exists merged");
	await tx.unsafe(
		`create temporary table merged on commit drop as
		select r.*, '{}'::jsonb as raw from snapshot_files f
		cross join lateral jsonb_each(f.unmerged) u join said s on s.id = u.key and s.what = 'row'
		cross join lateral jsonb_to_record(u.value) as r (id text, key text, queue_id text, row_hash text, partial boolean, ${types})
		where f.snapshot_id = $1::bigint and f.feed = $2`,
		[snapshotId, feed],
	);
	await mergePartialRows(tx, "reached", "merged");
	await tx.unsafe(
		`update reached c set feed = $1, key = r.key, queue_id = r.queue_id, row_hash = r.row_hash, missing_since = null,
			disappeared_at = null, listed = 'listed', developer_id = n.developer_id, developer_canonical = n.canonical_name,
			developer_tier = coalesce(n.tier, 'unknown'), ${facts.map((name) => `${name} = r.${name}`).join(", ")}
		from merged r left join named_developers n on n.raw_name = r.developer where r.id = c.id`,
		[feed],
	);
}

/** Of the requests in `table`: what the course began before `until` holds no longer. */
async function replaceCourse(tx: Transaction, table: string, until: string): Promise<void> {
	await tx`
		update project_versions v set believed = false from course k join ${tx(table)} m on m.id = k.id
		where v.entry = k.entry and k.is_later and k.valid_from < ${until}::timestamptz`;
}
