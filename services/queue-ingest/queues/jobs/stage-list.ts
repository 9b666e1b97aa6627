/** Copies a parsed list into a temporary table and assigns each row to its project. */
import { once } from "node:events";
import { finished } from "node:stream/promises";
import type { Transaction } from "#libs/postgres/connect.ts";
import type { RowOrigin } from "../../sources/filed-cells.ts";
import type { Feed, ListGroup } from "../../sources/source.ts";
import { copyValue, factColumns, formatCopyLine, hashRow } from "../columns.ts";
import { type Identity, identify, type Known } from "../identify.ts";
import { feedsOf, sourceOf, sourcesOf } from "../sources/index.ts";
import { iaStatusByPhase } from "../standardise.ts";
import { compareWithPast } from "./compare-with-past.ts";
import type { StandardFile } from "./files/parse-file.ts";

const factNames = factColumns.map((column) => column.name).join(", ");

/**
 * Creates the tables `staged` (one row per request of the list) and `listed` (ids of requests that the list still contains, but without a usable
 * row). Leaves out requests that a list of higher precedence contains, and returns their number. For a list that completes another, `staged`
 * contains the rows of that other list. `base` is the table with which the list is compared: `projects`, or the result of the earlier lists of a
 * rebuild.
 */
export async function stageList(
	tx: Transaction,
	snapshotId: number,
	region: ListGroup,
	file: StandardFile,
	base = "projects",
): Promise<{ superseded: number }> {
	const known = await readKnownProjects(tx, region, file.feed, base);
	const identities = identify(region, file.requests, known);
	await tx.unsafe(`
		drop table if exists staged, listed;
		create temporary table staged (
			id text primary key, key text not null, queue_id text not null, is_new boolean not null,
			renumbered boolean not null, partial boolean not null, row_hash text not null, raw jsonb not null,
			filed_table smallint, filed_row integer, further_rows jsonb, filed jsonb,
			${factColumns.map((column) => `${column.name} ${column.type}`).join(", ")}
		) on commit drop;
		create temporary table listed (id text primary key) on commit drop`);
	await copyRows(tx, file, identities);
	// In a rebuild, a request that first appears in this list may already have an id, assigned when a later list was loaded.
	if (base !== "projects")
		await tx`update staged s set is_new = not exists (select from ${tx(base)} p where p.id = s.id)`;
	await tx`
		insert into listed select distinct project_id from project_aliases
		where region = ${region} and key = any(${file.stillListed}::text[])
		union select id from ${tx(base)} where feed = any(${feedsOf(region)}::text[])
			and key = any(${file.stillListed}::text[])`;
	const source = sourceOf(file.feed);
	if (source.completes !== undefined) {
		await completeRows(tx, snapshotId, { file, completes: source.completes, base });
		return { superseded: 0 };
	}
	const higher = higherFeeds(region, file.feed);
	await recordContents(tx, snapshotId, file, higher, base);
	const superseded = await dropRowsOfHigherFeeds(tx, higher, base);
	if (superseded > 0)
		await noteDropped(tx, snapshotId, file.feed, "the operator's other list states this request", superseded);
	await mergePartialRows(tx, region, base);
	if (sourcesOf(region).some(({ completes }) => completes === file.feed))
		await tx`update staged s set components = p.components from ${tx(base)} p where p.id = s.id and s.components = '[]'`;
	await compareWithPast(tx, source, base);
	// Plans depend only on the number of rows; analyzing all columns takes as long as the COPY.
	await tx.unsafe("analyze staged (id)");
	return { superseded };
}

/** In a rebuild, includes requests that only later lists have, because an id is assigned once. */
async function readKnownProjects(tx: Transaction, region: ListGroup, feed: Feed, base: string): Promise<Known[]> {
	const identifying = tx`id, key, name, unit, poi, type_std, capacity_mw, queue_date, queue_date_current, feed, first_seen_at`;
	const others = tx`
		union all
		select ${identifying}, 'epoch' as missing_since from projects o where not exists (select from ${tx(base)} b where b.id = o.id)`;
	return tx<Known[]>`
		with p as (select ${identifying}, missing_since from ${tx(base)} ${base === "projects" ? tx`` : others})
		select p.id, coalesce(a.keys, array[p.key]) as keys, p.name, p.unit, p.poi, p.type_std as "typeStd",
			p.capacity_mw as "capacityMw", coalesce(p.queue_date_current, p.queue_date) as "queueDate", p.feed = ${feed} and p.missing_since is null as "sameFeed"
		from p
		left join (
			select project_id, array_agg(key) as keys from project_aliases where region = ${region}
			group by project_id having count(*) > 1) a on a.project_id = p.id
		where p.feed = any(${feedsOf(region)}::text[])
		order by p.first_seen_at, p.id`;
}

async function copyRows(tx: Transaction, file: StandardFile, identities: Identity[]): Promise<void> {
	const names = `id, key, queue_id, is_new, renumbered, partial, row_hash, raw, filed_table, filed_row, further_rows, filed, ${factNames}`;
	const stream = await tx.unsafe(`copy staged (${names}) from stdin`).writable();
	const done = finished(stream);
	// COPY may fail before `done` is awaited below.
	done.catch(() => {});
	let chunk = "";
	for (const [at, request] of file.requests.entries()) {
		const identity = identities[at];
		if (identity === undefined) throw new Error(`the request ${request.number} was assigned to no project`);
		const facts = factColumns.map((column) => copyValue(column, request));
		chunk += formatCopyLine([
			identity.id,
			request.key,
			request.number,
			identity.isNew,
			identity.renumbered,
			request.partial,
			hashRow(request),
			request.raw,
			...originValues(request.origins),
			request.filed,
			...facts,
		]);
		if (chunk.length > 1 << 18) {
			if (!stream.write(chunk)) await once(stream, "drain");
			chunk = "";
		}
	}
	stream.end(chunk);
	await done;
}

/** Values of the columns `filed_table`, `filed_row` and `further_rows`. The last is a JSON list of [table, row, fields taken from that row]. */
function originValues([first, ...further]: readonly RowOrigin[] = []): (number | string | null)[] {
	const others = further.map(({ table, row, fields = [] }) => [table, row, fields]);
	return [first?.table ?? null, first?.row ?? null, others.length === 0 ? null : JSON.stringify(others)];
}

function higherFeeds(region: ListGroup, feed: Feed): Feed[] {
	const feeds = feedsOf(region);
	return feeds.slice(0, feeds.indexOf(feed));
}

/** Records which requests the list contains, and in which rows, so that values can be traced. */
async function recordContents(
	tx: Transaction,
	snapshotId: number,
	file: StandardFile,
	higher: Feed[],
	base: string,
): Promise<void> {
	await tx`
		update snapshot_files set as_of = ${file.asOf}, stated = array(select id from staged order by id),
			tables = ${file.tables.length === 0 ? null : JSON.stringify(file.tables)}::text::jsonb,
			stated_tables = array(select filed_table from staged order by id), stated_rows = array(select filed_row from staged order by id),
			further_rows = (select jsonb_object_agg(id, further_rows) from staged where further_rows is not null),
			unmerged = (select coalesce(jsonb_object_agg(s.id, to_jsonb(s) - '{raw,is_new,renumbered,filed_table,filed_row,further_rows,filed}'::text[]), '{}') from staged s
				left join ${tx(base)} p using (id) where s.partial and ${sourceOf(file.feed).completes === undefined} or p.feed = any(${higher}::text[]) and p.missing_since is null)
		where snapshot_id = ${snapshotId} and feed = ${file.feed}`;
}

/** Removes rows of requests that a list of higher precedence still shows. */
async function dropRowsOfHigherFeeds(tx: Transaction, higher: Feed[], base: string): Promise<number> {
	if (higher.length === 0) return 0;
	const removed = await tx`
		with removed as (
			delete from staged s using ${tx(base)} p
			where p.id = s.id and p.feed = any(${higher}::text[]) and p.missing_since is null
			returning s.id)
		insert into listed select id from removed on conflict do nothing returning id`;
	return removed.count;
}

async function noteDropped(tx: Transaction, id: number, feed: Feed, reason: string, count: number): Promise<void> {
	const note = JSON.stringify([{ reason, count, examples: [] }]);
	await tx`update snapshot_files set dropped = dropped || ${note}::text::jsonb where snapshot_id = ${id} and feed = ${feed}`;
}

/**
 * Replaces the staged rows with the rows of the completed list, as filed there, plus the parts from this list. A request loses its
 * parts if this list no longer contains any. Requests that are not in the completed list are left out.
 */
async function completeRows(
	tx: Transaction,
	snapshotId: number,
	{ file, completes, base }: { file: StandardFile; completes: Feed; base: string },
): Promise<void> {
	const unknown = await tx`
		delete from staged s where not exists (select from ${tx(base)} p where p.id = s.id and p.feed = ${completes} and p.missing_since is null)`;
	if (unknown.count > 0)
		await noteDropped(tx, snapshotId, file.feed, "not in the list that it completes", unknown.count);
	await recordContents(tx, snapshotId, file, [], base);
	const completed: Record<string, string> = {
		components: "coalesce(s.components, '[]')",
		poi: "coalesce(p.poi, s.poi)",
		type_std: `coalesce(${statedColumn("type_std")}, s.type_std, p.type_std)`,
	};
	const values = factColumns.map(({ name }) => completed[name] ?? `p.${name}`);
	await tx.unsafe(
		`create temporary table parts on commit drop as select * from staged;
		delete from staged;
		insert into staged (id, key, queue_id, is_new, renumbered, partial, row_hash, raw, filed_table, filed_row, ${factNames})
		select b.id, b.key, b.queue_id, false, false, true,
			case when b.components = coalesce(s.components, '[]') then b.row_hash else md5(b.row_hash || coalesce(s.components::text, '')) end,
			b.raw, s.filed_table, s.filed_row, ${values.join(", ")}
		from ${base} b cross join lateral jsonb_populate_record(b, b.as_filed) p left join parts s on s.id = b.id
		where b.feed = '${completes}' and b.missing_since is null and (s.id is not null or b.components <> '[]');
		drop table parts`,
	);
	await tx.unsafe("analyze staged (id)");
}

/** SQL: the column of `p`; null for the technology 'Unknown', which was not filed. */
const statedColumn = (name: string): string => (name === "type_std" ? "nullif(p.type_std, 'Unknown')" : `p.${name}`);

/** A partial row changes only the fields for which it has a value. */
async function mergePartialRows(tx: Transaction, region: ListGroup, base: string): Promise<void> {
	const merged = factColumns
		.filter((column) => column.type !== "text[]")
		.map(({ name, partial }) =>
			partial === "keep"
				? `${name} = coalesce(${statedColumn(name)}, s.${name})`
				: `${name} = coalesce(s.${name}, p.${name})`,
		);
	await tx.unsafe(`
		update staged s set counties = case when p.counties = '{}' then s.counties else p.counties end, raw = p.raw || s.raw,
			${merged.join(", ")}
		from ${base} b cross join lateral jsonb_populate_record(b, b.as_filed) p where b.id = s.id and s.partial`);
	await tx`
		update staged s set type_std = r.type_std
		from (select distinct on (key) key, type_std from request_reports
			where region = ${region} and type_std <> 'Unknown' order by key, edition desc) r
		where s.partial and s.type_std = 'Unknown' and r.key = s.key`;
	await tx`update staged set study_phase = null where partial and status_std = 'Withdrawn'`;
	// The state of the agreement was derived without a study phase, so it is derived again with the phase of the main list.
	await tx`
		update staged s set ia_status = phases.ia_status
		from unnest(${Object.keys(iaStatusByPhase)}::text[], ${Object.values(iaStatusByPhase)}::text[]) as phases (phase, ia_status)
		where s.partial and s.status_std in ('Active', 'Suspended') and s.study_phase = phases.phase
			and s.ia_status <> 'Construction'`;
}
