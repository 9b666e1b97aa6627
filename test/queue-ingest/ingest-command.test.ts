/** `npm run ingest`: what people type, what it prints, and its exit code. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readRegularFile } from "#libs/files/read-regular-file.ts";
import { ingest } from "../../services/queue-ingest/admin/ingest.ts";
import { type QueueFeed, queueFile, queueRows } from "../support/queue-files.ts";
import { runCommand } from "./support/command.ts";
import { county, netMeteringFile, nyserdaFile, ohioFile } from "./support/dg.ts";
import { ownerFile, plantFile, solarFile, utilityFile } from "./support/eia860.ts";
import { openQueue, type Queue } from "./support/queue.ts";

let queue: Queue;
let folder: string;
beforeAll(async () => {
	queue = await openQueue();
	folder = await mkdtemp(join(tmpdir(), "ingest-"));
});
afterAll(async () => {
	await rm(folder, { recursive: true });
	await queue[Symbol.asyncDispose]();
});

/** Paths are relative to the folder. The last line of stdout is the outcome. */
async function run(...args: string[]) {
	const { code, out, err } = await runCommand(ingest, args, { POSTGRES_URL: queue.url, INIT_CWD: folder });
	return { code, err, outcome: out === "" ? undefined : JSON.parse(out.split("\n").at(-1) ?? "") };
}

async function put(path: string, bytes: Uint8Array | string): Promise<void> {
	await mkdir(dirname(join(folder, path)), { recursive: true });
	await writeFile(join(folder, path), bytes);
}

describe("related datasets", () => {
	const ohio = (years: number) =>
		ohioFile(Array.from({ length: years }, (_, at) => ({ ...county, year: 2024 - at, facilities: 1, kw: 10 }))).bytes;

	it("are loaded from a folder, a broken file exits with 3 and is released with --accept", async () => {
		const netMetering = await netMeteringFile(2018, [{ state: "CA", id: 1, homes: [1, 1] }]);
		await put(`data/${netMetering.path}`, netMetering.bytes);
		await put("data/dg/2025-03-11/NYSERDA_DER.xlsx", (await nyserdaFile([{ id: 1 }])).bytes);
		await put("data/dg/ohio.csv", ohio(10));
		await put("data/dg/notes.csv", "what,ever\n1,2\n");
		await put("data/cases/dg/ohio.csv", ohio(12));
		const loaded = await run("--data", "data");
		expect(loaded.code).toBe(0);
		expect(loaded.err).toContain(
			"ohio.csv: applied, Ohio distributed generation by area (PUCO, Central Ohio), current",
		);
		expect(loaded.err).toContain("notes.csv: not a file of any dataset of dg");
		expect(loaded.err).not.toContain("cases");
		expect((await queue.ask("listDg")).meta.total).toBe(12);

		await put("cut.csv", ohio(4));
		const held = await run("--source", "dg", "cut.csv");
		expect(held.code).toBe(3);
		expect(held.outcome).toMatchObject({ source: "dg", outcome: "quarantined", files: [{ feed: "puco-ohio-der" }] });

		const released = await run("--source", "dg", "--accept");
		expect(released.code).toBe(0);
		expect(released.outcome).toMatchObject({ outcome: "applied", files: [{ rows_stored: 4 }] });
	});
});

describe("files about owners", () => {
	it("of form EIA-860 are loaded, and the last line states the outcome", async () => {
		const owners = [{ plant: 60001, generator: "1", name: "Alpha Yieldco", id: 702, share: 1 }];
		const units = [{ plant: 60001, generator: "1" }];
		const files = [await utilityFile(), await plantFile(), await solarFile(units), await ownerFile(owners)];
		for (const { name, bytes } of files) await put(name, bytes);
		const { code, err, outcome } = await run("--source", "eia860", ...files.map(({ name }) => name));
		expect(code).toBe(0);
		expect(outcome).toMatchObject({
			...{ source: "eia860", outcome: "applied", reason: null },
			years: [{ year: 2020, stated: 1, inferred: 0, missing: ["generator", "wind", "storage", "multifuel"] }],
		});
		expect(err).toContain("4___Owner_Y2020.xlsx: applied, owner, 1 rows, 1 stored");
	});

	it("of companies' parents are loaded; another file is quarantined with exit code 3", async () => {
		const header = "Filename,Subsidiary,Location of Incorporation,Ownership Percentage";
		await put("labels.csv", `${header}\n7-0000000007-24-000001,Alpha LLC,Texas,100.0\n`);
		await put("other.csv", "a,b\n1,2\n");
		expect(await run("--source", "developers", "labels.csv")).toMatchObject({
			code: 0,
			outcome: { source: "developers", outcome: "applied" },
		});
		expect(await queue.sql`select registrant_cik, raw_name from company_evidence`).toMatchObject([
			{ registrant_cik: 7, raw_name: "Alpha LLC" },
		]);
		expect(await run("--source", "developers", "other.csv")).toMatchObject({
			code: 3,
			outcome: { outcome: "quarantined" },
		});
	});

	it("that are missing end with 1, and an incomplete call with a sentence", async () => {
		expect(await run("--source", "eia860", "nothing.xlsx")).toMatchObject({
			code: 1,
			outcome: { outcome: "failed", reason: expect.stringContaining("there is no such file") },
		});
		expect(await run("--source", "eia860")).toMatchObject({ code: 1, err: "name the file to load" });
		expect((await run("--source", "moon", "x")).err).toContain("is not one of eia860, developers");
	});
});

describe("files without the name of an operator", () => {
	const putList = async (path: string, feed: QueueFeed) =>
		put(path, (await queueFile(feed, queueRows(feed, { count: 12 }))).bytes);
	const ingestFiles = (...names: string[]) => run("--as-of", "2026-07-20", ...names);

	it("are ingested as the list that they contain, and refused if it belongs to two operators or none", async () => {
		await putList("download.bin", "caiso");
		await putList("a", "spp");
		await put("notes.txt", "none");
		expect(await ingestFiles("download.bin")).toMatchObject({
			outcome: { region: "CAISO", outcome: "applied", rows: 12, reason: null },
		});
		const [project] = (await queue.ask("listProjects", { region: ["CAISO"] })).data;
		const about = { project_id: project?.id ?? "" };
		const history = await queue.ask("getProjectHistory", about);
		const provenance = await queue.ask("getProjectProvenance", about);
		const file = await queue.ask("getFile", { sha256: provenance.files[0]?.sha256 ?? "" });
		expect(history.data[0]?.file?.name).toBe("download.bin");
		expect(file.loads[0]?.name).toBe("download.bin");
		// The folders of the loading machine are not published.
		expect(JSON.stringify([history, provenance, file])).not.toContain(folder);
		expect(await ingestFiles("download.bin", "a")).toMatchObject({
			code: 1,
			outcome: {
				outcome: "failed",
				reason: "the files are lists of CAISO and SPP: load the lists of one operator at a time",
			},
		});
		expect(await ingestFiles("notes.txt")).toMatchObject({
			code: 1,
			outcome: {
				outcome: "failed",
				reason: expect.stringContaining("not recognized as an operator's list: give its --region or --source"),
			},
		});
	});
});

it("only regular files within the limit are read, and a FIFO does not block", async () => {
	const fifo = join(folder, "fifo.json");
	await promisify(execFile)("mkfifo", [fifo]);
	await put("small.json", "[]");
	const small = join(folder, "small.json");
	for (const path of [fifo, "/dev/zero", folder])
		expect(await readRegularFile(path, 100)).toEqual({ isTooLarge: false, reason: "is not a regular file" });
	expect(await readRegularFile(small, 1)).toEqual({
		isTooLarge: true,
		reason: "has 2 bytes, more than the maximum of 1",
	});
	expect(await readRegularFile(small, 100)).toEqual({ bytes: Buffer.from("[]") });
	expect(await run("--region", "MISO", "fifo.json")).toMatchObject({
		code: 1,
		outcome: { reason: expect.stringContaining("is not a regular file") },
	});
});
