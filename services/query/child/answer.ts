/** Runs a checked statement and formats its rows, up to the limits, as JSON, CSV, Parquet or Arrow. */
import {
	BOOLEAN,
	DATE,
	DOUBLE,
	type DuckDBConnection,
	DuckDBDateValue,
	type DuckDBPendingResult,
	type DuckDBResult,
	type DuckDBType,
	type DuckDBValue,
	VARCHAR,
} from "@duckdb/node-api";
import { queryLimits } from "#libs/contract/databases.ts";
import type { BoundValue, ParameterType } from "#libs/contract/operations/query/saved-query-values.ts";
import { csvCell, jsonText, type Table, textCell } from "./cells.ts";
import { explainRun, Failed } from "./failure.ts";

export type Format = "json" | "csv" | "parquet" | "arrow";

export interface Column {
	name: string;
	/** The type's name in DuckDB. */
	type: string;
}

export interface QueryResult {
	columns: Column[];
	rows: number;
	truncatedBy: "rows" | "bytes" | null;
	/** JSON: the rows, separated by commas. CSV: the lines with the header. Parquet and Arrow: the file. */
	body: Buffer;
}

interface Output {
	format: Format;
	/** Whether CSV escapes texts that a spreadsheet would evaluate as formulas. */
	safe: boolean;
}

/** A row for the output format: `values` for Parquet and Arrow, `text` for JSON and CSV. The other one is empty. */
interface Row {
	values: readonly DuckDBValue[];
	text: string;
}

export async function executeStatement(
	connection: DuckDBConnection,
	{ sql, values }: { sql: string; values: readonly BoundValue[] },
	output: Output,
): Promise<QueryResult> {
	const pending = await startStatement(connection, { sql, values });
	try {
		return await formatResult(pending, output);
	} catch (error) {
		throw explainRun(error) ?? error;
	}
}

/** Prepares the statement and binds its values. @throws before a row is read, if the statement or the type of a value is wrong */
async function startStatement(
	connection: DuckDBConnection,
	{ sql, values }: { sql: string; values: readonly BoundValue[] },
): Promise<DuckDBPendingResult> {
	const prepared = await connection.prepare(sql);
	try {
		prepared.bind(
			Object.fromEntries(values.map(({ name, type, value }) => [name, type === "date" ? dateValue(value) : value])),
			Object.fromEntries(values.map(({ name, type }) => [name, parameterTypes[type]])),
		);
		return prepared.startStream();
	} finally {
		prepared.destroySync();
	}
}

const parameterTypes: Record<ParameterType, DuckDBType> = {
	text: VARCHAR,
	number: DOUBLE,
	date: DATE,
	boolean: BOOLEAN,
};
const dayMs = 86_400_000;

const dateValue = (value: BoundValue["value"]): DuckDBValue =>
	value === null ? null : new DuckDBDateValue(Date.parse(`${value}T00:00:00Z`) / dayMs);

async function formatResult(pending: DuckDBPendingResult, { format, safe }: Output): Promise<QueryResult> {
	const result = await pending.getResult();
	const types = result.columnTypes();
	const names = distinguishNames(result.columnNames());
	const columns = names.map((name, index) => ({ name, type: typeName(types[index]) }));
	const write = format === "csv" ? createCsvWriter(types, safe) : createJsonWriter(names, types);
	const header = format === "csv" ? `${names.map((name) => textCell(name, safe)).join(",")}\r\n` : "";
	const isColumnar = format === "parquet" || format === "arrow";
	const outputRows: Row[] = [];
	const headerBytes = Buffer.byteLength(JSON.stringify(columns)) + Buffer.byteLength(header);
	if (headerBytes > queryLimits.rowBytes)
		throw new Failed(
			`the names and types of the columns are longer than ${queryLimits.rowBytes} bytes: select fewer columns, or shorter names`,
		);
	let bytes = headerBytes;
	let truncatedBy: QueryResult["truncatedBy"] = null;
	for await (const row of readRows(result)) {
		if (outputRows.length >= queryLimits.rows) {
			truncatedBy = "rows";
			break;
		}
		const text = write(row);
		const size = Buffer.byteLength(text) + 1;
		if (size > queryLimits.rowBytes)
			throw new Failed(
				// The message does not contain the row's number, which would reveal something about the data.
				`a row is longer than ${queryLimits.rowBytes} bytes: select fewer or shorter columns`,
			);
		if (bytes + size > queryLimits.bytes) {
			truncatedBy = "bytes";
			break;
		}
		bytes += size;
		outputRows.push(isColumnar ? { values: row, text: "" } : { values: [], text });
	}
	const body = isColumnar
		? await writeColumns(format, {
				names,
				types,
				rows: outputRows.map(({ values }) => values),
			})
		: Buffer.from(header + outputRows.map(({ text }) => text).join(format === "json" ? "," : ""));
	return { columns, rows: outputRows.length, truncatedBy, body };
}

/** Loads a format's library only when a result in that format is written. */
async function writeColumns(format: "parquet" | "arrow", table: Table): Promise<Buffer> {
	return format === "arrow"
		? (await import("./arrow.ts")).writeArrow(table)
		: (await import("./parquet.ts")).writeParquet(table);
}

async function* readRows(result: DuckDBResult): AsyncGenerator<readonly DuckDBValue[]> {
	for (;;) {
		const chunk = await result.fetchChunk();
		if (chunk === null || chunk.rowCount === 0) return;
		for (let row = 0; row < chunk.rowCount; row++) yield chunk.getRowValues(row);
	}
}

/** DuckDB's type name without the quotation marks that SQL needs: `VARCHAR`, `DECIMAL(18,3)`, `STRUCT(a INTEGER)[]`. */
const typeName = (type: DuckDBType | undefined): string => type?.alias ?? type?.toString() ?? "";

const createJsonWriter = (names: readonly string[], types: readonly DuckDBType[]) => {
	const keys = names.map((name) => `${JSON.stringify(name)}:`);
	return (row: readonly DuckDBValue[]): string =>
		`{${row.map((value, index) => keys[index] + jsonText(value, types[index] as DuckDBType)).join(",")}}`;
};

const createCsvWriter =
	(types: readonly DuckDBType[], safe: boolean) =>
	(row: readonly DuckDBValue[]): string =>
		`${row.map((value, index) => csvCell(value, types[index] as DuckDBType, safe)).join(",")}\r\n`;

/** Appends a number to repeated column names: `id`, `id_2`. Names that differ only in case are equal in Parquet and SQL. */
function distinguishNames(names: readonly string[]): string[] {
	const keyOf = (name: string) => name.toLowerCase();
	const originalKeys = new Set(names.map(keyOf));
	const usedKeys = new Set<string>();
	return names.map((name) => {
		let unique = name;
		for (let number = 2; usedKeys.has(keyOf(unique)) || (unique !== name && originalKeys.has(keyOf(unique))); number++)
			unique = `${name}_${number}`;
		usedKeys.add(keyOf(unique));
		return unique;
	});
}
