/** Reads an owner's views, all of one moment, into CSV files that only the encoder reads. */
import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { Database } from "#libs/contract/databases.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { disposableSession } from "#libs/postgres/session.ts";
import type { Databases, View } from "./view.ts";

/** CSV of one view; Parquet of the same rows is far smaller. */
const longestCsv = 4 * 1024 * 1024 * 1024;

export interface ReadView {
	database: Database;
	view: View;
	/** CSV without a header. */
	path: string;
	/** Of the view's definition and its rows. */
	sha256: string;
}

export interface Reading {
	dataVersion: number;
	madeAt: string;
	lists: Record<string, string | null>;
	views: ReadView[];
}

export interface ReadOptions {
	databases: Databases;
	/** Into this folder. */
	dir: string;
	/** The day of each region's newest list, read in the same transaction. */
	listsSql?: string | undefined;
	/** Ends the statement that runs. */
	signal: AbortSignal;
}

export async function readViews(sql: Sql, { databases, dir, listsSql, signal }: ReadOptions): Promise<Reading> {
	await using stack = new AsyncDisposableStack();
	const session = stack.use(await disposableSession(sql));
	const connection = await session.sql.reserve();
	stack.defer(() => connection.release());
	const cut = () => void session.cut().catch(() => {});
	signal.addEventListener("abort", cut, { once: true });
	stack.defer(() => signal.removeEventListener("abort", cut));
	signal.throwIfAborted();

	await connection`begin isolation level repeatable read read only`;
	await connection`select set_config('timezone', 'UTC', true), set_config('datestyle', 'ISO', true)`;
	const [moment] = await connection<{ version: number; made_at: string }[]>`
		select version, to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as made_at from data_version`;
	if (moment === undefined) throw new Error("the schema has no data version");
	const lists =
		listsSql === undefined ? [] : await connection.unsafe<{ region: string; day: string | null }[]>(listsSql);
	const views: ReadView[] = [];
	for (const [database, own] of Object.entries(databases) as [Database, readonly View[]][])
		for (const view of own) {
			const path = join(dir, `${database}.${view.name}.csv`);
			views.push({ database, view, path, sha256: await copyOut(connection, view, path, signal) });
		}
	await connection`commit`;
	return {
		dataVersion: moment.version,
		madeAt: moment.made_at,
		lists: Object.fromEntries(lists.map(({ region, day }) => [region, day])),
		views,
	};
}

async function copyOut(connection: Sql, view: View, path: string, signal: AbortSignal): Promise<string> {
	const hash = createHash("sha256").update(JSON.stringify(view));
	await using file = await open(path, "w");
	let bytes = 0;
	const stream = await connection.unsafe(`copy (${copySelect(view)}) to stdout with (format csv)`).readable();
	for await (const chunk of stream as AsyncIterable<Buffer>) {
		bytes += chunk.length;
		if (bytes > longestCsv) throw new Error(`the view ${view.name} is longer than ${longestCsv} bytes`);
		hash.update(chunk);
		await file.write(chunk);
	}
	signal.throwIfAborted();
	return hash.digest("hex");
}

/** Lists travel as JSON: CSV has none. */
function copySelect({ columns, sql, order }: View): string {
	const cells = Object.entries(columns).map(([name, { type }]) =>
		type === "VARCHAR[]" ? `to_json(v.${name}) as ${name}` : `v.${name}`,
	);
	return `select ${cells.join(", ")} from (${sql}) v order by ${order.map((name) => `v.${name}`).join(", ")}`;
}
