/** The bundled sample never mixes with an operator's own list: the first such list takes its place. */
import type { Region } from "#libs/contract/vocabulary.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
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
	if (!(await isSample(tx))) return false;
	const [overlap] = await tx<{ known: number; shown: number }[]>`
		select count(*) as known, count(*) filter (where key = any(${file.requests.map((request) => request.key)}::text[])) as shown
		from projects where region = ${region} and feed = ${file.feed}`;
	if (overlap !== undefined && overlap.known > 0 && overlap.shown >= carriedOn * overlap.known) return false;
	// Whoever writes next waits: what is deleted here must not be added to meanwhile.
	await tx`select pg_advisory_xact_lock(hashtext('queue-ingest writes'))`;
	for (const table of ["changes", "project_versions", "project_aliases", "projects", "feeds", "developer_links"])
		await tx`delete from ${tx(table)}`;
	await tx`delete from developers where not known`;
	const known = await tx<{ id: number }[]>`select developer_id as id from developers where total_projects > 0`;
	await refreshPortfolios(
		tx,
		known.map((row) => row.id),
	);
	await tx`delete from snapshot_files where snapshot_id <> ${snapshotId}`;
	await tx`delete from snapshots where id <> ${snapshotId}`;
	return true;
}

/** Is everything that was ever applied the sample's? */
async function isSample(tx: Transaction): Promise<boolean> {
	const [row] = await tx<{ sample: number; own: number }[]>`
		select count(*) filter (where f.url = ${sampleUrl}) as sample, count(*) filter (where f.url is distinct from ${sampleUrl}) as own
		from snapshot_files f join snapshots s on s.id = f.snapshot_id where s.outcome = 'applied'`;
	return row !== undefined && row.sample > 0 && row.own === 0;
}
