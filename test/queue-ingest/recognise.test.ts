/** A list is recognised by its content: what its file is called says nothing of it. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recognise, recogniseContent } from "../../services/queue-ingest/queues/jobs/files/recognise.ts";
import { snapshotFiles } from "../../services/queue-ingest/queues/jobs/load-folder.ts";
import { sourceOf } from "../../services/queue-ingest/queues/sources/index.ts";
import { createDatabase, type TestDatabase } from "../support/database.ts";
import { workbook } from "../support/file-formats.ts";
import { type QueueFeed, queueFeeds, queueFile, queueLayouts, queueRows } from "../support/queue-files.ts";

const lists = queueFeeds.flatMap((feed) => queueLayouts(feed).map((layout) => ({ feed, layout })));
const called = async (name: string, feed: QueueFeed, layout?: string) => {
	const rows = queueRows(feed, { count: 12 });
	return queueFile(feed, rows, layout === undefined ? { name } : { layout, name });
};
const regionOf = (feed: QueueFeed) => {
	const { region } = sourceOf(feed);
	if (region === null) throw new Error(`${feed} is no operator's`);
	return region;
};

describe.each(lists)("a list of $feed ($layout)", ({ feed, layout }) => {
	it.each(["download.bin", "x.xlsx", "list (1)"])("called %s is recognised as its own", async (name) => {
		const file = await called(name, feed, layout);
		expect((await recogniseContent(file))?.feed).toBe(feed);
		expect((await recognise(regionOf(feed), file)).feed).toBe(feed);
	});

	it("is refused as a file of another operator, with the name of what it is", async () => {
		const other = regionOf(feed) === "SPP" ? "MISO" : "SPP";
		const file = await called("download.bin", feed, layout);
		await expect(recognise(other, file)).rejects.toThrow(
			`download.bin: not recognised as a file of ${other} (it is a file of ${sourceOf(feed).title})`,
		);
	});
});

it("a file that is not a list is recognised as none, and an ambiguous one is refused", async () => {
	const other = { name: "x.xlsx", bytes: await workbook([{ name: "Sheet1", rows: [["a", "b"]] }]) };
	expect(await recogniseContent(other)).toBeUndefined();
	expect(await recogniseContent({ name: "x.xlsx", bytes: other.bytes.subarray(0, 400) })).toBeUndefined();
	expect(await recogniseContent({ name: "x", bytes: Buffer.from("<!doctype html><p>Just a moment") })).toBeUndefined();
	expect(await recogniseContent({ name: "x", bytes: Buffer.alloc(0) })).toBeUndefined();
	const two = await workbook([
		{ name: "Grid GenerationQueue", rows: [["a"]] },
		{ name: "Project Details", rows: [["b"]] },
	]);
	await expect(recogniseContent({ name: "x.xlsx", bytes: two })).rejects.toThrow(/matches several lists .*--region/);
});

describe("files without the name of an operator", () => {
	let database: TestDatabase;
	let folder: string;
	beforeAll(async () => {
		database = await createDatabase("queue-ingest");
		folder = await mkdtemp(join(tmpdir(), "named-anyhow-"));
		await mkdir(join(folder, "spp"));
		const put = async (path: string, feed: QueueFeed) =>
			writeFile(join(folder, path), (await called(path, feed)).bytes);
		await put("download.bin", "caiso");
		await put("list (1).csv", "tva-active");
		await put("spp/a", "spp");
		await put("spp/b", "ercot");
		await writeFile(join(folder, "notes.txt"), "none");
	});
	afterAll(async () => {
		await database?.drop();
		await rm(folder, { recursive: true, force: true });
	});

	const ingest = async (...names: string[]) => {
		const args = [
			"services/queue-ingest/admin/ingest.ts",
			"--as-of",
			"2026-07-20",
			...names.map((name) => join(folder, name)),
		];
		const env = { ...process.env, POSTGRES_URL: database.url };
		const run = promisify(execFile)(process.execPath, args, { env, timeout: 50_000 });
		const { stdout } = await run.catch((error: { stdout: string }) => error);
		return JSON.parse(stdout.trim().split("\n").at(-1) ?? "{}") as Record<string, unknown>;
	};

	it("are taken in as the list that they are", async () => {
		expect(await ingest("download.bin")).toMatchObject({ region: "CAISO", outcome: "applied", rows: 12, reason: null });
	});

	it("are refused when they are of two operators, or of none", async () => {
		expect(await ingest("download.bin", "spp/a")).toMatchObject({
			outcome: "failed",
			reason: "the files are lists of CAISO and SPP: load one operator's at a time",
		});
		expect(await ingest("notes.txt")).toMatchObject({
			outcome: "failed",
			reason: expect.stringContaining("not recognised as an operator's list: name its --region or --source"),
		});
	});

	it("lie in a folder of lists, or in an operator's, whose files of another operator are left out", async () => {
		const { files, ignored } = await snapshotFiles(folder);
		expect(files.map(({ path, source }) => [path, source.feed]).sort()).toEqual([
			["download.bin", "caiso"],
			["list (1).csv", "tva-active"],
			["spp/a", "spp"],
		]);
		expect(ignored).toEqual(["notes.txt", "spp/b"]);
	});
});
