/** A list is recognised by its content: what its file is called says nothing of it. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { recognise, recogniseContent } from "../../services/queue-ingest/queues/jobs/files/recognise.ts";
import { snapshotFiles } from "../../services/queue-ingest/queues/jobs/load-folder.ts";
import { sourceOf } from "../../services/queue-ingest/queues/sources/index.ts";
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

it.each(lists)("a list of $feed ($layout) is recognised, and refused as a file of another operator", async (list) => {
	const { feed, layout } = list;
	const file = await called("download.bin", feed, layout);
	expect((await recogniseContent(file))?.feed).toBe(feed);
	expect((await recognise(regionOf(feed), { ...file, name: "x.xlsx" })).feed).toBe(feed);
	const other = regionOf(feed) === "SPP" ? "MISO" : "SPP";
	await expect(recognise(other, file)).rejects.toThrow(
		`download.bin: not recognized as a file of ${other} (it is a file of ${sourceOf(feed).title})`,
	);
});

it("a file that is not a list is not recognised, and an ambiguous one is refused", async () => {
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

it("files are found in a folder of lists or of an operator, without files of other operators", async () => {
	const folder = await mkdtemp(join(tmpdir(), "named-anyhow-"));
	onTestFinished(() => rm(folder, { recursive: true }));
	await mkdir(join(folder, "spp"));
	for (const [path, feed] of [
		["download.bin", "caiso"],
		["list (1).csv", "tva-active"],
		["spp/a", "spp"],
		["spp/b", "ercot"],
	] as const)
		await writeFile(join(folder, path), (await called(path, feed)).bytes);
	await writeFile(join(folder, "notes.txt"), "none");
	const { files, ignored } = await snapshotFiles(folder);
	expect(files.map(({ path, source }) => [path, source.feed]).sort()).toEqual([
		["download.bin", "caiso"],
		["list (1).csv", "tva-active"],
		["spp/a", "spp"],
	]);
	expect(ignored).toEqual(["notes.txt", "spp/b"]);
});
