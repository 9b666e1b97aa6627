/**
 * A list that is loaded after newer ones: it becomes a part of the history from its day on, as far as later lists say nothing else, and
 * changes nothing of the present. It is compared with what was known of its day.
 */
import { StructureError } from "#libs/files/structure-error.ts";
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { wakeRelay } from "#libs/postgres/outbox.ts";
import { publishChanges } from "../../history/events/publish-changes.ts";
import { newestSeq } from "../../history/newest-seq.ts";
import { stateColumns } from "../../history/state-columns.ts";
import { archive, hashed, recordReport } from "../../sources/archive.ts";
import { toTheSecond } from "../../sources/as-of.ts";
import { mappedWords } from "../../sources/mapped-words.ts";
import type { Source } from "../../sources/source.ts";
import { factColumns } from "../columns.ts";
import { judge } from "../guards.ts";
import type { Applied } from "./apply-list.ts";
import { compare, measure, vanishedFrom } from "./compare-list.ts";
import { parseFile, type StandardFile } from "./parse-file.ts";
import { recognise } from "./recognise.ts";
import { Held, type IngestRequest, type IngestResult, nothing } from "./record-attempt.ts";
import { replayLists } from "./replay-lists.ts";
import { stageList } from "./stage-list.ts";

/** As of a list that is applied; of the present nothing is counted. */
export interface BackfillResult extends Omit<IngestResult, "outcome"> {
	outcome: "backfilled" | "unchanged" | "failed";
}

/** What was known of the list's day, under the columns of `projects`. */
const base = "projects_then";

/** Of one file. Never throws for what is wrong with it: that is an outcome. Throws when the database fails. */
export async function backfillList(sql: Sql, request: IngestRequest): Promise<BackfillResult> {
	const now = request.now ?? (() => new Date());
	const [file] = request.files.map(hashed);
	if (file === undefined) throw new Error("no file");
	const { region } = request;
	const id = await archive(sql, region, request.asOf ?? now().toISOString(), [file]);
	try {
		const source = await recognise(region, file);
		const { name, path, bytes } = file;
		const mapped = await mappedWords(sql, source.feed);
		const parsed = await parseFile({ feed: source.feed, name, path, bytes, asOf: request.asOf, mapped });
		await recordReport(sql, id, file.sha256, parsed);
		const counts = await sql.begin(async (tx) => {
			await tx`set local work_mem = '64MB'`;
			await tx`select pg_advisory_xact_lock(hashtext('queue-ingest'), hashtext(${region}))`;
			const written = await write(tx, id, request, source, { ...parsed, sha256: file.sha256 });
			const outcome = written === undefined ? "unchanged" : "backfilled";
			await tx`
				update snapshots set outcome = ${outcome}, as_of = ${parsed.asOf}, rows = ${written?.rows ?? 0}, new = ${written?.new ?? 0},
					changed = ${written?.changed ?? 0}, disappeared = ${written?.disappeared ?? 0}, finished_at = now()
				where id = ${id}`;
			if (written !== undefined) await raiseDataVersion(tx);
			await wakeRelay(tx);
			return written;
		});
		const outcome = counts === undefined ? "unchanged" : "backfilled";
		return { region, as_of: toTheSecond(parsed.asOf), outcome, ...nothing, ...counts, reason: null };
	} catch (error) {
		if (!(error instanceof Held || error instanceof StructureError)) throw error;
		// The feed is as it was: a list of the past that is refused is no fault of the newest.
		await sql`update snapshots set outcome = 'failed', reason = ${error.message}, finished_at = now() where id = ${id}`;
		return { region, as_of: request.asOf, outcome: "failed", ...nothing, reason: error.message };
	}
}

/** Undefined where the history has this list already. */
async function write(
	tx: Transaction,
	id: number,
	request: IngestRequest,
	source: Source,
	file: StandardFile & { sha256: string },
): Promise<Applied | undefined> {
	const { feed } = source;
	const [known] = await tx<{ newest: string | null; loaded: boolean; first: boolean }[]>`
		select (select iso(applied_as_of) from feeds where feed = ${feed}) as newest,
			exists (select from snapshot_files f join snapshots s on s.id = f.snapshot_id
				where f.feed = ${feed} and f.sha256 = ${file.sha256} and s.outcome in ('applied', 'backfilled') and s.as_of = ${file.asOf}) as loaded,
			not exists (select from snapshot_files f join snapshots s on s.id = f.snapshot_id where f.feed = ${feed}
				and s.outcome in ('applied', 'backfilled') and s.as_of < ${file.asOf}) as first`;
	if (known?.loaded) return undefined;
	if (!known?.newest || file.asOf >= known.newest)
		throw new Held(`${feed}: no newer list than that of ${file.asOf} is loaded: it is no list of the past`);
	await readThen(tx, source, file.asOf);
	await stageList(tx, id, request.region, file, base);
	if (!known.first && request.accept !== true) await guard(tx, source, file);
	await compare(tx, source, known.first, base);
	await tx`select pg_advisory_xact_lock(hashtext('queue-ingest writes'))`;
	const before = await newestSeq(tx);
	await writeChanges(tx, id, source, file.asOf, known.first);
	const counts = await writeStates(tx, id, source, file.asOf);
	await replayLists(tx, request.region, { snapshotId: id, asOf: file.asOf });
	await publishChanges(tx, before);
	return counts;
}

async function readThen(tx: Transaction, source: Source, asOf: string): Promise<void> {
	await tx.unsafe(
		`create temporary table ${base} on commit drop as
		select id, version, '{}'::jsonb as raw, ${stateColumns.join(", ")} from project_history
		where region = $1 and believed and tstzrange(valid_from, valid_to) @> $2::timestamptz`,
		[source.region, asOf],
	);
	await tx.unsafe(`alter table ${base} add primary key (id)`);
}

async function guard(tx: Transaction, source: Source, file: StandardFile): Promise<void> {
	const malformed = file.dropped.filter((entry) => entry.malformed).reduce((sum, entry) => sum + entry.count, 0);
	const [previous] = await tx<{ hours: number }[]>`
		select extract(epoch from ${file.asOf}::timestamptz - max(s.as_of)) / 3600 as hours from snapshot_files f
		join snapshots s on s.id = f.snapshot_id
		where f.feed = ${source.feed} and s.outcome in ('applied', 'backfilled') and s.as_of < ${file.asOf}`;
	const verdict = judge(source, await measure(tx, source, malformed, base), previous?.hours ?? 0);
	if (verdict.reasons.length > 0) throw new Held(`${source.feed}: ${verdict.reasons.join("; ")}`);
}

async function writeChanges(tx: Transaction, id: number, source: Source, asOf: string, first: boolean): Promise<void> {
	await tx.unsafe(
		`with found as (
			select id, 0 as field_order, $5::text as change_type, null as field_name, null as old_value, status as new_value
			from staged where is_new
			union all
			select id, 10 + field_order, change_type, field_name, old_value, new_value
			from differences where moves_state or field_name not in (select field_name from recoded)
			union all
			select null, 100 + field_order, change_type, field_name, null, projects || ' projects recoded' from recoded)
		insert into changes (seq, snapshot_id, detected_at, region, feed, project_id, queue_id, kind, change_type, field_name,
			old_value, new_value, project_name, developer_canonical, capacity_mw, type_std, state, backfilled)
		select (select coalesce(max(seq), 0) from changes) + row_number() over (order by f.id nulls first, f.field_order),
			$1::bigint, $2::timestamptz, $3::text, $4::text, f.id, s.queue_id, s.kind, f.change_type, f.field_name, f.old_value, f.new_value, s.name,
			n.canonical_name, s.capacity_mw, s.type_std, s.state, true
		from found f left join staged s on s.id = f.id left join lateral request_developer(s.id, s.developer) n on true`,
		[id, asOf, source.region, source.feed, first ? "first_listed" : "new_project"],
	);
}

const facts = factColumns.map((column) => column.name);
const rest = stateColumns.filter((name) => !["missing_since", "disappeared_at", "listed"].includes(name));

/** What the list says, from its day on. Of a request that it does not show, and should, that it is missing. */
async function writeStates(tx: Transaction, id: number, source: Source, asOf: string): Promise<Applied> {
	await tx.unsafe(
		`insert into project_versions (project_id, version, valid_from, snapshot_id, backfilled, ${stateColumns.join(", ")})
		select s.id, coalesce(t.version, 1), $2::timestamptz, $1::bigint, true, ${stateColumns.map((name) => statedColumn(name)).join(", ")}
		from staged s left join ${base} t using (id) left join named_developers n on n.raw_name = s.developer
		where t.id is null or t.row_hash is distinct from s.row_hash or t.missing_since is not null or t.feed <> $4`,
		[id, asOf, source.region, source.feed],
	);
	const asThen = rest.map((name) => `p.${name}`).join(", ");
	await tx.unsafe(
		`insert into project_versions (project_id, version, valid_from, snapshot_id, backfilled, missing_since, listed, ${rest.join(", ")})
		select p.id, p.version, $2::timestamptz, $1::bigint, true, $2::timestamptz, 'missing', ${asThen}
		from ${base} p where ${vanishedFrom(source)}
		union all
		select p.id, p.version, $2::timestamptz, $1::bigint, true, null, 'listed', ${asThen}
		from listed l join ${base} p using (id) where p.feed = $3 and p.missing_since is not null
			and not exists (select from staged s where s.id = p.id)`,
		[id, asOf, source.feed],
	);
	const [counts] = await tx.unsafe<Applied[]>(`
		select (select count(*) from staged)::int as rows, (select count(*) from staged where is_new)::int as new,
			(select count(distinct id) from differences)::int as changed, 0 as status_changes, 0 as withdrawn,
			(select count(*) from ${base} p where ${vanishedFrom(source)})::int as disappeared`);
	return counts ?? nothing;
}

function statedColumn(name: (typeof stateColumns)[number]): string {
	if (facts.includes(name)) return `s.${name}`;
	const others: Partial<Record<typeof name, string>> = {
		queue_id: "s.queue_id",
		key: "s.key",
		row_hash: "s.row_hash",
		region: "$3::text",
		feed: "$4::text",
		listed: "'listed'",
		developer_id: "n.developer_id",
		developer_canonical: "n.canonical_name",
		developer_tier: "coalesce(n.tier, 'unknown')",
		first_seen_at: "coalesce(t.first_seen_at, $2::timestamptz)",
		last_changed_at: "$2::timestamptz",
	};
	return others[name] ?? "null";
}
