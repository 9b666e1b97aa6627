/** The bundled sample never mixes with a publisher's own file: the first such file takes its place. */
import { sampleLeft } from "#libs/contract/events/queue-ingest.ts";
import type { Region } from "#libs/contract/vocabulary.ts";
import { normaliseName } from "#libs/names/normalise.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import { publish } from "#libs/postgres/outbox.ts";
import { toTheSecond } from "../domain/as-of.ts";
import { sponsors } from "../sample/sponsors.ts";
import type { StandardFile } from "./parse-file.ts";
import { refreshPortfolios } from "./portfolios.ts";

/** Marks the sample's files where their address would stand. */
export const sampleUrl = "sample:";

/** A list that shows at least this share of the sample's requests carries the sample on (someone edited it). */
const carriedOn = 0.5;

/**
 * Removes the whole sample when `file` is another list than the sample's of its feed: its requests are invented, and so are the
 * changes among them. `snapshotId` is the attempt at hand, which stays.
 */
export async function leaveSample(
	tx: Transaction,
	region: Region,
	snapshotId: number,
	file: StandardFile,
): Promise<boolean> {
	const [overlap] = await tx<{ known: number; shown: number }[]>`
		select count(*) as known, count(*) filter (where key = any(${file.requests.map((request) => request.key)}::text[])) as shown
		from projects where region = ${region} and feed = ${file.feed}`;
	if (overlap !== undefined && overlap.known > 0 && overlap.shown >= carriedOn * overlap.known) return false;
	return removeSample(tx, snapshotId);
}

/**
 * Removes the whole sample, if what is loaded is the sample, and tells that it is gone. Scores go with their requests; how a developer
 * that stays was rated stays too, until scoring says otherwise: of what comes out as it was it says nothing.
 */
export async function removeSample(tx: Transaction, snapshotId: number): Promise<boolean> {
	if (!(await isSample(tx))) return false;
	// Whoever writes next waits: what is deleted here must not be added to meanwhile.
	await tx`select pg_advisory_xact_lock(hashtext('queue-ingest writes'))`;
	const invented = sponsors.map(({ canonical }) => normaliseName(canonical).fullKey);
	await tellLeft(tx, snapshotId, invented);
	for (const table of [...queueTables, ...formTables]) await tx`delete from ${tx(table)}`;
	await tx`
		delete from developer_aliases a using developers d
		where d.developer_id = a.developer_id and d.full_key = any(${invented}::text[])`;
	await tx`delete from developers where not known or full_key = any(${invented}::text[])`;
	// Whoever holds the names of this edition in memory reads them again.
	await tx`update register_edition set sha256 = sha256 || ' without the sample'`;
	const known = await tx<{ id: number }[]>`select developer_id as id from developers where total_projects > 0`;
	await refreshPortfolios(
		tx,
		known.map((row) => row.id),
	);
	const others = tx`select id from snapshots where id <> ${snapshotId} and region <> 'companies'`;
	await tx`delete from snapshot_files where snapshot_id in (${others})`;
	await tx`delete from snapshots where id in (${others})`;
	return true;
}

const queueTables = ["changes", "project_versions", "project_aliases", "projects", "feeds", "developer_links"];
const formTables = ["generator_ownership", "plant_owners", "generators", "plants", "utilities", "eia_schedules"];

/** Is everything that was ever applied the sample's? Files about companies are beside the point. */
export async function isSample(tx: Transaction): Promise<boolean> {
	const [row] = await tx<{ sample: number; own: number }[]>`
		select count(*) filter (where f.url = ${sampleUrl}) as sample, count(*) filter (where f.url is distinct from ${sampleUrl}) as own
		from snapshot_files f join snapshots s on s.id = f.snapshot_id where s.outcome = 'applied' and s.region <> 'companies'`;
	return row !== undefined && row.sample > 0 && row.own === 0;
}

/** Before anything is deleted. */
async function tellLeft(tx: Transaction, snapshotId: number, invented: string[]): Promise<void> {
	const [left] = await tx<{ project_ids: string[]; developer_ids: number[]; plant_ids: number[] }[]>`
		select array(select id from projects order by id) as project_ids,
			array(select developer_id from developers where not known or full_key = any(${invented}::text[]) order by 1) as developer_ids,
			array(select distinct plant_id from generator_ownership order by 1) as plant_ids`;
	if (left === undefined) throw new Error("no ids");
	await publish(tx, sampleLeft, {
		id: `${sampleLeft.name}:${snapshotId}`,
		occurred_at: toTheSecond(new Date().toISOString()),
		version: snapshotId,
		...left,
	});
}
