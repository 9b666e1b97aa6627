/** The job of the archive on real servers: once over replicas, nothing half of one that was killed, and a bound on what is kept. */
import { tmpdir } from "node:os";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Bus, connectBus } from "#libs/bus/connect.ts";
import { type Bucket, deletePieces, listObjects, putObject, statObject } from "#libs/bus/objects.ts";
import { createLogger } from "#libs/service/logger.ts";
import { archiveDays, archiveJob } from "../../services/queue-ingest/history/dated-files/archive-days.ts";
import { openArchive, readArchive } from "../../services/queue-ingest/history/dated-files/bucket.ts";
import { eventually } from "../support/eventually.ts";
import { startNats } from "../support/servers.ts";
import { misoJson, standing } from "./support/miso.ts";
import { openQueue, type Queue } from "./support/queue.ts";

const log = createLogger({ name: "test", level: "silent" as never });
const stack = new AsyncDisposableStack();
let queue: Queue;
let bus: Bus;
let bucket: Bucket;
beforeAll(async () => {
	queue = stack.use(await openQueue());
	const nats = stack.use(await startNats());
	bus = stack.use(await connectBus({ url: nats.url, name: "queue-ingest", log, ...nats.login("queue-ingest") }));
	bucket = await openArchive(bus);
	await queue.take("MISO", "2026-05-28", misoJson(standing()));
	await queue.sql`update snapshots set finished_at = as_of`;
});
afterAll(() => stack.disposeAsync());

const names = async () => (await readArchive(bucket)).files.map(({ name }) => name);
const run = (time: string, signal = new AbortController().signal) =>
	archiveDays(queue.sql, bucket, { now: () => new Date(time), dir: tmpdir(), signal });

test("a day before the first list has no files, although requests exist when it is archived", async () => {
	expect(await run("2026-05-28T01:00:00Z")).toEqual([]);
	expect([await names(), (await listObjects(bucket)).names]).toEqual([[], []]);
});

test("two concurrent replicas archive a day once", async () => {
	const options = { bus, sql: queue.sql, log, now: () => new Date("2026-05-29T00:00:01Z"), dir: tmpdir() };
	{
		await using _one = archiveJob(options);
		await using _other = archiveJob(options);
		await eventually(async () => (await names()).length > 0, { withinMs: 20_000 });
	}
	expect(await names()).toEqual(["changes/delta/2026-05-28.parquet", "projects/full/2026-05.parquet"]);
	expect((await listObjects(bucket)).names.sort()).toEqual([...(await names()), "manifest.json"].sort());
	expect(await run("2026-05-29T00:10:00Z")).toEqual([]);
});

test("after a run is interrupted at any point, listed files are complete, and the next run removes leftovers", async () => {
	let cut = 0;
	for (let ms = 0; ms < 1_500; ms += 300) {
		await run("2026-05-30T00:00:05Z", AbortSignal.timeout(ms)).catch(() => cut++);
		for (const { name, sha256, bytes } of (await readArchive(bucket)).files)
			expect(await statObject(bucket, name)).toMatchObject({ name, sha256, bytes });
	}
	expect(cut).toBeGreaterThan(0);
	// A killed writer leaves such files, of a day that was deleted since.
	await putObject(bucket, "projects/delta/2025-01-01.parquet", Buffer.from("PAR1 half"));
	await run("2026-05-31T00:05:00Z");
	expect(await names()).toEqual([
		"changes/delta/2026-05-28.parquet",
		"projects/full/2026-05.parquet",
		...["2026-05-29", "2026-05-30"].flatMap((day) => [`changes/delta/${day}.parquet`, `projects/delta/${day}.parquet`]),
	]);
	expect((await listObjects(bucket)).names.sort()).toEqual([...(await names()), "manifest.json"].sort());
});

test("missed days are archived from the oldest on, and each month has a full file", async () => {
	expect(await run("2026-06-02T12:00:00Z")).toEqual(["2026-05-31", "2026-06-01"]);
	const { files } = await readArchive(bucket);
	expect(files.filter(({ series }) => series === "full").map(({ name, day }) => [name, day])).toEqual([
		["projects/full/2026-05.parquet", "2026-05-28"],
		["projects/full/2026-06.parquet", "2026-06-01"],
	]);
	expect(files.filter(({ series, dataset }) => series === "delta" && dataset === "projects")).toHaveLength(4);
});

test("days are archived again from the first damaged one", async () => {
	const before = await names();
	const damaged = await statObject(bucket, "changes/delta/2026-05-31.parquet");
	await deletePieces(bucket, damaged?.id ?? "");
	expect(await run("2026-06-02T12:10:00Z")).toEqual(["2026-05-31", "2026-06-01"]);
	expect(await names()).toEqual(before);
	expect(await run("2026-06-02T12:20:00Z")).toEqual([]);
});

test("a damaged manifest does not count as an empty archive: no day is archived or deleted until it is restored", async () => {
	const before = await readArchive(bucket);
	const stored = (await listObjects(bucket)).names.sort();
	await deletePieces(bucket, (await statObject(bucket, "manifest.json"))?.id ?? "");
	await expect(run("2026-06-03T00:10:00Z")).rejects.toMatchObject({ status: 503 });
	expect((await listObjects(bucket)).names.sort()).toEqual(stored);
	await putObject(bucket, "manifest.json", Buffer.from(JSON.stringify(before)));
	expect(await run("2026-06-03T00:20:00Z")).toEqual(["2026-06-02"]);
});
