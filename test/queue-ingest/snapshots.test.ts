/** Snapshots of several lists, their days, and the same one at once. */
import { existsSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { migrate } from "../../services/queue-ingest/migrate.ts";
import { parseFile } from "../../services/queue-ingest/queues/jobs/files/parse-file.ts";
import { ingestSnapshot } from "../../services/queue-ingest/queues/jobs/ingest-snapshot.ts";
import { rebuildAll } from "../../services/queue-ingest/queues/jobs/late-lists.ts";
import type { IngestRequest } from "../../services/queue-ingest/queues/jobs/record-attempt.ts";
import { refreshSource } from "../../services/queue-ingest/queues/jobs/refresh-source.ts";
import { sourceOf } from "../../services/queue-ingest/queues/sources/index.ts";
import { readQuarantined, sampleUrl } from "../../services/queue-ingest/sources/archive.ts";
import type { RawFile } from "../../services/queue-ingest/sources/source.ts";
import { realData } from "../../tools/bench/real-data.ts";
import { workbook } from "../support/file-formats.ts";
import { type QueueRow, queueFile, queueRows } from "../support/queue-files.ts";
import { misoCsv, misoJson, standing } from "./support/miso.ts";
import { openQueue, present, type Queue } from "./support/queue.ts";
import { sharedQueue } from "./support/shared-queue.ts";

const withFirst = (rows: QueueRow[], change: Partial<QueueRow>): QueueRow[] =>
	rows.map((row, at) => (at === 0 ? { ...row, ...change } : row));

describe("a snapshot", () => {
	const queue = sharedQueue();

	const line = { number: "J900", fuel: "High Voltage DC", facility: "High Voltage DC" };

	it("of several lists has the date of each file", async () => {
		const main = await queueFile("caiso", queueRows("caiso"), { publishedOn: "2026-01-05" });
		const cluster = await queueFile("caiso-cluster-15", queueRows("caiso-cluster-15"), {
			name: "cluster-15-interconnection-requests-2026-07-16.xlsx",
		});
		const files = [main, cluster].map((file) => ({ ...file, path: file.name }));
		const result = await ingestSnapshot(queue.sql, { region: "CAISO", files, asOf: null });
		expect(result).toMatchObject({ outcome: "applied", as_of: "2026-07-16T00:00:00Z" });
		const dates = await queue.sql`select feed, iso(applied_as_of) as at from feeds order by feed`;
		expect([...dates]).toEqual([
			{ feed: "caiso", at: "2026-01-05T00:00:00Z" },
			{ feed: "caiso-cluster-15", at: "2026-07-16T00:00:00Z" },
		]);
	});

	it("that is loaded twice concurrently is applied once", async () => {
		const rows = queueRows("spp");
		await queue.take("SPP", "2026-03-01", await queueFile("spp", rows));
		const next = await queueFile("spp", withFirst(rows, { mw: 12.5 }));
		const results = await Promise.all([1, 2, 3].map(() => queue.take("SPP", "2026-03-02", next)));
		expect(results.map((result) => result.outcome).sort()).toEqual(["applied", "unchanged", "unchanged"]);
		expect(await queue.changeRows()).toHaveLength(1);
	});

	it("has its transmission rows flagged in the changes and omitted from the summaries", async () => {
		await queue.take("MISO", "2026-03-01", misoJson(standing()));
		await queue.take("MISO", "2026-03-02", misoJson([{ number: "J100" }, line, ...standing()]));
		const { data } = await queue.ask("listChanges", { region: "MISO" });
		expect(data.map((change) => [change.queue_id, change.kind]).sort()).toEqual([
			["J100", "generation"],
			["J900", "transmission"],
		]);
		const { new_entries_by_region } = await queue.ask("summariseChanges", { region: ["MISO"] });
		expect(new_entries_by_region).toMatchObject([{ region: "MISO", new_projects: 1 }]);
	});

	it("contains each list once, even if one of two files is already applied", async () => {
		const applied = misoJson([{ number: "J100" }, line, ...standing()]);
		expect(await queue.take("MISO", "2026-03-03", [misoJson(standing()), applied])).toMatchObject({
			outcome: "quarantined",
			reason: expect.stringContaining("a second file of"),
		});
		expect(await queue.sql`select from projects where missing_since is not null`).toHaveLength(0);
	});
});

describe("a list that completes another", () => {
	const rows = queueRows("ercot", { count: 12 }).map((row, at) => ({
		...row,
		...(at < 2 && { status: "active" as const }),
	}));
	const header = ["INR", "Project Name", "POI Location", "County", "Fuel", "Technology", "Capacity (MW)"];
	const report = async (...plants: [inr: string, name: string, fuel: string, technology: string, mw: number][]) => {
		const listed = plants.map(([inr, name, ...type]) => [inr, name, "1234 Heron", "Pecos", ...type]);
		const bytes = await workbook([{ name: "Co-located with Solar", rows: [header, ...listed] }]);
		return { name: "Co-located_Battery_Report_February2026.xlsx", bytes };
	};
	const [first = "", second = ""] = rows.map(({ number }) => number);
	const parts = [
		{ type_std: "Storage", capacity_mw: 77 },
		{ type_std: "Solar", capacity_mw: 200 },
	];
	const plant = (mw: number) =>
		report(
			[first, "Heron BESS", "OTH", "BA", mw],
			[second, "Heron Solar", "SOL", "PV", 200],
			["29INR9999", "Heron BESS 2", "OTH", "BA", 1],
		);
	const partsOf = async (queue: Queue) =>
		(await queue.ask("listProjects", { include_unlisted: true, per_page: 500 })).data
			.filter(({ components }) => components.length > 0)
			.map(({ queue_id, components }) => [queue_id, components.slice(0, 2)]);

	it("waits for its list, does not retain the sample, and adds only parts to its requests", async () => {
		await using queue = await openQueue();
		const list = await queueFile("ercot", rows, { publishedOn: "2026-01-31" });
		const held = {
			outcome: "quarantined",
			reason: expect.stringContaining("completes requests of the list ercot, which must be loaded first"),
		};
		expect(await queue.take("ERCOT", "2026-03-09", await plant(77))).toMatchObject(held);
		const invented = await queueFile("ercot", queueRows("ercot", { count: 40 }).slice(20), {
			publishedOn: "2025-12-31",
		});
		const sample = [{ ...invented, path: invented.name, url: sampleUrl }];
		expect(await ingestSnapshot(queue.sql, { region: "ERCOT", files: sample, asOf: null })).toMatchObject({
			outcome: "applied",
		});
		expect(await queue.take("ERCOT", "2026-03-09", await plant(77))).toMatchObject(held);
		await queue.take("ERCOT", "2026-02-01", list);
		const before = await present(queue);
		expect(before).toHaveLength(rows.length);
		expect(await queue.take("ERCOT", "2026-03-09", await plant(77))).toMatchObject({
			outcome: "applied",
			new: 0,
			disappeared: 0,
		});
		const after = await present(queue);
		const both = [
			[first, parts],
			[second, parts],
		].sort();
		expect(await partsOf(queue)).toEqual(both);
		const without = (rows: typeof after) => rows.map(({ components, ...row }) => row);
		expect(without(after)).toEqual(without(before));
		const { data } = await queue.ask("getProjectProvenance", { project_id: first, field: "components" });
		expect(data[0]).toMatchObject({
			rule: "ercot.components",
			file: "Co-located_Battery_Report_February2026.xlsx",
			row: 2,
		});

		// The next lists of both go on from there.
		const seq = await queue.lastSeq();
		await queue.take(
			"ERCOT",
			"2026-04-01",
			await queueFile("ercot", withFirst(rows, { mw: 999 }), { publishedOn: "2026-03-31" }),
		);
		expect(await partsOf(queue)).toEqual(both);
		expect(await queue.changeRows(seq)).toEqual([
			[`ERCOT-${first}`, "capacity_change", "capacity_mw", expect.anything(), "999"],
		]);
		const half = await report([second, "Owl Solar", "SOL", "PV", 1], ["29INR9999", "Owl BESS", "OTH", "BA", 2]);
		expect(await queue.take("ERCOT", "2026-04-09", half)).toMatchObject({
			outcome: "quarantined",
			reason: expect.stringContaining("rows collapsed from 2 to 1"),
		});
		await queue.take("ERCOT", "2026-04-09", half, { accept: true });
		const owl = [
			{ type_std: "Solar", capacity_mw: 1 },
			{ type_std: "Storage", capacity_mw: 2 },
		];
		expect(await partsOf(queue)).toEqual([[second, owl]]);
		expect((await queue.changeRows(seq)).slice(1).map(([id, type]) => [id, type])).toEqual(
			both.map(([number]) => [`ERCOT-${number}`, "component_change"]),
		);
		expect(await rebuildAll(queue.sql, "ERCOT", new Date())).toMatchObject({ outcome: "applied", changed: 0 });
	});
});

describe("the day of a list", () => {
	const queue = sharedQueue();

	const now = () => new Date("2026-11-20T12:00:00Z");
	const taking = (path: string, file: RawFile) => (options: Partial<IngestRequest>) =>
		ingestSnapshot(queue.sql, {
			region: "MISO",
			files: [{ ...file, name: basename(path), path }],
			asOf: null,
			now,
			...options,
		});
	const withdrawn = (day: string) => ({ number: "J100", status: "Withdrawn", withdrawn: day });

	it("is required if neither the file nor its name states it, and cannot precede its newest event", async () => {
		const file = misoCsv([...standing(), withdrawn("2025-07-31")]);
		const take = taking("/lists of 2025-11/data_2025-10/MISO - 2025 - GI Interactive Queue.csv", file);
		const reason = expect.stringContaining("give the day with --as-of, not before 2025-07-31");
		expect(await take({})).toMatchObject({ outcome: "quarantined", reason });
		// Nothing is known of its day, when it is released either.
		expect(await readQuarantined(queue.sql, "MISO")).toMatchObject({ asOf: null });
		expect(await take({ accept: true })).toMatchObject({ outcome: "quarantined", reason });
		expect(await take({ asOf: "2025-07-30T00:00:00Z" })).toMatchObject({
			outcome: "quarantined",
			reason: "miso: the list contains an event of 2025-07-31, so it is not a list of 2025-07-30",
		});
		expect(await take({ asOf: "2025-08-01T00:00:00Z" })).toMatchObject({ outcome: "applied" });
	});

	it("is not taken from a label if its events are older than those of the previous list", async () => {
		const before = misoJson([...standing(), withdrawn("2026-06-28")]);
		expect(await taking("2026-07-01/queue.json", before)({})).toMatchObject({ outcome: "applied" });
		const stale = misoJson([...standing(), { number: "J100" }, { ...withdrawn("2026-03-19"), number: "J101" }]);
		const take = taking("2026-08-19/queue.json", stale);
		const held = {
			outcome: "quarantined",
			reason:
				"miso: the newest event in the list is from 2026-03-19, but the previous list has one from 2026-06-28, so the list is older than 2026-08-19: give its day with --as-of",
		};
		expect(await take({})).toMatchObject(held);
		expect(await take({ fetchedAt: "2026-08-19T10:00:00Z" })).toMatchObject(held);
		expect(await take({ accept: true })).toMatchObject({ outcome: "applied", as_of: "2026-08-19T00:00:00Z" });
	});

	it("that was downloaded is the stated one unless it is in the future: a list a year old is not fresh", async () => {
		const list = (publishedOn: string, mw: number) =>
			queueFile("caiso", withFirst(queueRows("caiso"), { mw }), { publishedOn });
		const download = async (at: string, file: RawFile) => {
			queue.now = at;
			const result = await refreshSource(queue.sql, sourceOf("caiso"), {
				now: () => new Date(at),
				signal: new AbortController().signal,
				http: () => ({
					get: async () => ({ ...file, url: "https://www.example.com/queue", etag: null, lastModified: null }),
				}),
			});
			const { pipelines } = await queue.ask("listPipelines");
			const { status, last_success } = pipelines.find(({ pipeline }) => pipeline === "caiso") ?? {};
			return { as_of: result.as_of, outcome: result.outcome, status, last_success };
		};
		const old = await list("2025-10-31", 1);
		// A person may load an example, but the operator sends none.
		expect(await download("2026-10-20T12:00:00Z", old)).toMatchObject({ outcome: "quarantined" });
		await queue.take("CAISO", "2025-09-30", await list("2025-09-30", 0));
		const stale = { status: "STALE", last_success: "2025-10-31T00:00:00Z" };
		expect(await download("2026-10-20T12:00:00Z", old)).toEqual({
			as_of: "2025-10-31T00:00:00Z",
			outcome: "applied",
			...stale,
		});
		expect(await download("2026-10-21T12:00:00Z", old)).toMatchObject({ outcome: "unchanged", ...stale });
		expect(await download("2026-10-22T03:00:00Z", await list("2026-10-21", 2))).toMatchObject({
			as_of: "2026-10-21T00:00:00Z",
			status: "FRESH",
		});
		expect(await download("2026-10-23T12:00:00Z", await list("2026-10-24", 3))).toMatchObject({
			as_of: "2026-10-23T12:00:00Z",
		});
	});
});

const cases = resolve(realData, "../data_2026-11/cases");
describe.skipIf(!existsSync(cases))("real files without a day", () => {
	it.each([
		["miso", "MISO - 2025 - GI Interactive Queue.csv", "2025-07-31"],
		["pjm-serial", "PJMActiveProjects-2025.xlsx", "2025-05-01"],
		["pjm-cycle", "PJMCycleProjects-2025.xlsx", "2025-04-29"],
		// Its name has the day when it was saved without the line that states its own.
		["isone", "ISONE_Que-no-preamble-2025-05-11.xlsx", "2025-03-26"],
	])("%s: %s is held back, with the day of its newest event", async (feed, name, newest) => {
		const path = join(cases, name);
		const bytes = readFileSync(path);
		await expect(parseFile({ feed, name, path, bytes, asOf: null })).rejects.toThrow(`not before ${newest}`);
	});

	it("a hand-written workbook is dated by its save date", async () => {
		const path = join(cases, "cluster-15-interconnection-requests-2026-01.xlsx");
		const file = { feed: "caiso-cluster-15", name: basename(path), path, bytes: readFileSync(path), asOf: null };
		expect((await parseFile(file)).asOf).toBe("2025-12-16T00:00:00.000Z");
	});
});

it("a migration that changed after it was applied stops the next one", async () => {
	await using queue = await openQueue();
	await queue.sql`update migrations set sha256 = 'another' where name = '0003_queues.sql'`;
	await expect(migrate(queue.url)).rejects.toThrow("0003_queues.sql was changed after it was applied");
});
