/** An ingest must not hang on half a character or a refused COPY. */
import { readFile } from "node:fs/promises";
import { finished } from "node:stream/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { openQueue, type Queue } from "./support/queue.ts";

let queue: Queue;
let sql: Sql & AsyncDisposable;
beforeAll(async () => {
	queue = await openQueue();
	sql = connect(queue.url, { schema: "queue_ingest", name: "no-hang", max: 1 });
});
afterAll(async () => {
	await sql?.[Symbol.asyncDispose]();
	await queue?.[Symbol.asyncDispose]();
});

const open = () => queue.sql`
	select state from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`;

test.each([
	["at its end", ["1\n", "x\n"]],
	["in its middle", ["x\n", ...Array.from({ length: 200 }, () => "1\n".repeat(20_000))]],
])("a COPY refused %s fails for its writer, and the session remains usable", async (_when, chunks) => {
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
	expect([...(await open())]).toEqual([]);
});

test("a list with a lone surrogate in a field is ingested with the replacement character", async () => {
	const sample = await readFile("services/queue-ingest/admin/sample/files/miso/today/getprojects", "utf8");
	const bytes = Buffer.from(sample.replace(/("poiName":\s*")/, "$1Half \\ud800 a character "));
	expect(await queue.take("MISO", "2026-11-26", { name: "getprojects", bytes })).toMatchObject({
		outcome: "applied",
		reason: null,
	});
	const found = await queue.sql<{ poi: string }[]>`select poi from projects where poi like 'Half%'`;
	expect(found.map(({ poi }) => poi)).toEqual([expect.stringMatching(/^Half \ufffd a character ./)]);
	expect([...(await open())]).toEqual([]);
});
