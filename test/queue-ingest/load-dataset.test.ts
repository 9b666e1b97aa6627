/** The engine of the related datasets: what is taken in, what is held back, and what is left alone. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { loadDatasets, releaseDataset } from "../../services/queue-ingest/datasets/load-datasets.ts";
import { type IncomingFile, sampleUrl } from "../../services/queue-ingest/sources/archive.ts";
import { type Area, county, netMeteringFile, nyserdaFile, ohioFile } from "./support/dg.ts";
import { misoJson, standing } from "./support/miso.ts";
import { openQueue, type Queue } from "./support/queue.ts";

let queue: Queue;
/** Each group of tests has its own database. */
const withQueue = () => {
	beforeAll(async () => {
		queue = await openQueue();
	});
	afterAll(() => queue[Symbol.asyncDispose]());
};

const now = () => new Date("2026-01-01T00:00:00Z");
const take = (file: IncomingFile, options = {}) => loadDatasets(queue.sql, "dg", [file], { now, ...options });
/** A row a year, the newest one `newest`. */
const years = (count: number, newest = 2024) =>
	Array.from({ length: count }, (_, at) => ({ ...county, year: newest - at, facilities: 1, kw: 10 }));
/** The table states no day; its folder can. */
const dated = (day: string, areas: Area[]) => ({ ...ohioFile(areas), path: `dg/${day}/ohio.csv` });
const facilities = async () => (await queue.ask("getDgStats", { source: "puco-ohio-der" })).data.facilities;
async function feed() {
	const [row] = await queue.sql`
		select last_outcome, last_reason, requests, published_on, iso(last_success_at) as success, iso(last_checked_at) as checked,
			iso(last_changed_at) as changed
		from feeds where feed = 'puco-ohio-der'`;
	return row;
}
async function version() {
	const [row] = await queue.sql<{ version: number }[]>`select version from data_version`;
	return row?.version ?? 0;
}

describe("a dated file of a dataset", () => {
	withQueue();

	it("is stored with its edition, its feed's freshness and its bytes", async () => {
		const before = await version();
		const file = dated("2025-03-11", years(10));
		expect(await take(file)).toMatchObject({
			...{ source: "dg", outcome: "applied", reason: null },
			files: [{ feed: "puco-ohio-der", edition: "current", rows_in: 10, rows_stored: 10 }],
		});
		expect(await facilities()).toBe(10);
		expect(await feed()).toEqual({
			...{ last_outcome: "applied", last_reason: null, requests: 10, published_on: "2025-03-11" },
			...{ success: "2025-03-11T00:00:00Z", checked: "2026-01-01T00:00:00Z", changed: "2025-03-11T00:00:00Z" },
		});
		const [snapshot] = await queue.sql`
			select s.region, s.feed, s.outcome, s.rows, f.rows_in, f.requests, r.size_bytes
			from snapshots s join snapshot_files f on f.snapshot_id = s.id join raw_files r using (sha256)`;
		expect(snapshot).toEqual({
			...{ region: "dg", feed: "puco-ohio-der", outcome: "applied", rows: 10, rows_in: 10, requests: 10 },
			size_bytes: file.bytes.length,
		});
		expect(await version()).toBeGreaterThan(before);
	});

	it("that is older than the applied one is held back with the reason, until it is released", async () => {
		expect(await take(dated("2024-03-11", years(11)))).toMatchObject({
			outcome: "quarantined",
			reason: "puco-ohio-der: published on 2024-03-11, before the applied file of 2025-03-11",
		});
		expect(await facilities()).toBe(10);
		expect(await releaseDataset(queue.sql, "dg", now)).toMatchObject({ outcome: "applied" });
		expect(await facilities()).toBe(11);
	});

	it("that was applied before the newest one is history, so a folder of all editions can be loaded again", async () => {
		expect(await take(dated("2025-06-11", years(12)))).toMatchObject({ outcome: "applied" });
		expect(await take(dated("2024-03-11", years(11)))).toMatchObject({
			outcome: "unchanged",
			reason: expect.stringContaining("before the applied file of 2025-06-11"),
		});
		expect(await facilities()).toBe(12);
	});
});

describe("a file of a dataset", () => {
	withQueue();

	it("that arrives twice at once is stored once; a stored one is not archived again", async () => {
		const file = ohioFile(years(10));
		const outcomes = await Promise.all([take(file), take(file)]);
		expect(outcomes.map((one) => one.outcome).sort()).toEqual(["applied", "unchanged"]);
		const archived = async () => (await queue.sql`select from snapshot_files`).count;
		const before = [await version(), await archived(), 10];
		expect(await take(file)).toMatchObject({ outcome: "unchanged", reason: null });
		expect((await queue.sql`select outcome, feed from snapshots order by id`).map((row) => row.outcome).sort()).toEqual(
			["applied", "unchanged", "unchanged"],
		);
		expect([await version(), await archived(), await facilities()]).toEqual(before);
	});

	it("that lost half of its rows is held back, and the served data remain", async () => {
		const { outcome, reason } = await take(ohioFile(years(5)));
		expect(outcome).toBe("quarantined");
		expect(reason).toBe("puco-ohio-der: rows collapsed from 10 (edition current) to 5");
		expect(await facilities()).toBe(10);
		expect(await feed()).toMatchObject({ last_outcome: "quarantined", requests: 10, success: "2026-01-01T00:00:00Z" });
		const { alerts } = await queue.ask("getQueueIntegrity");
		expect(alerts).toMatchObject([{ region: "dg", feed: "puco-ohio-der", level: "quarantined" }]);
	});

	it("ends the alert about an earlier broken one, even if it contains nothing new", async () => {
		await take(ohioFile(years(10)));
		expect((await queue.ask("getQueueIntegrity")).alerts).toEqual([]);
	});

	it("that lost two fifths of its rows is held back, and can be released by hand without the file", async () => {
		expect(await take(ohioFile(years(6)))).toMatchObject({
			outcome: "quarantined",
			reason: "puco-ohio-der: 4 of 10 records (edition current) vanished",
		});
		expect(await releaseDataset(queue.sql, "dg", now)).toMatchObject({
			outcome: "applied",
			files: [{ rows_stored: 6 }],
		});
		expect(await facilities()).toBe(6);
		expect(await releaseDataset(queue.sql, "dg", now)).toMatchObject({ outcome: "failed" });
	});

	it("replaces its whole edition", async () => {
		await take(ohioFile([{ ...county, year: 2025, facilities: 7, kw: 1 }, ...years(8)]));
		expect(await facilities()).toBe(15);
		expect((await queue.sql`select distinct snapshot_id from dg_records`).count).toBe(1);
		expect((await feed())?.requests).toBe(9);
	});

	it("of a new year is compared with the previous year", async () => {
		const utilities = Array.from({ length: 10 }, (_, at) => ({
			...{ state: "CA", id: at + 1 },
			homes: [1, 1] as [number, number],
		}));
		await take(await netMeteringFile(2018, utilities));
		const { outcome, reason } = await take(await netMeteringFile(2019, utilities.slice(0, 5)));
		expect([outcome, reason]).toEqual([
			"quarantined",
			"eia861-net-metering: rows collapsed from 10 (edition 2018) to 5",
		]);
	});
});

describe("an unrecognised file", () => {
	withQueue();

	it.each([
		["is cut", ohioFile(years(10)).bytes.subarray(0, 200)],
		["holds no rows", ohioFile([]).bytes],
		["holds only zeros", ohioFile([{ ...county, facilities: 0, kw: 0 }]).bytes],
		[
			"is malformed in one row of ten",
			ohioFile([...years(18), ...["x", "y"].map((kw) => ({ facilities: 1, kw }))]).bytes,
		],
	])("of its publisher (it %s) is held back with a reason, and nothing is stored", async (_, bytes) => {
		const archived = (await queue.sql`select from raw_files`).count;
		const { outcome, files } = await take({ ...ohioFile([]), bytes });
		expect(outcome).toBe("quarantined");
		expect(files[0]?.reason).toEqual(expect.any(String));
		expect((await queue.sql`select from dg_records`).count).toBe(0);
		expect((await queue.sql`select from raw_files`).count).toBe(archived + 1);
	});

	it("of any dataset is refused by hand, and ignored in a folder", async () => {
		const page = { name: "notes.csv", path: "dg/notes.csv", bytes: Buffer.from("what,ever\n1,2\n") };
		expect(await take(page)).toMatchObject({ outcome: "quarantined" });
		expect(await take(page, { lenient: true })).toMatchObject({ outcome: "unchanged" });
	});

	it("does not prevent the ingest of others", async () => {
		const broken = { ...ohioFile([], "broken.csv"), bytes: ohioFile(years(10)).bytes.subarray(0, 200) };
		const result = await loadDatasets(queue.sql, "dg", [broken, ohioFile(years(3))], { now });
		expect(result.files.map((file) => file.outcome)).toEqual(["quarantined", "applied"]);
		expect(result.outcome).toBe("quarantined");
		expect(await facilities()).toBe(3);
	});
});

describe("the sample", () => {
	beforeEach(async () => {
		queue = await openQueue();
	});
	afterEach(() => queue[Symbol.asyncDispose]());

	const sampleList = () =>
		queue.take("MISO", "2025-12-31", { ...misoJson(standing()), url: sampleUrl } as IncomingFile);
	const ownList = () => queue.take("MISO", "2026-01-01", misoJson(standing(20, 9501)));
	const requests = async () => (await queue.ask("listProjects", { per_page: 1 })).data.map(({ id }) => id);

	it("of a dataset is removed when an operator's list is loaded", async () => {
		await sampleList();
		await take({ ...ohioFile(years(3)), url: sampleUrl });
		await ownList();
		expect(await facilities()).toBe(0);
		expect((await queue.sql`select from dataset_editions`).count).toBe(0);
	});

	it("of the queues remains when a published dataset is loaded, and is removed later without it", async () => {
		await sampleList();
		await take({ ...ohioFile(years(3)), url: sampleUrl });
		await take(await netMeteringFile(2018, [{ state: "CA", id: 1, homes: [1, 1] }]));
		await take(await nyserdaFile([{ id: 87 }]));
		expect(await requests()).toEqual(["MISO-J9001"]);
		await ownList();
		expect(await requests()).toEqual(["MISO-J9501"]);
		expect((await queue.ask("listDg")).data.map((row) => row.source)).toEqual(["nyserda-der", "eia861-net-metering"]);
		const [dg] = await queue.sql`
			select count(*) filter (where region = 'DG') as feeds, (select count(*) from project_versions) as versions from feeds`;
		expect(dg).toEqual({ feeds: 1, versions: 21 });
	});

	it("of a database is removed when a published file of it is loaded, including installations of a programme", async () => {
		await take({ ...(await nyserdaFile([{ id: 87 }])), url: sampleUrl });
		await take({ ...ohioFile(years(3)), url: sampleUrl });
		await take(await nyserdaFile([{ id: 104 }]));
		expect((await queue.ask("listDg")).data.map((row) => row.id)).toEqual(["DG-NYSERDA-104"]);
	});
});
