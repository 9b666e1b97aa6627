/** Reads an owner's views from one snapshot into CSV files for the encoder. */
import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { Database } from "#libs/contract/databases.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { openSnapshot, type Snapshot } from "#libs/postgres/session.ts";
import type { Databases, View } from "./view.ts";

/** Maximum size of a view's CSV file (bytes); as Parquet, the same rows are far smaller. */
const maxCsvBytes = 4 * 1024 * 1024 * 1024;

export interface ReadView {
	database: Database;
	view: View;
	/** CSV without a header. */
	path: string;
	/** Hash of the view's definition and its rows. */
	sha256: string;
}

export interface SnapshotViews {
	dataVersion: number;
	madeAt: string;
	lists: Record<string, string | null>;
	views: ReadView[];
}

export interface ReadOptions {
	databases: Databases;
	/** Folder of the CSV files. */
	dir: string;
	/** Query of the day of each region's newest list; runs in the same snapshot. */
	listsSql?: string | undefined;
	signal: AbortSignal;
}

export async function readViews(sql: Sql, { databases, dir, listsSql, signal }: ReadOptions): Promise<SnapshotViews> {
	await using snapshot = await openSnapshot(sql, signal);
	const { sql: connection, dataVersion, madeAt } = snapshot;
	await connection`select set_config('timezone', 'UTC', true), set_config('datestyle', 'ISO', true)`;
	const lists =
		listsSql === undefined ? [] : await connection.unsafe<{ region: string; day: string | null }[]>(listsSql);
	const views: ReadView[] = [];
	for (const [database, databaseViews] of Object.entries(databases) as [Database, readonly View[]][])
		for (const view of databaseViews) {
			const path = join(dir, `${database}.${view.name}.csv`);
			views.push({ database, view, path, sha256: await copyToFile(snapshot, view, path) });
		}
	return {
		dataVersion,
		madeAt,
		lists: Object.fromEntries(lists.map(({ region, day }) => [region, day])),
		views,
	};
}

async function copyToFile(snapshot: Snapshot, view: View, path: string): Promise<string> {
	const hash = createHash("sha256").update(JSON.stringify(view));
	await using file = await open(path, "w");
	let bytes = 0;
	for await (const chunk of snapshot.copy(copySelect(view), "format csv")) {
		bytes += chunk.length;
		if (bytes > maxCsvBytes) throw new Error(`the view ${view.name} has more than the maximum of ${maxCsvBytes} bytes`);
		hash.update(chunk);
		await file.write(chunk);
	}
	return hash.digest("hex");
}

/** Lists are written as JSON, because CSV has no lists. */
function copySelect({ columns, sql, order }: View): string {
	const cells = Object.entries(columns).map(([name, { type }]) =>
		type === "VARCHAR[]" ? `to_json(v.${name}) as ${name}` : `v.${name}`,
	);
	return `select ${cells.join(", ")} from (${sql}) v order by ${order.map((name) => `v.${name}`).join(", ")}`;
}
