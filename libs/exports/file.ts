/** Rows of an owner as one file, streamed as they are read. */
import type { Column, ExportTable } from "#libs/contract/columns.ts";
import type { Compression, ExportFormat } from "#libs/contract/exports.ts";
import type { RequestContext } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { featureCollection, gzipped } from "./formats.ts";
import { type Choose, type ExportRows, openRows } from "./rows.ts";
import { linesOf, withoutFormulas } from "./select.ts";
import { writeParquet } from "./write-parquet.ts";

export interface FileOptions {
	table: ExportTable;
	columns: readonly Column[];
	format: ExportFormat | undefined;
	compression: Compression | undefined;
	/** CSV: no text is a formula to a spreadsheet. */
	safe: boolean | undefined;
	choose: Choose;
}

export async function* exportFile(
	sql: Sql,
	{ table, columns, format = "csv", compression, safe, choose }: FileOptions,
	{ signal, head, progress }: RequestContext,
): AsyncGenerator<Uint8Array, void> {
	const [id] = table.columns();
	const lines: Choose = async (connection, moment) => {
		const chosen = await choose(connection, moment);
		const select = safe === true ? withoutFormulas(chosen.select, columns) : chosen.select;
		return { ...chosen, select: linesOf(select, format, id?.name ?? "") };
	};
	await using rows = await openRows(sql, lines, format, signal);
	const said = {
		...rows.head,
		"x-data-version": String(rows.dataVersion),
		"x-schema-version": table.schemaVersion,
		"generated-at": rows.generatedAt,
	};
	head?.(said);
	yield* format === "parquet"
		? parquetOf({ table, columns, compression }, rows, progress)
		: writers[format](rows.copy());
	// Of the same moment. The reader of the stream may know it before its last chunk.
	head?.({ ...said, rows: String(await rows.count()) });
}

/** Of what PostgreSQL writes. */
const writers: Record<
	Exclude<ExportFormat, "parquet">,
	(bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>
> = {
	csv: (bytes) => bytes,
	"csv.gz": gzipped,
	ndjson: (bytes) => bytes,
	geojson: featureCollection,
};

/** The bytes of the file: the same for the same parameters and data version. */
function parquetOf(
	{ table: { name, schemaVersion }, columns, compression }: Pick<FileOptions, "table" | "columns" | "compression">,
	rows: ExportRows,
	progress?: () => void,
): AsyncIterable<Uint8Array> {
	const units = Object.fromEntries(columns.flatMap(({ name, unit }) => (unit === null ? [] : [[name, unit]])));
	const metadata = {
		schema_version: schemaVersion,
		data_version: String(rows.dataVersion),
		generated_at: rows.generatedAt,
		units: JSON.stringify(units),
	};
	return writeParquet({ name, columns, compression, metadata }, rows.copy(), progress);
}
