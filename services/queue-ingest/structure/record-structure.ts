/** Keeps the structure of a list that was read, and its drift, before any guard decides about the list. */
import type { Sql } from "#libs/postgres/connect.ts";
import { type Described, driftBetween } from "./drift.ts";
import { type ListStructure, layoutHash } from "./structure.ts";

interface ReadList {
	feed: string;
	/** ISO moment. */
	asOf: string;
	structure: ListStructure;
	unknownValues: Described["unknown"];
}

/**
 * Compares with the list of the same feed and format that was accepted before it, by their days. `sampleUrl`: address of the
 * invented lists, with which no published one is compared.
 */
export async function recordStructure(
	sql: Sql,
	snapshotId: number,
	sha256: string,
	{ feed, asOf, structure: { format, tables }, unknownValues }: ReadList,
	sampleUrl: string,
): Promise<void> {
	if (tables.length === 0) return;
	const [before] = await sql<(Described & { id: number })[]>`
		select s.id, l.structure as tables, l.unknown_values as unknown
		from snapshot_files l join snapshots s on s.id = l.snapshot_id
		join snapshot_files own on own.snapshot_id = ${snapshotId} and own.sha256 = ${sha256}
		where l.feed = ${feed} and s.outcome = 'applied' and l.format = ${format} and coalesce(l.as_of, s.as_of) <= ${asOf}
			and (l.url = ${sampleUrl}) is not distinct from (own.url = ${sampleUrl})
		order by coalesce(l.as_of, s.as_of) desc, s.id desc limit 1`;
	const drift = before === undefined ? [] : driftBetween(before, { tables, unknown: unknownValues });
	await sql`
		update snapshot_files set format = ${format}, structure = ${JSON.stringify(tables)}::text::jsonb,
			layout = ${layoutHash(tables)}, compared_with = ${before?.id ?? null}, drift = ${JSON.stringify(drift)}::text::jsonb
		where snapshot_id = ${snapshotId} and sha256 = ${sha256}`;
}
