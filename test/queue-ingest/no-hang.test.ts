/** An ingest must not hang on half a character, a refused COPY, or files that are not lists. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readRegularFile } from "#libs/files/read-regular-file.ts";
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { createDatabase, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;
let sql: Sql & AsyncDisposable;
let dir: string;
beforeAll(async () => {
	database = await createDatabase("queue-ingest");
	sql = connect(database.url, { schema: "queue_ingest", name: "no-hang", max: 1 });
	dir = await mkdtemp(join(tmpdir(), "no-hang-"));
});
afterAll(async () => {
	await sql?.[Symbol.asyncDispose]();
	await database?.drop();
	await rm(dir, { recursive: true, force: true });
});

const sessions = async () => {
	await using admin = connect(database.adminUrl, { schema: "public", name: "admin", max: 1 });
	return await admin`select state from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`;
};

test.each([
	["at its end", ["1\n", "x\n"]],
	["in its middle", ["x\n", ...Array.from({ length: 200 }, () => "1\n".repeat(20_000))]],
])("a COPY that is refused %s fails for who writes it, and the session is as good as before", async (_when, chunks) => {
	const copied = sql.begin(async (tx) => {
		await tx`create temporary table numbers (n int) on commit drop`;
		const stream = await tx`copy numbers from stdin`.writable();
		const done = finished(stream);
		done.catch(() => {});
		for (const chunk of chunks) {
			if (stream.destroyed) break;
			if (!stream.write(chunk))
				await new Promise<void>((resolve) => stream.once("drain", resolve).once("close", () => resolve()));
		}
		if (!stream.destroyed) stream.end();
		await done;
	});
	await expect(copied).rejects.toMatchObject({ code: "22P02" });
	expect(await sql`select 1 as n`).toEqual([{ n: 1 }]);
	expect(await sessions()).toEqual([]);
});

test("a list with half a character in a field is taken in, with the character that stands for none", async () => {
	const sample = await readFile("services/queue-ingest/admin/sample/files/miso/today/getprojects", "utf8");
	const file = join(dir, "getprojects");
	await writeFile(file, sample.replace(/("poiName":\s*")/, "$1Half \\ud800 a character "));
	const run = promisify(execFile)(
		process.execPath,
		["services/queue-ingest/admin/ingest.ts", "--region", "MISO", "--as-of", "2026-11-26", file],
		{ env: { ...process.env, POSTGRES_URL: database.url }, timeout: 50_000 },
	);
	const { stdout, stderr } = await run.catch((error: { stdout: string; stderr: string }) => error);
	const outcome = JSON.parse(stdout.trim().split("\n").at(-1) ?? "{}") as { outcome?: string; reason?: string };
	expect([stderr, outcome.reason, outcome.outcome]).toEqual([expect.any(String), null, "applied"]);
	const found = await sql<{ poi: string }[]>`select poi from projects where poi like 'Half%'`;
	expect(found.map(({ poi }) => poi)).toEqual([expect.stringMatching(/^Half \ufffd a character ./)]);
	expect(await sessions()).toEqual([]);
});

test("only regular files within their limit are read, and a FIFO is not waited for", async () => {
	const fifo = join(dir, "fifo.json");
	await promisify(execFile)("mkfifo", [fifo]);
	const small = join(dir, "small.json");
	await writeFile(small, "[]");
	expect(await readRegularFile(fifo, 100)).toEqual({ isTooLarge: false, reason: "is not a regular file" });
	expect(await readRegularFile("/dev/zero", 100)).toEqual({ isTooLarge: false, reason: "is not a regular file" });
	expect(await readRegularFile(dir, 100)).toEqual({ isTooLarge: false, reason: "is not a regular file" });
	expect(await readRegularFile(join(dir, "none"), 100)).toEqual({ isTooLarge: false, reason: "there is no such file" });
	expect(await readRegularFile(small, 1)).toEqual({ isTooLarge: true, reason: "2 bytes are too many (at most 1)" });
	expect(await readRegularFile(small, 100)).toEqual({ bytes: Buffer.from("[]") });
	const command = promisify(execFile)(
		process.execPath,
		["services/queue-ingest/admin/ingest.ts", "--region", "MISO", fifo],
		{
			env: { ...process.env, POSTGRES_URL: database.url },
			timeout: 50_000,
		},
	);
	await expect(command).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining("is not a regular file") });
});
