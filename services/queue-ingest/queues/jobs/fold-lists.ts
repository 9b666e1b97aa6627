/**
 * Rebuilds the requests of a group by applying its archived lists again, in chronological order. The results are in temporary tables:
 * `rebuilt` contains the requests after the last list, and `states` contains each state that a list created. Set-based.
 */
import type { Transaction } from "#libs/postgres/connect.ts";
import { stateColumns } from "../../history/write-history.ts";
import { archivedBytes, fileName, recordReport } from "../../sources/archive.ts";
import type { Feed, ListGroup } from "../../sources/source.ts";
import { readMappedWords } from "../../sources/vocabulary.ts";
import { feedsOf, sourceOf } from "../sources/index.ts";
import { assignReplaceable, rowValues } from "./apply-evidence.ts";
import { listRegion } from "./apply-file.ts";
import { writeProjects } from "./apply-list.ts";
import { storeCells } from "./compare-cells.ts";
import { compareFields } from "./compare-list.ts";
import { parseFile, type StandardFile } from "./files/parse-file.ts";
import { stageList } from "./stage-list.ts";

export interface ReplayedList {
	snapshotId: number;
	file: StandardFile;
	/** ISO time of the feed's previous list; null for the first. */
	previousAsOf: string | null;
}

interface ArchivedList {
	snapshotId: number;
	feed: Feed;
	asOf: string;
	previousAsOf: string | null;
	sha256: string;
	path: string;
	name: string;
}

const columns = stateColumns.join(", ");

/**
 * Applies the accepted lists since the time `from` to the requests as they were before that time. Calls `onList` for each list after it is
 * compared and before it is written. Expects the caller to hold the group's lock. Throws if a file cannot be read.
 */
export async function replayLists(
	tx: Transaction,
	group: ListGroup,
	from: string,
	onList: (list: ReplayedList) => Promise<void>,
): Promise<void> {
	await rewind(tx, group, from);
	for (const { snapshotId, feed, asOf, previousAsOf, sha256, path, name } of await readAcceptedLists(tx, group, from)) {
		const source = sourceOf(feed);
		const bytes = await readBytes(tx, sha256);
		const mapped = await readMappedWords(tx, source.partOf ?? feed);
		const file = { ...(await parseFile({ feed, name, path, bytes, asOf, mapped })), asOf, sha256 };
		await recordReport(tx, snapshotId, sha256, file);
		await stageList(tx, snapshotId, group, file, "rebuilt");
		await compareFields(tx, source, previousAsOf === null, "rebuilt");
		await onList({ snapshotId, file, previousAsOf });
		await writeProjects(tx, source, { region: listRegion(source), group, asOf }, "rebuilt");
		await storeCells(tx, feed);
		await tx.unsafe(
			`insert into states (id, version, valid_from, snapshot_id, derived, ${columns})
			select f.id, f.version, $2::timestamptz, $1::bigint, false, ${stateColumns.map((name) => `f.${name}`).join(", ")}
			from written join rebuilt f using (id)`,
			[snapshotId, asOf],
		);
	}
}

/** Creates the table `rebuilt` with the requests as they were before `from`, and an empty table `states`. */
async function rewind(tx: Transaction, group: ListGroup, from: string): Promise<void> {
	await tx.unsafe(
		`create temporary table rebuilt on commit drop as
		select v.project_id as id, v.version, coalesce(p.raw, '{}') as raw, ${stateColumns.map((name) => `v.${name}`).join(", ")}
		from project_versions v left join projects p on p.id = v.project_id
		where v.feed = any($1::text[]) and v.valid_from < $2::timestamptz and coalesce(v.valid_to, 'infinity') >= $2::timestamptz`,
		[feedsOf(group), from],
	);
	await tx.unsafe(`
		alter table rebuilt add primary key (id);
		create trigger rebuilt_listed before insert or update of missing_since, disappeared_at on rebuilt
			for each row execute function write_listed();
		create temporary table states on commit drop as
			select project_id as id, version, valid_from, snapshot_id, derived, ${columns} from project_versions where false;
		alter table states add place bigint generated always as identity`);
	// Lists are compared with filed values; `rebuild` applies evidence again after the last list.
	await tx.unsafe(`
		update rebuilt f set ${assignReplaceable(`${rowValues("f")} || f.as_filed`)}, as_filed = null where as_filed is not null`);
}

/** Returns lists in chronological order. Lists of the same time are ordered by precedence, with a corrected file after the one that it corrects. */
function readAcceptedLists(tx: Transaction, group: ListGroup, from: string): Promise<ArchivedList[]> {
	return tx<ArchivedList[]>`
		with lists as (
			select s.id, l.feed, l.as_of, l.sha256, l.name as path, f.place, lag(l.as_of) over (partition by l.feed order by l.as_of, s.id) as previous
			from unnest(${feedsOf(group)}::text[]) with ordinality as f (feed, place)
			join snapshot_files l on l.feed = f.feed and l.as_of is not null
			join snapshots s on s.id = l.snapshot_id and s.outcome in ('applied', 'backfilled'))
		select id as "snapshotId", feed, sha256, path, ${fileName(tx, tx`path`)} as name, ${isoWithMilliseconds(tx, "as_of")} as "asOf",
			${isoWithMilliseconds(tx, "previous")} as "previousAsOf"
		from lists where as_of >= ${from}::timestamptz order by as_of, place, id`;
}

/** ISO text with milliseconds, because the time of a download has them. */
const isoWithMilliseconds = (tx: Transaction, column: string) =>
	tx.unsafe(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);

async function readBytes(tx: Transaction, sha256: string): Promise<Uint8Array> {
	const [stored] = await tx<{ bytes: Buffer }[]>`select bytes from raw_files where sha256 = ${sha256}`;
	if (stored === undefined) throw new Error(`the file with the SHA-256 ${sha256} is not archived`);
	return archivedBytes(stored.bytes);
}
