/**
 * Removes the bundled sample when the first publisher's file is loaded, so that the two never mix. A file of a related dataset replaces the
 * sample of its database; a list of requests or a form replaces the whole sample, because requests, companies and plants refer to each other.
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
const minEditedCopyShare = 0.5;

/**
 * Removes the sample, whose requests and changes are invented, unless `file` is the sample's list or an edited copy of it. A list of a program
 * removes only the sample of the database `dg`. `snapshotId` is the current attempt, which is kept. @returns whether anything was removed
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
	if (overlap !== undefined && overlap.known > 0 && overlap.shown >= minEditedCopyShare * overlap.known) return false;
	if (source.programme) return removeDatasetSample(tx, "dg", snapshotId);
	return removeSample(tx, snapshotId);
}

/**
 * Removes the whole sample and publishes its removal; does nothing if other data is loaded. Scores are deleted with their requests. Ratings of
 * retained developers are kept until scoring publishes new ones, because scoring does not publish unchanged ratings.
 */
export async function removeSample(tx: Transaction, snapshotId: number): Promise<boolean> {
	if (!(await isSample(tx))) return false;
	// Blocks other writers, so that none inserts rows while the sample is deleted.
	await lockWriters(tx);
	const installations: string[] = [];
	for (const database of datasetDatabases) {
		if (await isSample(tx, database)) installations.push(...(await deleteSample(tx, database, snapshotId)));
	}
	const invented = sponsors.map(({ canonical }) => normaliseName(canonical).fullKey);
	await publishWholeRemoval(tx, snapshotId, invented, installations);
	// Installations and editions that are still here came from a publisher, not the sample: the deletes below keep them.
	const installationIds = tx`select id from projects where kind = 'distribution'`;
	await tx`delete from changes where feed not in (select feed from feeds where region = 'DG')`;
	await tx`delete from project_versions where project_id not in (${installationIds})`;
	await tx`delete from project_aliases where project_id not in (${installationIds})`;
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

/** Removes the sample from the database of a related dataset, if the database contains only the sample. @returns whether it was removed */
export async function removeDatasetSample(
	tx: Transaction,
	database: Dataset["database"],
	snapshotId: number,
): Promise<boolean> {
	if (!(await isSample(tx, database))) return false;
	await lockWriters(tx);
	const installations = await deleteSample(tx, database, snapshotId);
	// An empty `developer_ids` means to services with samples of their own that the sample's requests are still loaded.
	if (installations.length > 0)
		await publishRemoval(tx, snapshotId, { project_ids: installations, developer_ids: [], plant_ids: [] });
	return true;
}

/** @returns the ids of the removed installations, which only the database `dg` contains */
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

async function deleteSnapshots(tx: Transaction, part: SamplePart, keptSnapshotId: number): Promise<void> {
	const others = tx`select s.id from snapshots s where s.id <> ${keptSnapshotId} and ${belongsTo(tx, part)}`;
	await tx`delete from snapshot_files where snapshot_id in (${others})`;
	await tx`delete from snapshots where id in (${others})`;
}

/** Database of a related dataset; null for the requests and Form EIA-860. Files about companies belong to no part. */
type SamplePart = Dataset["database"] | null;

function belongsTo(tx: Transaction, part: SamplePart): Fragment {
	if (part === null) return tx`s.region <> all(${["companies", "DG", "master", ...datasetDatabases]}::text[])`;
	return tx`s.region = any(${part === "dg" ? ["dg", "DG"] : [part]}::text[])`;
}

const formTables = ["generator_ownership", "plant_owners", "generators", "plants", "utilities", "eia_schedules"];

/** Returns the tables of the related datasets. Only they have all three columns of provenance. */
async function datasetTables(tx: Transaction): Promise<string[]> {
	const rows = await tx<{ name: string }[]>`
		select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
		where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and not a.attisdropped
			and a.attname in ('source', 'edition', 'snapshot_id')
		group by c.relname having count(*) = 3 order by 1`;
	return rows.map(({ name }) => name);
}

/** Whether every file that was ever applied to the part is a sample file. */
export async function isSample(tx: Transaction, part: SamplePart = null): Promise<boolean> {
	const [row] = await tx<{ sample: number; own: number }[]>`
		select count(*) filter (where f.url = ${sampleUrl}) as sample, count(*) filter (where f.url is distinct from ${sampleUrl}) as own
		from snapshot_files f join snapshots s on s.id = f.snapshot_id where s.outcome = 'applied' and ${belongsTo(tx, part)}`;
	return row !== undefined && row.sample > 0 && row.own === 0;
}

async function publishWholeRemoval(
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
 * The sample's developers, all invented, because an invented filing, deal or headline must not name a real company. The register contains them
 * while the sample is loaded, so that the companies of its projects are recognized like real ones.
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
