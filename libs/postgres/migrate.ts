/**
 * Applies numbered SQL files, forward only, each in one transaction, while readers and writers continue. Concurrent migrations of a schema wait
 * for each other.
 */
import { hash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { codeOf } from "#libs/contract/errors.ts";
import { connect, type Sql } from "./connect.ts";

const messages = new URL("./migrations/", import.meta.url);

/** Maximum wait for another migration of the same schema (ms). */
const maxWaitMs = 3_600_000;

/** First characters of a file whose single statement runs outside a transaction. */
const outsideTransaction = "-- alone:";

export interface MigrateOptions {
	/** Maximum wait for a table lock (ms, 1,000 when absent), which is also the maximum delay of statements that queue behind the migration. */
	lockTimeoutMs?: number;
	/** Attempts of a migration that does not get its table lock (60 when absent). */
	attempts?: number;
	/** Pause between two attempts (ms; from 200 up to 5,000 when absent), during which the waiting statements run. */
	retryMs?(attempt: number): number;
	/** Definitions derived from code, applied after the files if their text has changed since they were last applied. */
	repeatable?: readonly { name: string; text: string }[];
}

/**
 * Applies the files that have not been applied to this schema: first those of the shared folder (outbox, inbox), then those of `directory`. The
 * role in `url` must own the schema. Returns the names of the applied files.
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
			await acquireMigrationLock(connection, schema);
			await connection`create table if not exists migrations (
				name text primary key, sha256 text not null, applied_at timestamptz not null default now())`;
			const rows = await connection<{ name: string; sha256: string }[]>`select name, sha256 from migrations`;
			const appliedHashes = new Map(rows.map((row) => [row.name, row.sha256]));
			for (const file of [
				...(await findPending(directory, appliedHashes)),
				...findChanged(options.repeatable ?? [], appliedHashes),
			]) {
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

/** Polls for the lock: a session that waits inside PostgreSQL holds a snapshot, and a concurrent index build would wait for that snapshot. */
async function acquireMigrationLock(connection: Sql, schema: string): Promise<void> {
	const until = performance.now() + maxWaitMs;
	for (;;) {
		const [row] = await connection<{ taken: boolean }[]>`
			select pg_try_advisory_lock(hashtext(${`migrate:${schema}`})) as taken`;
		if (row?.taken === true) return;
		if (performance.now() > until)
			throw new Error(`another migration of ${schema} has not finished within ${maxWaitMs / 60_000} minutes`);
		await pause(200);
	}
}

async function apply(connection: Sql, file: Migration, options: MigrateOptions): Promise<void> {
	const { lockTimeoutMs = 1_000, attempts = 60, retryMs = (attempt) => Math.min(5_000, 200 * attempt) } = options;
	for (let attempt = 1; ; attempt++) {
		try {
			return await (file.text.startsWith(outsideTransaction)
				? applyOutsideTransaction(connection, file)
				: applyInTransaction(connection, file, lockTimeoutMs));
		} catch (cause) {
			if (!isLockConflict(cause) || attempt >= attempts) throw new Error(`migration ${file.name} failed`, { cause });
			await pause(retryMs(attempt));
		}
	}
}

/** Whether a lock timeout or a deadlock stopped the migration: nothing was changed, and it can be retried. */
const isLockConflict = (error: unknown): boolean => /^(55P03|40P01)$/.test(codeOf(error));

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

/**
 * Runs a file outside a transaction. The file must be safe to repeat, because it may have been interrupted, or have run without being recorded.
 * Its statement must not block readers or writers.
 */
async function applyOutsideTransaction(connection: Sql, file: Migration): Promise<void> {
	await dropHalfBuilt(connection, file.text);
	await connection.unsafe(file.text);
	await record(connection, file);
}

/** Drops an index whose build was interrupted: such an index is updated but never used, and `if not exists` would skip its creation. */
async function dropHalfBuilt(connection: Sql, text: string): Promise<void> {
	const invalidIndexes = await connection<{ name: string }[]>`
		select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
		where c.relnamespace = current_schema()::regnamespace and not i.indisvalid`;
	const words = new Set(text.split(/\W+/));
	for (const { name } of invalidIndexes.filter((index) => words.has(index.name)))
		await connection`drop index concurrently if exists ${connection(name)}`;
}

async function record(connection: Sql, { name, sha256 }: Migration): Promise<void> {
	await connection`insert into migrations (name, sha256) values (${name}, ${sha256})
		on conflict (name) do update set sha256 = excluded.sha256, applied_at = now()`;
}

interface Migration {
	name: string;
	text: string;
	sha256: string;
}

const findChanged = (
	repeatable: readonly { name: string; text: string }[],
	appliedHashes: Map<string, string>,
): Migration[] =>
	repeatable
		.map(({ name, text }) => ({ name, text, sha256: hash("sha256", text, "hex") }))
		.filter(({ name, sha256 }) => appliedHashes.get(name) !== sha256);

/** Returns the files that have not been applied yet. @throws if a file was changed after it was applied: the schema no longer matches it */
async function findPending(directory: URL, appliedHashes: Map<string, string>): Promise<Migration[]> {
	const files: Migration[] = [];
	for (const [prefix, folder] of [
		["messages", messages],
		["", directory],
	] as const) {
		for (const entry of (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort()) {
			const name = prefix === "" ? entry : `${prefix}/${entry}`;
			const text = await readFile(new URL(entry, folder), "utf8");
			const sha256 = hash("sha256", text, "hex");
			const applied = appliedHashes.get(name);
			if (applied === undefined) files.push({ name, text, sha256 });
			else if (applied !== sha256)
				throw new Error(`migration ${name} was changed after it was applied here: restore it, and add a new one`);
		}
	}
	return files;
}
