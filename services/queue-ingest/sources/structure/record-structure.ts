/** Stores the structure of a list and its drift, and publishes the drift, before the guards decide about the list. */
import { listDrifted } from "#libs/contract/events/queue-ingest.ts";
import { driftSeverities, type ProjectRegion } from "#libs/contract/vocabulary.ts";
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import { publish } from "#libs/postgres/events/outbox.ts";
import { sampleUrl } from "../archive.ts";
import { toTheSecond } from "../as-of.ts";
import { type ComparedList, type Drift, findDrift } from "./drift.ts";
import { type ListStructure, layoutHash } from "./structure.ts";

interface ReadList {
	feed: string;
	region: ProjectRegion;
	asOf: string;
	structure: ListStructure;
	unknownValues: ComparedList["unknown"];
}

interface PreviousList extends ComparedList {
	id: number;
	asOf: string;
}

/**
 * Compares the list with the accepted list of the same feed and format whose day precedes it. Published lists are not compared with those of
 * the sample. If this is repeated after a failure, the drift is not published again.
 */
export async function recordStructure(sql: Sql, snapshotId: number, sha256: string, list: ReadList): Promise<void> {
	const { feed, asOf, unknownValues } = list;
	const { format, tables } = list.structure;
	if (tables.length === 0) return;
	await sql.begin(async (tx) => {
		// If two processes load the same file, the second one sees what the first has committed.
		await tx`select pg_advisory_xact_lock(hashtext('queue-ingest structure'), hashtext(${feed}))`;
		const [previous] = await tx<PreviousList[]>`
			select s.id, iso(coalesce(l.as_of, s.as_of)) as "asOf", l.structure as tables, l.unknown_values as unknown
			from snapshot_files l join snapshots s on s.id = l.snapshot_id
			join snapshot_files own on own.snapshot_id = ${snapshotId} and own.sha256 = ${sha256}
			where l.feed = ${feed} and s.outcome = 'applied' and l.format = ${format} and coalesce(l.as_of, s.as_of) <= ${asOf}
				and (l.url = ${sampleUrl}) is not distinct from (own.url = ${sampleUrl})
			order by coalesce(l.as_of, s.as_of) desc, s.id desc limit 1`;
		const drift = previous === undefined ? [] : findDrift(previous, { tables, unknown: unknownValues });
		if (previous !== undefined && drift.length > 0 && !(await wasPublished(tx, feed, sha256)))
			await publishDrift(tx, { ...list, snapshotId, sha256, previous, drift });
		await tx`
			update snapshot_files set format = ${format}, structure = ${JSON.stringify(tables)}::text::jsonb,
				layout = ${layoutHash(tables)}, compared_with = ${previous?.id ?? null}, drift = ${JSON.stringify(drift)}::text::jsonb
			where snapshot_id = ${snapshotId} and sha256 = ${sha256}`;
	});
}

/** Whether the drift of the file was published. Stored drift proves it, because drift and event are stored in one transaction. */
async function wasPublished(tx: Transaction, feed: string, sha256: string): Promise<boolean> {
	const found = await tx`
		select from snapshot_files where feed = ${feed} and sha256 = ${sha256} and drift <> '[]' limit 1`;
	return found.count > 0;
}

const publishDrift = (
	tx: Transaction,
	{
		snapshotId,
		previous,
		...list
	}: ReadList & { snapshotId: number; sha256: string; previous: PreviousList; drift: Drift[] },
): Promise<void> =>
	publish(tx, listDrifted, {
		id: `list.drifted:${list.feed}:${snapshotId}`,
		occurred_at: toTheSecond(new Date().toISOString()),
		version: snapshotId,
		feed: list.feed,
		region: list.region,
		snapshot_id: snapshotId,
		sha256: list.sha256,
		as_of: toTheSecond(list.asOf),
		format: list.structure.format,
		compared_with: { snapshot_id: previous.id, as_of: previous.asOf },
		severity: driftSeverities.find((one) => list.drift.some(({ severity }) => severity === one)) ?? "notice",
		drift: list.drift,
	});
