/** Runs a checked statement and formats its rows, up to the limits, as JSON, CSV or Parquet. */
import type { DuckDBConnection, DuckDBPendingResult, DuckDBResult, DuckDBType, DuckDBValue } from "@duckdb/node-api";
import { queryLimits } from "#libs/contract/databases.ts";
import type { BoundValue } from "#libs/contract/operations/query/saved-query-values.ts";
import { bindValues } from "./bound.ts";
import { csvCell, jsonText, textCell } from "./cells.ts";
import { explainRun, Failed } from "./failure.ts";

export type Format = "json" | "csv" | "parquet";

export interface Column {
	name: string;
	/** DuckDB's name of the type. */
	type: string;
}

export interface Answer {
	columns: Column[];
	rows: number;
	truncatedBy: "rows" | "bytes" | null;
	/** JSON: the rows, separated by commas. CSV: the lines with the header. Parquet: the file. */
	body: Buffer;
}

interface Shape {
	format: Format;
	/** CSV: no text is a formula to a spreadsheet. */
	safe: boolean;
}

/** A row as text, with the values that the answer needs beside it. */
interface Row {
	values: readonly DuckDBValue[];
	text: string;
}

export async function answer(
	connection: DuckDBConnection,
	{ sql, values }: { sql: string; values: readonly BoundValue[] },
	shape: Shape,
): Promise<Answer> {
	const planned = await plan(connection, { sql, values });
	try {
		return await run(planned, shape);
	} catch (error) {
		throw explainRun(error) ?? error;
	}
}

/** Raises every error that the statement and the types of its values cause, before a row is read. */
async function plan(
	connection: DuckDBConnection,
	{ sql, values }: { sql: string; values: readonly BoundValue[] },
): Promise<DuckDBPendingResult> {
	const prepared = await connection.prepare(sql);
	try {
		prepared.bind(...bindValues(values));
		return prepared.startStream();
	} finally {
		prepared.destroySync();
	}
}

async function run(planned: DuckDBPendingResult, { format, safe }: Shape): Promise<Answer> {
	const result = await planned.getResult();
	const types = result.columnTypes();
	const names = distinguishNames(result.columnNames());
	const columns = names.map((name, index) => ({ name, type: typeName(types[index]) }));
	const write = format === "csv" ? csvLine(types, safe) : jsonLine(names, types);
	const header = format === "csv" ? `${names.map((name) => textCell(name, safe)).join(",")}\r\n` : "";
	const found: Row[] = [];
	const describing = Buffer.byteLength(JSON.stringify(columns)) + Buffer.byteLength(header);
	if (describing > queryLimits.rowBytes)
		throw new Failed(
			`the names and types of the columns are longer than ${queryLimits.rowBytes} bytes: select fewer columns, or shorter names`,
		);
	let bytes = describing;
	let truncatedBy: Answer["truncatedBy"] = null;
	for await (const row of rowsOf(result)) {
		if (found.length >= queryLimits.rows) {
			truncatedBy = "rows";
			break;
		}
		const text = write(row);
		const size = Buffer.byteLength(text) + 1;
		if (size > queryLimits.rowBytes)
			throw new Failed(
				// The row's number would reveal something about the data.
				`a row is longer than ${queryLimits.rowBytes} bytes: select fewer or shorter columns`,
			);
		if (bytes + size > queryLimits.bytes) {
			truncatedBy = "bytes";
			break;
		}
		bytes += size;
		found.push({ values: format === "parquet" ? row : [], text: format === "parquet" ? "" : text });
	}
	const body =
		format === "parquet"
			? (await import("./parquet.ts")).writeParquet(
					names,
					types,
					found.map(({ values }) => values),
				)
			: Buffer.from(header + found.map(({ text }) => text).join(format === "json" ? "," : ""));
	return { columns, rows: found.length, truncatedBy, body };
}

async function* rowsOf(result: DuckDBResult): AsyncGenerator<readonly DuckDBValue[]> {
	for (;;) {
		const chunk = await result.fetchChunk();
		if (chunk === null || chunk.rowCount === 0) return;
		for (let row = 0; row < chunk.rowCount; row++) yield chunk.getRowValues(row);
	}
}

/** DuckDB's type name without the quotation marks that SQL needs: `VARCHAR`, `DECIMAL(18,3)`, `STRUCT(a INTEGER)[]`. */
const typeName = (type: DuckDBType | undefined): string => type?.alias ?? type?.toString() ?? "";

const jsonLine = (names: readonly string[], types: readonly DuckDBType[]) => {
	const keys = names.map((name) => `${JSON.stringify(name)}:`);
	return (row: readonly DuckDBValue[]): string =>
		`{${row.map((value, index) => keys[index] + jsonText(value, types[index] as DuckDBType)).join(",")}}`;
};

const csvLine =
	(types: readonly DuckDBType[], safe: boolean) =>
	(row: readonly DuckDBValue[]): string =>
		`${row.map((value, index) => csvCell(value, types[index] as DuckDBType, safe)).join(",")}\r\n`;

/** A number distinguishes columns of the same name: `id`, `id_2`. Case is ignored, as readers of Parquet and SQL do. */
export function distinguishNames(names: readonly string[]): string[] {
	const keyOf = (name: string) => name.toLowerCase();
	const taken = new Set(names.map(keyOf));
	const seen = new Set<string>();
	return names.map((name) => {
		let own = name;
		for (let number = 2; seen.has(keyOf(own)) || (own !== name && taken.has(keyOf(own))); number++)
			own = `${name}_${number}`;
		seen.add(keyOf(own));
		return own;
	});
}
