/**
 * A program that runs COPY statements in DuckDB. It is a separate process, so that all its memory is released when it exits. It reads a
 * `CopyTask` as JSON from standard input, and writes the number of rows that each statement copied to standard output.
 */
import { text } from "node:stream/consumers";
import { DuckDBInstance } from "@duckdb/node-api";

export interface CopyTask {
	statements: readonly string[];
	/** Folder for data that does not fit into memory; empty for none. */
	scratch: string;
}

const { statements, scratch } = JSON.parse(await text(process.stdin)) as CopyTask;
const settings = { threads: "1", memory_limit: "1GB", temp_directory: scratch };
const connection = await (await DuckDBInstance.create(":memory:", settings)).connect();
await connection.run("set TimeZone = 'UTC'");
const rows: number[] = [];
for (const statement of statements) rows.push(Number((await connection.runAndReadAll(statement)).value(0, 0)));
// The library's threads may keep the process from ending.
process.stdout.write(JSON.stringify(rows), () => process.exit(0));
