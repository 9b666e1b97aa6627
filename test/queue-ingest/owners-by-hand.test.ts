/** `ingest --source`: what people type, what is printed, and how the program ends. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ownerFile, plantFile, solarFile, utilityFile } from "./support/eia860.ts";
import { openQueue, type Queue } from "./support/queue.ts";

const program = resolve(import.meta.dirname, "../../services/queue-ingest/admin/ingest.ts");
let queue: Queue;
let folder: string;
beforeAll(async () => {
	queue = await openQueue();
	folder = await mkdtemp(join(tmpdir(), "owners-"));
});
afterAll(async () => {
	await rm(folder, { recursive: true });
	await queue[Symbol.asyncDispose]();
});

/** Exit code, what stderr says, and the last line of stdout. */
function ingest(...args: string[]): Promise<{ code: number; said: string; last: string }> {
	const env = { ...process.env, POSTGRES_URL: queue.url, INIT_CWD: folder };
	return new Promise((done) => {
		execFile(process.execPath, [program, ...args], { env }, (error, stdout, stderr) => {
			done({ code: Number(error?.code ?? 0), said: stderr, last: stdout.trimEnd().split("\n").at(-1) ?? "" });
		});
	});
}

it("a year of form EIA-860 is loaded, and the last line states the outcome", async () => {
	const owners = [{ plant: 60001, generator: "1", name: "Alpha Yieldco", id: 702, share: 1 }];
	const files = [
		await utilityFile(),
		await plantFile(),
		await solarFile([{ plant: 60001, generator: "1" }]),
		await ownerFile(owners),
	];
	for (const file of files) await writeFile(join(folder, file.name), file.bytes);
	const names = files.map((file) => file.name);
	const first = await ingest("--source", "eia860", ...names);
	expect(first.code).toBe(0);
	expect(JSON.parse(first.last)).toMatchObject({
		...{ source: "eia860", outcome: "applied", reason: null },
		years: [{ year: 2020, stated: 1, inferred: 0, missing: ["generator", "wind", "storage", "multifuel"] }],
	});
	expect(first.said).toContain("4___Owner_Y2020.xlsx: applied, owner, 1 rows, 1 stored");
	const second = await ingest("--source", "eia860", ...names);
	expect([second.code, JSON.parse(second.last).outcome]).toEqual([0, "unchanged"]);
});

it("companies' parents are loaded; another file is quarantined with exit code 3", async () => {
	const lines = [
		"Filename,Subsidiary,Location of Incorporation,Ownership Percentage",
		"7-0000000007-24-000001,Alpha LLC,Texas,100.0",
	];
	await writeFile(join(folder, "labels.csv"), `${lines.join("\n")}\n`);
	await writeFile(join(folder, "other.csv"), "a,b\n1,2\n");
	const loaded = await ingest("--source", "developers", "labels.csv");
	expect([loaded.code, JSON.parse(loaded.last)]).toMatchObject([0, { source: "developers", outcome: "applied" }]);
	expect(await queue.sql`select registrant_cik, raw_name from company_evidence`).toMatchObject([
		{ registrant_cik: 7, raw_name: "Alpha LLC" },
	]);
	const refused = await ingest("--source", "developers", "other.csv");
	expect([refused.code, JSON.parse(refused.last).outcome]).toEqual([3, "quarantined"]);
});

it("a missing file ends with 1, and an incomplete call with a sentence", async () => {
	const missing = await ingest("--source", "eia860", "nothing.xlsx");
	expect([missing.code, JSON.parse(missing.last).reason]).toEqual([
		1,
		expect.stringContaining("there is no such file"),
	]);
	expect(await ingest("--source", "eia860")).toMatchObject({ code: 1, said: "name the file to load\n" });
	expect((await ingest("--source", "moon", "x")).said).toContain("is not one of eia860, developers");
});
