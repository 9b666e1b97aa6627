/** Keeps what was downloaded, byte for byte, and the record of each attempt. */
import { createHash } from "node:crypto";
import type { Region } from "#libs/contract/vocabulary.ts";
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import type { RawFile } from "../sources/source.ts";

/** A file on its way in, with what is known about where it came from. */
export interface IncomingFile extends RawFile {
	/** Path or address; its folders can state the date. */
	path: string;
	url?: string | undefined;
	etag?: string | null | undefined;
	lastModified?: string | null | undefined;
}

export interface ArchivedFile extends IncomingFile {
	sha256: string;
}

export function hashed(file: IncomingFile): ArchivedFile {
	return { ...file, sha256: createHash("sha256").update(file.bytes).digest("hex") };
}

/** Commits the bytes and the start of the attempt, before anything looks into the files. Answers the snapshot's id. */
export async function archive(sql: Sql, region: Region | "LBNL", asOf: string, files: ArchivedFile[]): Promise<number> {
	return sql.begin(async (tx) => {
		await tx`
			update snapshots set outcome = 'failed', reason = 'interrupted', finished_at = now()
			where region = ${region} and outcome = 'started' and started_at < now() - interval '1 hour'`;
		const [snapshot] = await tx<{ id: number }[]>`
			insert into snapshots (region, as_of, outcome) values (${region}, ${asOf}, 'started') returning id`;
		if (snapshot === undefined) throw new Error("no snapshot row");
		for (const [position, file] of files.entries()) {
			await tx`
				insert into raw_files (sha256, bytes, size_bytes)
				values (${file.sha256}, ${Buffer.from(file.bytes)}, ${file.bytes.length}) on conflict do nothing`;
			await tx`
				insert into snapshot_files (snapshot_id, position, sha256, name, url, etag, last_modified)
				values (${snapshot.id}, ${position}, ${file.sha256}, ${file.path}, ${file.url ?? null}, ${file.etag ?? null},
					${file.lastModified ?? null})`;
		}
		return snapshot.id;
	});
}

/** The newest snapshot of a region that a guard holds back, with its files, to be released by hand. */
export async function quarantined(
	sql: Sql,
	region: Region,
): Promise<{ asOf: string; files: IncomingFile[] } | undefined> {
	const [held] = await sql<{ id: number; asOf: string }[]>`
		select id, to_char(as_of at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "asOf" from snapshots
		where region = ${region} and outcome = 'quarantined'
			and id > coalesce((select max(id) from snapshots where region = ${region} and outcome = 'applied'), 0)
		order by id desc limit 1`;
	if (held === undefined) return undefined;
	const files = await sql<IncomingFile[]>`
		select f.name as path, regexp_replace(f.name, '^.*/', '') as name, r.bytes, f.url, f.etag, f.last_modified as "lastModified"
		from snapshot_files f join raw_files r using (sha256) where f.snapshot_id = ${held.id} order by f.position`;
	return { asOf: held.asOf, files: [...files] };
}

/** What a parsed file holds, dropped and did not know, beside its archived bytes. */
export async function recordReport(
	tx: Transaction | Sql,
	snapshotId: number,
	sha256: string,
	report: {
		feed: string;
		publishedOn: string | null;
		rowsIn: number;
		requests: unknown[];
		dropped: unknown[];
		unknownValues: unknown[];
		unknownColumns: string[];
	},
): Promise<void> {
	await tx`
		update snapshot_files set feed = ${report.feed}, published_on = ${report.publishedOn}, rows_in = ${report.rowsIn},
			requests = ${report.requests.length}, dropped = ${JSON.stringify(report.dropped)}::text::jsonb,
			unknown_values = ${JSON.stringify(report.unknownValues)}::text::jsonb,
			unknown_columns = ${JSON.stringify(report.unknownColumns)}::text::jsonb
		where snapshot_id = ${snapshotId} and sha256 = ${sha256}`;
}
