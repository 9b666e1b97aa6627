/** Stores files byte for byte, and records each attempt to load them. */
import { hash } from "node:crypto";
import { promisify } from "node:util";
import { zstdCompress, zstdDecompress } from "node:zlib";
import type { Database } from "#libs/contract/databases.ts";
import { inflateArchive, isZip } from "#libs/files/archive.ts";
import type { Fragment, Sql, Transaction } from "#libs/postgres/connect.ts";
import { newestEvent } from "./inner-events.ts";
import type { Feed, ListGroup, RawFile } from "./source.ts";

/** A file to be loaded, with its origin. */
export interface IncomingFile extends RawFile {
	/** Path or URL. The names of its folders can contain the date. */
	path: string;
	url?: string | undefined;
	/** The requested list, if it is known independently of the content. */
	feed?: Feed | undefined;
	etag?: string | null | undefined;
	lastModified?: string | null | undefined;
}

/** URL of the files of the bundled sample. */
export const sampleUrl = "sample:";

export interface ArchivedFile extends IncomingFile {
	sha256: string;
}

export function addHash(file: IncomingFile): ArchivedFile {
	return { ...file, sha256: hash("sha256", file.bytes, "hex") };
}

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Decompresses `raw_files.bytes` to the original bytes of the file. */
export const archivedBytes = (stored: Uint8Array): Promise<Buffer> => decompress(stored);

/** Commits the bytes and the start of the attempt before the files are read. @returns the snapshot's id */
export async function archive(
	sql: Sql,
	region: ListGroup | "LBNL" | "EIA-860" | "companies" | Database,
	asOf: string,
	files: ArchivedFile[],
): Promise<number> {
	// Compression reduces PJM's XML to a twentieth. Uncompressed, PostgreSQL would take longer to store it than all of its rows.
	const compressed = await Promise.all(files.map((file) => compress(file.bytes)));
	return sql.begin(async (tx) => {
		await tx`
			update snapshots set outcome = 'failed', reason = 'interrupted', finished_at = now()
			where region = ${region} and outcome = 'started' and started_at < now() - interval '1 hour'`;
		const [snapshot] = await tx<{ id: number }[]>`
			insert into snapshots (region, as_of, outcome) values (${region}, ${asOf}, 'started') returning id`;
		if (snapshot === undefined) throw new Error("inserting the snapshot returned no row");
		for (const [position, file] of files.entries()) {
			await tx`
				insert into raw_files (sha256, bytes, size_bytes)
				values (${file.sha256}, ${compressed[position] ?? null}, ${file.bytes.length}) on conflict do nothing`;
			await tx`
				insert into snapshot_files (snapshot_id, position, feed, sha256, name, url, etag, last_modified)
				values (${snapshot.id}, ${position}, ${file.feed ?? null}, ${file.sha256}, ${file.path}, ${file.url ?? null}, ${file.etag ?? null},
					${file.lastModified ?? null})`;
		}
		return snapshot.id;
	});
}

interface HeldSnapshot {
	/** ISO time; null if no file could be read. */
	asOf: string | null;
	files: IncomingFile[];
}

/** Condition on a snapshot `f` that was not applied: no later load of its list (of its region, if the list is unknown) succeeded. */
export const notReplaced = (sql: Sql | Transaction): Fragment => sql`
	not exists (select from snapshots a where a.region = f.region and a.id > f.id and a.outcome in ('applied', 'unchanged')
		and (feeds_of(f) = '{}' or feeds_of(f) && feeds_of(a)))`;

/** SQL of the name of a file without its folders, because paths of the machine that loaded a file are not published. */
export const fileName = (sql: Sql | Transaction, path: Fragment): Fragment =>
	sql`regexp_replace(${path}, '^.*[/\\\\]', '')`;

/** Reads the newest snapshot of a region (or of a dataset's database) that a guard holds back, with its files, to release it by hand. */
export async function readQuarantined(sql: Sql, region: ListGroup | Database): Promise<HeldSnapshot | undefined> {
	const rows = await sql<(Omit<IncomingFile, "bytes"> & { asOf: string | null; bytes: Buffer })[]>`
		select f.name as path, ${fileName(sql, sql`f.name`)} as name, r.bytes, f.url, f.etag, f.last_modified as "lastModified",
			case when f.rows_in is not null or f.url is not null then iso(s.as_of) end as "asOf"
		from (select id, as_of from snapshots f
			where region = ${region} and outcome = 'quarantined' and ${notReplaced(sql)} order by id desc limit 1) s join snapshot_files f on f.snapshot_id = s.id join raw_files r using (sha256) order by f.position`;
	const [first] = rows;
	if (first === undefined) return undefined;
	const files = rows.map(async ({ asOf: _, bytes, ...file }) => ({ ...file, bytes: await decompress(bytes) }));
	return { asOf: first.asOf, files: await Promise.all(files) };
}

/** Stores a parsed file's rows, dropped rows and unknown values with its archived bytes. */
export async function recordReport(
	tx: Transaction | Sql,
	snapshotId: number,
	sha256: string,
	report: {
		feed: string;
		publishedOn: string | null;
		/** If set, the newest of `events` up to this time is stored. */
		asOf?: string;
		events?: readonly string[];
		rowsIn: number;
		requests: unknown[];
		dropped: unknown[];
		unknownValues: unknown[];
		mappedWords?: unknown[];
		unknownColumns: string[];
	},
): Promise<void> {
	const { asOf, events = [] } = report;
	await tx`
		update snapshot_files set feed = ${report.feed}, published_on = ${report.publishedOn}, rows_in = ${report.rowsIn},
			requests = ${report.requests.length}, dropped = ${JSON.stringify(report.dropped)}::text::jsonb,
			unknown_values = ${JSON.stringify(report.unknownValues)}::text::jsonb,
			mapped_words = ${report.mappedWords === undefined ? null : JSON.stringify(report.mappedWords)}::text::jsonb,
			unknown_columns = ${JSON.stringify(report.unknownColumns)}::text::jsonb, newest_event = ${(asOf && newestEvent(events, asOf)) ?? null}
		where snapshot_id = ${snapshotId} and sha256 = ${sha256}`;
}

/** A year of Form EIA-860 is 22 MB; its workbooks are already compressed. */
const limits = { maxInflatedBytes: 160 * 1024 * 1024, maxEntries: 2_000 };

/** Returns the workbooks of an archive, or the file itself if it is not one. @throws StructureError if the archive is damaged or too large */
export async function unpack(file: IncomingFile): Promise<IncomingFile[]> {
	if (!isZip(file.bytes)) return [file];
	const { names, entries } = await inflateArchive(file.bytes, isWorkbook, limits);
	if (names.includes("xl/workbook.xml") || entries.size === 0) return [file];
	return [...entries].map(([path, bytes]) => ({
		name: path.replace(/^.*\//, ""),
		path: `${file.path}/${path}`,
		bytes,
		url: file.url,
		etag: file.etag,
		lastModified: file.lastModified,
	}));
}

/** Excel's lock files ("~$...") and macOS' shadows ("__MACOSX/._...") are named like workbooks, but are not workbooks. */
const isWorkbook = (name: string): boolean => /\.xlsx$/i.test(name) && !/(^|\/)(~\$|\._)|^__MACOSX\//.test(name);
