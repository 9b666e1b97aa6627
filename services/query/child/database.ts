/**
 * DuckDB in memory over the extracts' files and nothing else. This is the first of three limits: a statement that got past the check
 * (check-statement.ts) finds no other file, no extension, no setting that it may change; the third is the operating system's
 * (pool/process.ts).
 */
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { type Database, databases } from "#libs/contract/databases.ts";
import type { ViewNames } from "./check-statement.ts";

export interface ExtractFile {
	database: Database;
	name: string;
	/** Absolute path of a Parquet file. */
	path: string;
}

export interface OpenDatabase {
	views: ViewNames;
	/** One a database: its search path begins there. */
	connections: ReadonlyMap<Database, DuckDBConnection>;
}

/** Of what DuckDB accounts for. What it does not, the operating system bounds. */
const memoryLimit = "200MB";

export async function openDatabase(files: readonly ExtractFile[]): Promise<OpenDatabase> {
	const instance = await DuckDBInstance.create(":memory:", {
		// Callers' statements share the machine: one core each.
		threads: "1",
		memory_limit: memoryLimit,
		temp_directory: "",
		max_temp_directory_size: "0B",
		autoinstall_known_extensions: "false",
		autoload_known_extensions: "false",
		allow_community_extensions: "false",
		allow_persistent_secrets: "false",
	});
	const setUp = await instance.connect();
	await setUp.run("set TimeZone = 'UTC'");
	await setUp.run("set parquet_metadata_cache = true");
	await setUp.run(`set allowed_paths = [${files.map(({ path }) => literal(path)).join(", ")}]`);
	await setUp.run("set enable_external_access = false");
	for (const database of databases) await setUp.run(`create schema ${database}`);
	for (const { database, name, path } of files)
		await setUp.run(`create view ${database}.${identifier(name)} as select * from read_parquet(${literal(path)})`);
	const connections = new Map<Database, DuckDBConnection>();
	for (const database of databases) {
		const connection = await instance.connect();
		await connection.run("set errors_as_json = true");
		await connection.run(`use memory.${database}`);
		connections.set(database, connection);
	}
	await setUp.run("set lock_configuration = true");
	setUp.closeSync();
	const views = new Map<Database, Set<string>>(databases.map((database) => [database, new Set<string>()]));
	for (const { database, name } of files) views.get(database)?.add(name);
	return { views, connections };
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;
