/** Exports of the real processes, many at once: readers are slow, or leave midway, or the gateway is killed. A million rows each: export-memory.long.test.ts. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readdirSync, statSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exportAtOnce, fillMadeUp, lengthOf, measured } from "../../tools/bench/export-memory.ts";
import { type Bench, startBench } from "../../tools/bench/system.ts";
import { eventually } from "../support/eventually.ts";
import { spooled } from "../support/export-files.ts";

const path = "/export/projects";
/**
 * Most that a service may hold meanwhile (MB): ten answers of more than 20 MB each, held whole, would be 200 beside the 140, of the gateway
 * 190, that it has without them. Not how much it grows: of what is dead V8 lets up to 64 MB of buffers lie before it looks, sometimes all
 * of it here.
 */
const maxMb = { gateway: 290, "queue-ingest": 240 };
let bench: Bench;
beforeAll(async () => {
	bench = await startBench(() => {});
	await fillMadeUp(bench.sql, 60_000);
}, 180_000);
afterAll(() => bench?.[Symbol.asyncDispose](), 60_000);

test("memory remains constant while ten clients export concurrently, and each gets every row", {
	timeout: 180_000,
}, async () => {
	// Memory for compilation and first connections is not growth.
	const length = await lengthOf(bench.url + path);
	expect(length).toBeGreaterThan(20_000_000);
	const growth = await exportAtOnce(bench, path);
	for (const name of measured) {
		expect([name, Math.round(growth[name].most)]).toEqual([
			name,
			expect.toSatisfy((held: number) => held < maxMb[name]),
		]);
	}
});

async function unread(url: string): Promise<IncomingMessage> {
	const [response] = (await once(get(url, { agent: false }), "response")) as [IncomingMessage];
	response.pause();
	response.on("error", () => {});
	return response;
}

/** Sessions in which a table is being copied out. */
async function copying(): Promise<number> {
	const [row] = await bench.sql<{ count: number }[]>`
		select count(*) from pg_stat_activity where query ilike 'copy (select%' and state <> 'idle'`;
	return row?.count ?? 0;
}

const spool = () => join(bench.directory, "spool");
/** Files that are there, or have begun to be written. */
const files = () =>
	spooled(spool(), bench.pidOf("gateway")).filter((file) => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0)
		.length;

test("sixteen slow readers hold no PostgreSQL session and do not block another export", {
	timeout: 120_000,
}, async () => {
	const readers: IncomingMessage[] = [];
	const before = files();
	// Sixteen streams at once are all that their owner sends.
	for (let reader = 0; reader < 16; reader++) {
		readers.push(await unread(`${bench.url}${path}?limit=${59_000 - (reader % 4)}`));
		expect(readers[reader]?.statusCode).toBe(200);
	}
	expect([await copying(), files() - before]).toEqual([0, 4]);
	expect(await lengthOf(`${bench.url}${path}?limit=58000`)).toBeGreaterThan(20_000_000);
	const lengths = await Promise.all(
		readers.map(async (reader) => {
			let length = 0;
			for await (const chunk of reader) length += chunk.length;
			return length === Number(reader.headers["content-length"]);
		}),
	);
	expect(lengths).toEqual(Array(16).fill(true));
});

test("a gateway killed while it creates a file serves none of it and leaves nothing behind", {
	timeout: 120_000,
}, async () => {
	const url = `${bench.url}${path}?limit=59900`;
	const [before, known] = [bench.pidOf("gateway"), files()];
	const asking = get(url, { agent: false });
	const broken = once(asking, "error");
	await eventually(() => files() > known, { everyMs: 2 });
	process.kill(before, "SIGKILL");
	await broken;
	await eventually(async () => bench.pidOf("gateway") !== before && (await fetch(`${bench.url}/plans`)).ok);
	expect(readdirSync(spool())).toEqual([]);
	const manifest = (await (await fetch(`${bench.url}${path}/manifest?limit=59900`)).json()) as {
		sha256: string;
		rows: number;
	};
	const response = await fetch(url);
	const hash = createHash("sha256").update(Buffer.from(await response.arrayBuffer()));
	expect([hash.digest("hex"), manifest.rows]).toEqual([manifest.sha256, 59_900]);
});
