/** Numbered plain SQL files, forward only, one transaction each. Racing migrators wait for each other. */
import { readdir, readFile } from "node:fs/promises";
import { connect } from "./connect.ts";

const messages = new URL("./migrations/", import.meta.url);

/**
 * Applies every file of the shared folder (outbox, inbox) and then of `directory` that this schema has not seen.
 * Answers the names it applied. The role of `url` must own the schema.
 */
export async function migrate(url: string, schema: string, directory: URL): Promise<string[]> {
	await using sql = connect(url, { schema, name: `${schema}-migrate`, max: 1, statementTimeoutMs: 0 });
	const applied: string[] = [];
	await sql.reserve().then(async (connection) => {
		try {
			await connection`select pg_advisory_lock(hashtext(${`migrate:${schema}`}))`;
			await connection`create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())`;
			const seen = new Set((await connection<{ name: string }[]>`select name from migrations`).map((row) => row.name));
			for (const file of await pending(directory, seen)) {
				await connection`begin`;
				try {
					await connection.unsafe(file.text);
					await connection`insert into migrations (name) values (${file.name})`;
					await connection`commit`;
				} catch (cause) {
					await connection`rollback`;
					throw new Error(`migration ${file.name} failed`, { cause });
				}
				applied.push(file.name);
			}
		} finally {
			await connection`select pg_advisory_unlock_all()`;
			connection.release();
		}
	});
	return applied;
}

async function pending(directory: URL, seen: Set<string>): Promise<{ name: string; text: string }[]> {
	const files: { name: string; text: string }[] = [];
	for (const [prefix, folder] of [
		["messages", messages],
		["", directory],
	] as const) {
		for (const entry of (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort()) {
			const name = prefix === "" ? entry : `${prefix}/${entry}`;
			if (!seen.has(name)) files.push({ name, text: await readFile(new URL(entry, folder), "utf8") });
		}
	}
	return files;
}
