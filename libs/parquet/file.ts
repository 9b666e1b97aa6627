/** Streams an owner's rows as one file, as they are read. */
import { pipeline } from "node:stream";
import { createGzip } from "node:zlib";
import { type Column, chosenColumns, type ExportTable } from "#libs/contract/exports/columns.ts";
import { type ExportFormat, type FileParams, shownFields } from "#libs/contract/exports/files.ts";
import type { RequestContext } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { openSnapshot } from "#libs/postgres/session.ts";
import { unitsOf } from "./encode-views.ts";
import { asText, copyOptions, fileSelect, type Select } from "./select.ts";
import { writeWorkbook } from "./workbook.ts";
import { writeColumns } from "./write-columns.ts";

export interface FileOptions {
	table: ExportTable;
	/** Columns of the file; by default the columns of the table that the caller selected. */
	columns?: readonly Column[];
	/** Sort columns. */
	by: readonly string[];
	/** Returns the SELECT of the rows, which must have these columns. It runs in the file's snapshot. `generatedAt`: when the data last changed. */
	choose(connection: Sql, generatedAt: string): Chosen | Promise<Chosen>;
}

interface Chosen {
	select: Select;
	/** Response headers (`x-...`) that depend on the snapshot. */
	head?: Record<string, string>;
	/** Facts about the rows, for the notes of a workbook. */
	notes?: Record<string, string>;
}

/** Yields the same bytes for the same parameters and data version. @throws AppError what `choose` throws */
export async function* exportFile(
	sql: Sql,
	params: FileParams,
	{ table, columns: given, by, choose }: FileOptions,
	{ signal, head, progress }: RequestContext,
): AsyncGenerator<Uint8Array, void> {
	const { format = "csv", compression } = params;
	const columns = given ?? chosenColumns(table.columns(), shownFields(params.fields, format));
	await using snapshot = await openSnapshot(sql, signal);
	const { sql: connection, dataVersion, raisedAt } = snapshot;
	const chosen = await choose(connection, raisedAt);
	const select = await asText(connection, fileSelect(params, { columns, by }, chosen.select));
	const versions = { schema_version: table.schemaVersion, data_version: String(dataVersion), generated_at: raisedAt };
	const headers = {
		...chosen.head,
		"x-data-version": versions.data_version,
		"x-schema-version": versions.schema_version,
		"generated-at": raisedAt,
	};
	head?.(headers);
	const rows = snapshot.copy(select, copyOptions[format]);
	if (format === "parquet" || format === "arrow") {
		const metadata = { ...versions, units: unitsOf(columns) };
		yield* writeColumns({ format, name: table.name, columns, compression, metadata }, rows, progress);
	} else if (format === "xlsx") {
		const notes = {
			...notesOf(params),
			...chosen.notes,
			"Data loaded at": raisedAt,
			"Data version": versions.data_version,
		};
		yield* writeWorkbook({ name: table.name, columns, notes, generatedAt: raisedAt }, rows);
	} else yield* writers[format](rows);
	const [count] = await connection.unsafe<{ rows: number }[]>(`select count(*) as rows from (${select}) as chosen`);
	// The requester may receive these headers before the last chunk.
	head?.({ ...headers, rows: String(count?.rows ?? 0) });
}

/** The file's filters, as notes for its readers. */
const notesOf = ({ format: _, fields: __, ...filters }: FileParams): Record<string, string> =>
	Object.fromEntries(Object.entries(filters).map(([name, value]) => [`Filter ${name}`, String(value)]));

/** Convert the output of COPY into files. */
const writers: Record<
	Exclude<ExportFormat, "parquet" | "arrow" | "xlsx">,
	(bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>
> = {
	csv: (bytes) => bytes,
	"csv.gz": gzipBytes,
	ndjson: (bytes) => bytes,
	geojson: featureCollection,
};

const lineEnd = 0x0a;

/** Wraps features, one per line, in a collection. JSON escapes line ends within a feature. */
async function* featureCollection(lines: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
	yield Buffer.from('{"type":"FeatureCollection","features":[\n');
	// A line end becomes a comma only once another feature follows it.
	let ended = false;
	for await (const bytes of lines) {
		if (bytes.length === 0) continue;
		const whole = bytes.at(-1) === lineEnd ? bytes.subarray(0, -1) : bytes;
		// Latin 1 maps each byte to one character and back.
		const text = Buffer.from(whole.buffer, whole.byteOffset, whole.length).toString("latin1");
		yield Buffer.from(`${ended ? ",\n" : ""}${text.replaceAll("\n", ",\n")}`, "latin1");
		ended = whole.length < bytes.length;
	}
	yield Buffer.from("\n]}\n");
}

/** Compresses deterministically: the header of Node's gzip contains no time. */
async function* gzipBytes(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
	const gzip = createGzip();
	pipeline(bytes, gzip, () => {});
	yield* gzip;
}
