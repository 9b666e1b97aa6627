/** Numbered plain SQL files, forward only, one transaction each, while readers and writers go on. Racing migrators wait for each other. */

import { hash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { codeOf } from "#libs/contract/errors.ts";
import { connect, type Sql } from "./connect.ts";

const messages = new URL("./migrations/", import.meta.url);

/** First word of a file that is one statement outside of a transaction. */
const alone = "-- alone:";

export interface MigrateOptions {
	/**
	 * Longest wait for a table (ms, 1,000 when absent): so long at most do readers that come later stand behind a migration that itself
	 * stands behind one that came before.
	 */
	lockTimeoutMs?: number;
	/** How often a migration that did not get its table is tried (60 times when absent). */
	attempts?: number;
	/** Between two attempts, so that who was kept waiting is served (ms; grows from 200 to 5,000 when absent). */
	retryMs?(attempt: number): number;
	/** Longest wait for another migrator (ms, an hour when absent). */
	turnMs?: number;
}

/**
 * Applies every file of the shared folder (outbox, inbox) and then of `directory` that this schema has not seen.
 * Answers the names it applied. The role of `url` must own the schema.
 */
export async function migrate(
	url: string,
	schema: string,
	directory: URL,
	options: MigrateOptions = {},
): Promise<string[]> {
	await using sql = connect(url, { schema, name: `${schema}-migrate`, max: 1, statementTimeoutMs: 0 });
	const applied: string[] = [];
	await sql.reserve().then(async (connection) => {
		try {
			await takeTurn(connection, schema, options.turnMs ?? 3_600_000);
			await connection`create table if not exists migrations (
				name text primary key, sha256 text not null, applied_at timestamptz not null default now())`;
			const rows = await connection<{ name: string; sha256: string }[]>`select name, sha256 from migrations`;
			const seen = new Map(rows.map((row) => [row.name, row.sha256]));
			for (const file of await pending(directory, seen)) {
				await apply(connection, file, options);
				applied.push(file.name);
			}
		} finally {
			await connection`select pg_advisory_unlock_all()`;
			connection.release();
		}
	});
	return applied;
}

/** Asks again and again: who waits inside PostgreSQL holds a snapshot, and an index that is built concurrently waits for that one. */
async function takeTurn(connection: Sql, schema: string, withinMs: number): Promise<void> {
	const until = performance.now() + withinMs;
	for (;;) {
		const [row] = await connection<{ taken: boolean }[]>`
			select pg_try_advisory_lock(hashtext(${`migrate:${schema}`})) as taken`;
		if (row?.taken === true) return;
		if (performance.now() > until) throw new Error(`another migrator of ${schema} does not come to an end`);
		await pause(200);
	}
}

async function apply(connection: Sql, file: Migration, options: MigrateOptions): Promise<void> {
	const { lockTimeoutMs = 1_000, attempts = 60, retryMs = (attempt) => Math.min(5_000, 200 * attempt) } = options;
	for (let attempt = 1; ; attempt++) {
		try {
			return await (file.text.startsWith(alone)
				? applyAlone(connection, file)
				: applyInTransaction(connection, file, lockTimeoutMs));
		} catch (cause) {
			if (!wasInTheWay(cause) || attempt >= attempts) throw new Error(`migration ${file.name} failed`, { cause });
			await pause(retryMs(attempt));
		}
	}
}

/** A table that was not to be had in time, or a deadlock: nobody is at fault, and nothing was done. */
const wasInTheWay = (error: unknown): boolean => /^(55P03|40P01)$/.test(codeOf(error));

async function applyInTransaction(connection: Sql, file: Migration, lockTimeoutMs: number): Promise<void> {
	await connection`begin`;
	try {
		await connection`select set_config('lock_timeout', ${`${lockTimeoutMs}`}, true)`;
		await connection.unsafe(file.text);
		await record(connection, file);
		await connection`commit`;
	} catch (cause) {
		await connection`rollback`;
		throw cause;
	}
}

/** May have been run without having been recorded, or have been broken off: the file must be safe to repeat. Nobody waits for its locks. */
async function applyAlone(connection: Sql, file: Migration): Promise<void> {
	await dropHalfBuilt(connection, file.text);
	await connection.unsafe(file.text);
	await record(connection, file);
}

/** An index whose building broke off is there, is written to, and answers nothing: `if not exists` would take it for the index. */
async function dropHalfBuilt(connection: Sql, text: string): Promise<void> {
	const found = await connection<{ name: string }[]>`
		select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
		where c.relnamespace = current_schema()::regnamespace and not i.indisvalid`;
	const words = new Set(text.split(/\W+/));
	for (const { name } of found.filter((index) => words.has(index.name)))
		await connection`drop index concurrently if exists ${connection(name)}`;
}

async function record(connection: Sql, { name, sha256 }: Migration): Promise<void> {
	await connection`insert into migrations (name, sha256) values (${name}, ${sha256})`;
}

interface Migration {
	name: string;
	text: string;
	sha256: string;
}

/** What is not applied yet. A file that was changed after it was applied stops everything: the database is not what it says. */
async function pending(directory: URL, seen: Map<string, string>): Promise<Migration[]> {
	const files: Migration[] = [];
	for (const [prefix, folder] of [
		["messages", messages],
		["", directory],
	] as const) {
		for (const entry of (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort()) {
			const name = prefix === "" ? entry : `${prefix}/${entry}`;
			const text = await readFile(new URL(entry, folder), "utf8");
			const sha256 = hash("sha256", text, "hex");
			const applied = seen.get(name);
			if (applied === undefined) files.push({ name, text, sha256 });
			else if (applied !== sha256)
				throw new Error(`migration ${name} was changed after it was applied here: restore it, and add a new one`);
		}
	}
	return files;
}
