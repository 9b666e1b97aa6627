/**
 * CSV to Parquet, in a process of its own: its memory is given back when it ends. Reads the tasks as JSON from standard input,
 * writes the files, and says on standard output how many rows each has.
 */
import { text } from "node:stream/consumers";
import { DuckDBInstance } from "@duckdb/node-api";
import type { ColumnType } from "./view.ts";

export interface EncodeTask {
	csv: string;
	parquet: string;
	columns: { name: string; type: ColumnType }[];
	/** Key-value metadata of the file. */
	metadata: Record<string, string>;
}

/** Enough to compress well, few enough that a reader passes over most of a file for one state. */
const rowGroupRows = 20_000;
/** Longest row of a file (bytes): what operators file of a request. */
const longestLine = 64 * 1024 * 1024;

function copyStatement({ csv, parquet, columns, metadata }: EncodeTask): string {
	const read = columns.map(({ name, type }) => `${literal(name)}: ${literal(csvType(type))}`).join(", ");
	const cells = columns.map(({ name, type }) => {
		const column = identifier(name);
		return type === "VARCHAR[]" ? `from_json(${column}, '["VARCHAR"]') as ${column}` : column;
	});
	const pairs = Object.entries(metadata).map(([key, value]) => `${identifier(key)}: ${literal(value)}`);
	return `copy (select ${cells.join(", ")} from read_csv(${literal(csv)}, columns = {${read}}, header = false,
			auto_detect = false, delim = ',', quote = '"', escape = '"', nullstr = '', allow_quoted_nulls = false,
			max_line_size = ${longestLine}, buffer_size = ${2 * longestLine}, parallel = false))
		to ${literal(parquet)} (format parquet, compression zstd, row_group_size ${rowGroupRows}, kv_metadata {${pairs.join(", ")}})`;
}

/** As which CSV is read. */
const csvType = (type: ColumnType): string => (type === "VARCHAR[]" ? "JSON" : type);

const literal = (value: string): string => `'${value.replaceAll("'", "''")}'`;
const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

if (import.meta.main) {
	const tasks = JSON.parse(await text(process.stdin)) as EncodeTask[];
	const instance = await DuckDBInstance.create(":memory:", { threads: "1", memory_limit: "1GB", temp_directory: "" });
	const connection = await instance.connect();
	await connection.run("set TimeZone = 'UTC'");
	const rows: number[] = [];
	for (const task of tasks) rows.push(Number((await connection.runAndReadAll(copyStatement(task))).value(0, 0)));
	// Threads of the library may keep a process from ending.
	process.stdout.write(JSON.stringify(rows), () => process.exit(0));
}
