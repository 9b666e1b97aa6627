/** The job of the archive on real servers: once over replicas, nothing half of one that was killed, and a bound on what is kept. */
import { tmpdir } from "node:os";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Bus, connectBus } from "#libs/bus/connect.ts";
import { type Bucket, listObjects, putObject } from "#libs/bus/objects.ts";
import { createLogger } from "#libs/service/logger.ts";
import { archiveDays } from "../../services/queue-ingest/archive/archive-days.ts";
import { archiveJob } from "../../services/queue-ingest/archive/archive-job.ts";
import { openArchive, readArchive } from "../../services/queue-ingest/archive/bucket.ts";
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
	await queue.take("MISO", "2026-05-01", misoJson(standing()));
	await queue.sql`update snapshots set finished_at = as_of`;
});
afterAll(() => stack.disposeAsync());

const names = async () => (await readArchive(bucket)).files.map(({ name }) => name);
const run = (moment: string, signal = new AbortController().signal) =>
	archiveDays(queue.sql, bucket, { now: () => new Date(moment), dir: tmpdir(), signal });

test("two replicas at once make a day once", async () => {
	const options = { bus, sql: queue.sql, log, now: () => new Date("2026-05-02T00:00:01Z"), dir: tmpdir() };
	{
		await using _one = archiveJob(options);
		await using _other = archiveJob(options);
		await eventually(async () => (await names()).length > 0, { withinMs: 20_000 });
	}
	expect(await names()).toEqual(["changes/delta/2026-05-01.parquet", "projects/full/2026-05.parquet"]);
	expect((await listObjects(bucket)).names.sort()).toEqual([...(await names()), "manifest.json"].sort());
	expect(await run("2026-05-02T00:10:00Z")).toEqual([]);
});

test("of a run that was cut off nothing is listed, and the next one makes the day and removes what was left", async () => {
	const stop = new AbortController();
	// As late as can be: its files are there, its manifest is not.
	const [, watched] = await Promise.all([
		expect(run("2026-05-03T00:00:05Z", stop.signal)).rejects.toThrow(),
		eventually(
			async () => {
				const { names } = await listObjects(bucket);
				if (names.includes("projects/delta/2026-05-02.parquet")) stop.abort(new Error("killed"));
				return stop.signal.aborted;
			},
			{ everyMs: 1, withinMs: 20_000 },
		),
	]);
	expect(watched).toBeUndefined();
	// What a writer that is killed leaves: a file under another name, too.
	await putObject(bucket, "projects/delta/2025-01-01.parquet", Buffer.from("PAR1 half"));
	expect(await names()).toHaveLength(2);
	expect(await run("2026-05-03T00:05:00Z")).toEqual(["2026-05-02"]);
	expect((await listObjects(bucket)).names.sort()).toEqual([...(await names()), "manifest.json"].sort());
	expect(await names()).toEqual([
		"changes/delta/2026-05-01.parquet",
		"projects/full/2026-05.parquet",
		"changes/delta/2026-05-02.parquet",
		"projects/delta/2026-05-02.parquet",
	]);
});

test("days that were missed are made from the oldest on, and each month has a full file", async () => {
	expect(await run("2026-06-02T12:00:00Z")).toHaveLength(30);
	const { files } = await readArchive(bucket);
	expect(files.filter(({ series }) => series === "full").map(({ name, day }) => [name, day])).toEqual([
		["projects/full/2026-05.parquet", "2026-05-01"],
		["projects/full/2026-06.parquet", "2026-06-01"],
	]);
	expect(files.filter(({ series, dataset }) => series === "delta" && dataset === "projects")).toHaveLength(31);
}, 120_000);
