/** Stores a reference file and, in the same transaction, queues the requests and developers to recompute. */
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { enqueueDevelopers, enqueueProjects, wakeScoring } from "../tables/recompute-queue.ts";
import { splitProjectId } from "./sources/ic-costs.ts";
import type { EnergyCommunities, InterconnectionCosts, ReferenceList, ReferenceSource } from "./sources/reference.ts";

interface FileIdentity {
	sha256: string;
	name: string;
	sizeBytes: number;
}

interface Stored {
	stored: number;
	known: number;
	/** Remarks for the operator of this service, each without an initial capital and a full stop. */
	notes: string[];
}

/** Maximum rows of one statement. */
const batchSize = 5_000;

export function storeReference(sql: Sql, content: ReferenceList, about: FileIdentity, now: Date): Promise<Stored> {
	return sql.begin(async (tx) => {
		// Allows one writer at a time, because which lists the new one replaces depends on the loaded lists.
		await tx`select pg_advisory_xact_lock(hashtextextended(current_schema() || ':references', 0))`;
		const known = await readLoadedRows(tx, content.source, about.sha256);
		if (known !== null) return { stored: 0, known, notes: [] };
		await deleteReplaced(tx, content);
		const id = await recordReference(tx, content, about, now);
		const stored = await storeRows(tx, id, content);
		await tx`update reference_files set rows = ${stored} where id = ${id}`;
		if (content.source === "ic-costs") await applyCosts(tx, id);
		else {
			// Makes the worker recompute everything with the lists that are now the newest.
			await tx`update reference_versions set version = version + 1, edition = gen_random_uuid()`;
			await wakeScoring(tx);
		}
		await raiseDataVersion(tx);
		return { stored, known: 0, notes: await collectNotes(tx, id, content) };
	});
}

async function collectNotes(tx: Transaction, id: number, content: ReferenceList): Promise<string[]> {
	if (content.source === "low-income") return [];
	const note =
		content.source === "ic-costs" ? await noteUnknownRequests(tx, id) : await noteUnusedCounties(tx, content);
	return note === null ? [] : [note];
}

/** Notes that a partial list of counties is not used, because a complete one is loaded (`readNewestCountyFile` in `current.ts`). */
async function noteUnusedCounties(tx: Transaction, { complete, counties }: EnergyCommunities): Promise<string | null> {
	if (complete || counties.length === 0) return null;
	const [completeList] = await tx<{ notice: string }[]>`
		select notice from reference_files f
		where complete and exists (select from energy_community_counties where file_id = f.id)
		order by valid_from desc, published_on desc nulls last limit 1`;
	return completeList === undefined
		? null
		: `not used for counties: the complete list of Notice ${completeList.notice} is loaded`;
}

/** Maximum requests named in a note. */
const maxNamed = 5;

/** Notes costs of unknown requests. These are not published yet, or the file has a wrong number. */
async function noteUnknownRequests(tx: Transaction, id: number): Promise<string | null> {
	const unknown = await tx<{ name: string }[]>`
		select distinct coalesce(project_id, region || '-' || queue_key) as name from filed_interconnection_costs c
		where file_id = ${id}
			and not exists (select from projects p where p.project_id = c.project_id)
			and not exists (select from projects p where p.region = c.region and queue_key(p.queue_id) = c.queue_key)
		order by name`;
	if (unknown.length === 0) return null;
	const names = unknown.slice(0, maxNamed).map(({ name }) => name);
	const ellipsis = unknown.length > names.length ? ", ..." : "";
	const verb = unknown.length === 1 ? "names" : "name";
	return `${unknown.length} ${verb} no request that is known yet: ${names.join(", ")}${ellipsis}`;
}

/** Returns the number of entries stored from a file; null if the file is not loaded. */
export async function readLoadedRows(
	sql: Sql | Transaction,
	source: ReferenceSource,
	sha256: string,
): Promise<number | null> {
	const [file] = await (sql as Sql)<{ rows: number }[]>`
		select rows from reference_files where source = ${source} and sha256 = ${sha256}`;
	return file?.rows ?? null;
}

/**
 * Deletes the lists of the same notice and kind, which this one replaces. A partial list never replaces a complete one. Published lists also
 * remove the bundled sample.
 */
async function deleteReplaced(tx: Transaction, content: ReferenceList): Promise<void> {
	if (content.source === "ic-costs") return;
	const { kind, notice, complete } = describeFile(content);
	await tx`
		delete from reference_files where kind = ${kind} and notice = ${notice} and (${complete} or not complete)`;
	if (content.source === "energy-communities" && !content.sample) await tx`delete from reference_files where sample`;
}

/** The columns of `reference_files` that depend on the source. */
function describeFile(content: ReferenceList) {
	if (content.source === "ic-costs")
		return { kind: "ic-costs", notice: null, validFrom: null, publishedOn: null, complete: false, sample: false };
	if (content.source === "energy-communities") return content;
	const { name: notice, validFrom } = content;
	return { kind: "low-income", notice, validFrom, publishedOn: null, complete: true, sample: false };
}

async function recordReference(
	tx: Transaction,
	content: ReferenceList,
	about: FileIdentity,
	now: Date,
): Promise<number> {
	const { kind, notice, validFrom, publishedOn, complete, sample } = describeFile(content);
	const [file] = await tx<{ id: number }[]>`
		insert into reference_files (sha256, name, size_bytes, source, kind, notice, valid_from, published_on, rows_in, rows, complete,
			sample, dropped, loaded_at, layout)
		values (${about.sha256}, ${about.name}, ${about.sizeBytes}, ${content.source}, ${kind}, ${notice}, ${validFrom}, ${publishedOn},
			${content.rowsIn}, 0, ${complete}, ${sample}, ${JSON.stringify(content.dropped)}::text::jsonb, ${now.toISOString()},
			${"layout" in content ? JSON.stringify(content.layout) : null}::text::jsonb)
		returning id`;
	if (file === undefined) throw new Error("inserting into reference_files returned no row");
	return file.id;
}

/** @returns the number of entries stored */
async function storeRows(tx: Transaction, id: number, content: ReferenceList): Promise<number> {
	if (content.source === "ic-costs") {
		// The trigger on requests takes the same lock: concurrent inserts of a request and its cost would not see each other.
		await tx`select pg_advisory_xact_lock(hashtextextended(current_schema() || ':costs', 0))`;
		await storeCosts(tx, id, content);
		const [stored] = await tx<{ rows: number }[]>`
			select count(*) as rows from filed_interconnection_costs where file_id = ${id}`;
		return stored?.rows ?? 0;
	}
	const insert = (table: string, columns: string, rows: readonly object[]) =>
		inBatches(
			rows,
			(json) => tx`
				insert into ${tx(table)} (file_id, ${tx.unsafe(columns)})
				select ${id}, ${tx.unsafe(columns)} from json_populate_recordset(null::${tx(table)}, ${json}::text::json)`,
		);
	if (content.source === "low-income") {
		await insert("low_income_counties", "fips, low_income, tracts", content.counties);
		return insert("low_income_tracts", "tract, share, file_row, filed", content.tracts);
	}
	const countyColumns = "fips, statistical, area, vintage, note, file_row, filed";
	const counties = await insert("energy_community_counties", countyColumns, content.counties);
	const tracts = await insert("coal_tracts", "tract, tract_type, eligible_from, file_row, filed", content.coalTracts);
	return content.kind === "places" ? counties : counties + tracts;
}

/**
 * Stores costs by request. Ids are compared without regard to case. The cost of a request that is not known yet is stored under its region
 * and number. Of two costs for the same request and day, the higher is stored.
 */
function storeCosts(tx: Transaction, id: number, { costs }: InterconnectionCosts): Promise<number> {
	return inBatches(
		costs.map((cost) => (cost.project_id === null ? cost : { ...cost, ...splitProjectId(cost.project_id) })),
		(rows) => tx`
			insert into filed_interconnection_costs as t (file_id, project_id, region, queue_key, cost_usd_per_kw, as_of, source, study,
				dollars_year, poi_usd_per_kw, network_usd_per_kw)
			select distinct on (n.project_id, n.region, n.queue_key, as_of) ${id}, n.*, cost_usd_per_kw, as_of, source, study, dollars_year,
				poi_usd_per_kw, network_usd_per_kw
			from jsonb_to_recordset(${rows}::text::jsonb)
				as e (project_id text, region text, queue_id text, cost_usd_per_kw float8, as_of date, source text, study text,
					dollars_year integer, poi_usd_per_kw float8, network_usd_per_kw float8)
			left join projects p on upper(p.project_id) = upper(e.project_id)
			cross join lateral (values (p.project_id, case when p.project_id is null then e.region end,
				case when p.project_id is null then queue_key(e.queue_id) end)) as n (project_id, region, queue_key)
			order by n.project_id, n.region, n.queue_key, as_of, cost_usd_per_kw desc
			on conflict (file_id, project_id, region, queue_key, as_of) do update
				set (cost_usd_per_kw, source, study, dollars_year, poi_usd_per_kw, network_usd_per_kw) = (excluded.cost_usd_per_kw,
					excluded.source, excluded.study, excluded.dollars_year, excluded.poi_usd_per_kw, excluded.network_usd_per_kw)
				where t.cost_usd_per_kw < excluded.cost_usd_per_kw`,
	);
}

/** Applies the file's costs to known requests. A trigger applies them to requests that are published later. */
async function applyCosts(tx: Transaction, id: number): Promise<void> {
	const changed = await tx<{ project_id: string; developer_id: number | null }[]>`
		with named as (
			select p.project_id from filed_interconnection_costs c join projects p on p.project_id = c.project_id
			where c.file_id = ${id}
			union
			select p.project_id from filed_interconnection_costs c
			join projects p on p.region = c.region and queue_key(p.queue_id) = c.queue_key
			where c.file_id = ${id}),
		written as (
			insert into interconnection_costs as t select * from newest_costs(array(select project_id from named)) order by project_id
			on conflict (project_id) do update
				set (cost_usd_per_kw, as_of, source, sha256, study, dollars_year, poi_usd_per_kw, network_usd_per_kw)
					= (excluded.cost_usd_per_kw, excluded.as_of, excluded.source, excluded.sha256, excluded.study, excluded.dollars_year,
						excluded.poi_usd_per_kw, excluded.network_usd_per_kw)
				where t.* is distinct from excluded.*
			returning project_id)
		select project_id, p.developer_id from written join projects p using (project_id)`;
	const projects = changed.map((row) => row.project_id);
	const developers = changed.map((row) => row.developer_id);
	await enqueueProjects(tx, projects);
	await enqueueDevelopers(tx, developers);
}

async function inBatches<T>(
	rows: readonly T[],
	write: (json: string) => PromiseLike<{ count: number }>,
): Promise<number> {
	let written = 0;
	for (let at = 0; at < rows.length; at += batchSize)
		written += (await write(JSON.stringify(rows.slice(at, at + batchSize)))).count;
	return written;
}
