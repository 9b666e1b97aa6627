/** Numbered plain SQL files, forward only, one transaction each. Racing migrators wait for each other. */
import { hash } from "node:crypto";
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
			await connection`create table if not exists migrations (
				name text primary key, sha256 text not null, applied_at timestamptz not null default now())`;
			const rows = await connection<{ name: string; sha256: string }[]>`select name, sha256 from migrations`;
			const seen = new Map(rows.map((row) => [row.name, row.sha256]));
			for (const file of await pending(directory, seen)) {
				await connection`begin`;
				try {
					await connection.unsafe(file.text);
					await connection`insert into migrations (name, sha256) values (${file.name}, ${file.sha256})`;
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
