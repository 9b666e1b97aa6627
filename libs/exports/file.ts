/** Rows of an owner as one file, CSV or Parquet, streamed as they are read. */
import type { Column, ExportTable } from "#libs/contract/columns.ts";
import type { ExportFormat } from "#libs/contract/exports.ts";
import type { RequestContext } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { type Choose, type ExportRows, openRows } from "./rows.ts";
import { writeParquet } from "./write-parquet.ts";

export interface FileOptions {
	table: ExportTable;
	columns: readonly Column[];
	format: ExportFormat | undefined;
	choose: Choose;
}

export async function* exportFile(
	sql: Sql,
	{ table, columns, format = "csv", choose }: FileOptions,
	{ signal, head, progress }: RequestContext,
): AsyncGenerator<Uint8Array, void> {
	await using rows = await openRows(sql, choose, format, signal);
	const said = {
		...rows.head,
		"x-data-version": String(rows.dataVersion),
		"x-schema-version": table.schemaVersion,
		"generated-at": rows.generatedAt,
	};
	head?.(said);
	yield* format === "csv" ? rows.copy() : parquetOf(table, columns, rows, progress);
	// Of the same moment. The reader of the stream may know it before its last chunk.
	head?.({ ...said, rows: String(await rows.count()) });
}

/** The bytes of the file: the same for the same parameters and data version. */
function parquetOf(
	{ name, schemaVersion }: ExportTable,
	columns: readonly Column[],
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
	return writeParquet({ name, columns, metadata }, rows.copy(), progress);
}
