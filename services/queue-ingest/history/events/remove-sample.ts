/**
 * The bundled sample never mixes with a publisher's own file: the first such file replaces it. A file of a related dataset replaces the
 * sample of its database; a list of requests or a form replaces all of it, because requests, companies and plants refer to each other.
 */
import { sampleLeft } from "#libs/contract/events/queue-ingest.ts";
import { normaliseName } from "#libs/names/normalise.ts";
import type { SeedDeveloper } from "#libs/names/seed.ts";
import type { Fragment, Transaction } from "#libs/postgres/connect.ts";
import { publish } from "#libs/postgres/events/outbox.ts";
import { sampleUrl } from "../../sources/archive.ts";
import { toTheSecond } from "../../sources/as-of.ts";
import type { Dataset } from "../../sources/dataset.ts";
import { lockWriters } from "../../sources/locks.ts";
import type { Source } from "../../sources/source.ts";
import { refreshPortfolios } from "./portfolios.ts";

/** A list with at least this share of the sample's requests is an edited copy of the sample. */
const editedCopyShare = 0.5;

/**
 * Removes the whole sample if `file` is not the sample's list of its feed, because the sample's requests and their changes are invented.
 * `snapshotId` is the current attempt, which is kept.
 */
export async function replaceSample(
	tx: Transaction,
	source: Source,
	snapshotId: number,
	file: { requests: readonly { key: string }[] },
): Promise<boolean> {
	const [overlap] = await tx<{ known: number; shown: number }[]>`
		select count(*) as known, count(*) filter (where key = any(${file.requests.map((request) => request.key)}::text[])) as shown
		from projects where region = ${source.region} and feed = ${source.feed}`;
	if (overlap !== undefined && overlap.known > 0 && overlap.shown >= editedCopyShare * overlap.known) return false;
	if (source.programme) return removeDatasetSample(tx, "dg", snapshotId);
	return removeSample(tx, snapshotId);
}

/**
 * Removes the whole sample, if what is loaded is the sample, and publishes its removal. Scores are deleted with their requests. Ratings of
 * retained developers are kept until scoring publishes new ones, because it does not publish unchanged ratings.
 */
export async function removeSample(tx: Transaction, snapshotId: number): Promise<boolean> {
	if (!(await isSample(tx))) return false;
	// Other writers wait, so that none adds to what is being deleted.
	await lockWriters(tx);
	const installations: string[] = [];
	for (const database of datasetDatabases) {
		if (await isSample(tx, database)) installations.push(...(await deleteSample(tx, database, snapshotId)));
	}
	const invented = sponsors.map(({ canonical }) => normaliseName(canonical).fullKey);
	await publishRemaining(tx, snapshotId, invented, installations);
	// The remaining installations and editions are a publisher's own.
	const own = tx`select id from projects where kind = 'distribution'`;
	await tx`delete from changes where feed not in (select feed from feeds where region = 'DG')`;
	await tx`delete from project_versions where project_id not in (${own})`;
	await tx`delete from project_aliases where project_id not in (${own})`;
	await tx`delete from projects where kind <> 'distribution'`;
	await tx`
		delete from feeds where region is distinct from 'DG' and feed not in (select feed from dataset_editions)`;
	for (const table of ["developer_links", ...formTables]) await tx`delete from ${tx(table)}`;
	await tx`
		delete from developer_aliases a using developers d
		where d.developer_id = a.developer_id and d.full_key = any(${invented}::text[])`;
	await tx`delete from developers where not known or full_key = any(${invented}::text[])`;
	// Makes processes that cache this edition read its names again.
	await tx`update register_edition set sha256 = sha256 || ' without the sample'`;
	const known = await tx<{ id: number }[]>`select developer_id as id from developers where total_projects > 0`;
	const ids = known.map((row) => row.id);
	await refreshPortfolios(tx, ids);
	await deleteSnapshots(tx, null, snapshotId);
	return true;
}

const datasetDatabases = ["dg", "datacenter", "market", "grid"] as const satisfies Dataset["database"][];

/** Removes the sample of a related dataset's database, if only the sample is loaded there; everything else is kept. */
export async function removeDatasetSample(
	tx: Transaction,
	database: Dataset["database"],
	snapshotId: number,
): Promise<boolean> {
	if (!(await isSample(tx, database))) return false;
	await lockWriters(tx);
	const installations = await deleteSample(tx, database, snapshotId);
	// From the empty `developer_ids`, a service with its own sample concludes that the sample of requests is still loaded.
	if (installations.length > 0)
		await publishRemoval(tx, snapshotId, { project_ids: installations, developer_ids: [], plant_ids: [] });
	return true;
}

/** Returns the ids of the removed requests, which only `dg` has: installations of programmes. */
async function deleteSample(tx: Transaction, database: Dataset["database"], snapshotId: number): Promise<string[]> {
	const installations =
		database === "dg"
			? await tx<{ id: string }[]>`select id from projects where kind = 'distribution' order by id`
			: [];
	const ids = installations.map(({ id }) => id);
	if (database === "dg") {
		await tx`delete from changes where feed in (select feed from feeds where region = 'DG')`;
		for (const table of ["project_versions", "project_aliases"])
			await tx`delete from ${tx(table)} where project_id = any(${ids}::text[])`;
		await tx`delete from projects where id = any(${ids}::text[])`;
		await tx`delete from feeds where region = 'DG'`;
	}
	for (const table of await datasetTables(tx)) if (table.startsWith(`${database}_`)) await tx`delete from ${tx(table)}`;
	await tx`delete from feeds where feed in (select feed from dataset_editions where database = ${database})`;
	await tx`delete from dataset_editions where database = ${database}`;
	await deleteSnapshots(tx, database, snapshotId);
	return ids;
}

async function deleteSnapshots(tx: Transaction, part: SamplePart, kept: number): Promise<void> {
	const others = tx`select s.id from snapshots s where s.id <> ${kept} and ${belongsTo(tx, part)}`;
	await tx`delete from snapshot_files where snapshot_id in (${others})`;
	await tx`delete from snapshots where id in (${others})`;
}

/** A related dataset's database; null for the requests and the form. Files about companies belong to no part. */
type SamplePart = Dataset["database"] | null;

function belongsTo(tx: Transaction, part: SamplePart): Fragment {
	if (part === null) return tx`s.region <> all(${["companies", "DG", "master", ...datasetDatabases]}::text[])`;
	return tx`s.region = any(${part === "dg" ? ["dg", "DG"] : [part]}::text[])`;
}

const formTables = ["generator_ownership", "plant_owners", "generators", "plants", "utilities", "eia_schedules"];

/** Tables of the related datasets: they have the columns of a row's provenance. */
async function datasetTables(tx: Transaction): Promise<string[]> {
	const rows = await tx<{ name: string }[]>`
		select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
		where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and not a.attisdropped
			and a.attname in ('source', 'edition', 'snapshot_id')
		group by c.relname having count(*) = 3 order by 1`;
	return rows.map(({ name }) => name);
}

/** Whether all files that were ever applied to the part are the sample's. */
export async function isSample(tx: Transaction, part: SamplePart = null): Promise<boolean> {
	const [row] = await tx<{ sample: number; own: number }[]>`
		select count(*) filter (where f.url = ${sampleUrl}) as sample, count(*) filter (where f.url is distinct from ${sampleUrl}) as own
		from snapshot_files f join snapshots s on s.id = f.snapshot_id where s.outcome = 'applied' and ${belongsTo(tx, part)}`;
	return row !== undefined && row.sample > 0 && row.own === 0;
}

async function publishRemaining(
	tx: Transaction,
	snapshotId: number,
	invented: string[],
	installations: string[],
): Promise<void> {
	const [removed] = await tx<RemovedIds[]>`
		select array(select id from projects where kind <> 'distribution' order by id) as project_ids,
			array(select developer_id from developers where not known or full_key = any(${invented}::text[]) order by 1) as developer_ids,
			array(select distinct plant_id from generator_ownership order by 1) as plant_ids`;
	if (removed === undefined) throw new Error("the query of the sample's ids returned no row");
	await publishRemoval(tx, snapshotId, { ...removed, project_ids: [...removed.project_ids, ...installations] });
}

interface RemovedIds {
	project_ids: string[];
	developer_ids: number[];
	plant_ids: number[];
}

async function publishRemoval(tx: Transaction, snapshotId: number, removed: RemovedIds): Promise<void> {
	await publish(tx, sampleLeft, {
		id: `${sampleLeft.name}:${snapshotId}`,
		occurred_at: toTheSecond(new Date().toISOString()),
		version: snapshotId,
		...removed,
	});
}

/**
 * The developers of the sample, all invented: known as long as it is loaded, so that the companies of its projects are recognised like those of
 * real ones. No real company may be named in an invented filing, deal or headline.
 */
export const sponsors: readonly SeedDeveloper[] = (
	[
		["Alder Grove Renewables", "Alder Grove", "mid_platform", "CO"],
		["Quillback Harbor Energy Partners", "Quillback Harbor", "mid_platform", "MA"],
		["Sedgewater Flats Clean Energy", "Sedgewater Flats", "independent", "TX"],
		["Merrowstone Infrastructure Partners", "Merrowstone", "pe_fund", "NY"],
	] as const
).map(
	([canonical, prefix, tier, headquarters]): SeedDeveloper => ({
		...{ canonical, prefixes: [prefix], tier, headquarters, ambiguous: false, aliases: [] },
		...{ parent: "private", certainty: "K", contactPublished: false },
	}),
);
