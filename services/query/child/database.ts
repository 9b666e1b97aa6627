/**
 * Opens a DuckDB in memory that can read the extracts' files and nothing else. This is the first of three defenses: even if the second, the check
 * of the statement (check-statement.ts), overlooks something, the statement can read no other file, load no extension and change no setting. The
 * third is the operating system's limits (pool/process.ts).
 */
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { type Database, databases } from "#libs/contract/databases.ts";
import { identifier, literal } from "#libs/parquet/quote.ts";
import type { ViewNames, ViewRef } from "./check-statement.ts";
import { macros } from "./macros.ts";

export interface ExtractFile {
	database: Database;
	name: string;
	/** Absolute path of a Parquet file. */
	path: string;
}

export interface OpenDatabase {
	views: ViewNames;
	/** Returns the connection whose search path begins with this database. */
	connectionOf(database: Database): DuckDBConnection;
	/** Creates these views if they do not exist yet. Creating all views at the start would double the start-up time. */
	createViews(views: readonly ViewRef[]): Promise<void>;
}

/** Maximum memory that DuckDB itself accounts for; the operating system limits the total. */
const memoryLimit = "200MB";

export async function openDatabase(files: readonly ExtractFile[]): Promise<OpenDatabase> {
	const instance = await DuckDBInstance.create(":memory:", {
		// Each statement uses one core, because statements of several callers share the machine.
		threads: "1",
		memory_limit: memoryLimit,
		temp_directory: "",
		max_temp_directory_size: "0B",
		autoinstall_known_extensions: "false",
		autoload_known_extensions: "false",
		allow_community_extensions: "false",
		allow_persistent_secrets: "false",
	});
	const setupConnection = await instance.connect();
	await setupConnection.run("set TimeZone = 'UTC'");
	await setupConnection.run("set parquet_metadata_cache = true");
	await setupConnection.run(`set allowed_paths = [${files.map(({ path }) => literal(path)).join(", ")}]`);
	await setupConnection.run("set enable_external_access = false");
	for (const database of databases) await setupConnection.run(`create schema ${database}`);
	const connections = new Map<Database, DuckDBConnection>();
	for (const database of databases) {
		const connection = await instance.connect();
		await connection.run("set errors_as_json = true");
		await connection.run(`use memory.${database}`);
		connections.set(database, connection);
	}
	await setupConnection.run("set lock_configuration = true");
	const views = new Map<Database, Set<string>>(databases.map((database) => [database, new Set<string>()]));
	const paths = new Map<string, string>();
	for (const { database, name, path } of files) {
		views.get(database)?.add(name);
		paths.set(`${database}.${identifier(name)}`, path);
	}
	return {
		views,
		connectionOf(database) {
			const connection = connections.get(database);
			if (connection === undefined) throw new Error(`no connection for the database ${database}`);
			return connection;
		},
		async createViews(refs) {
			for (const { database, name } of refs) {
				const view = `${database}.${identifier(name)}`;
				const path = paths.get(view);
				if (path === undefined) continue;
				await setupConnection.run(`create view ${view} as select * from read_parquet(${literal(path)})`);
				paths.delete(view);
				for (const macro of macros.values())
					if (macro.database === database && macro.view === name) await setupConnection.run(macro.sql);
			}
		},
	};
}
