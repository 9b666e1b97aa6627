import { describe, expect, it } from "vitest";
import type { Reply } from "#libs/contract/index.ts";
import { type IntegrityFinding, integrityFindings } from "#libs/contract/vocabulary.ts";
import { isDue, refreshSource } from "../../services/queue-ingest/queues/jobs/refresh-source.ts";
import { pjmSerial } from "../../services/queue-ingest/queues/sources/pjm/serial.ts";
import type { DownloadedFile } from "../../services/queue-ingest/sources/source.ts";
import { csvOf, cycleExample, rowsOf, serialExample } from "../support/pjm-files.ts";
import { type MisoRow, misoJson } from "./support/miso.ts";
import { openQueue, type Queue } from "./support/queue.ts";
import { sharedQueue } from "./support/shared-queue.ts";

const old = { negotiated: "2021-06-01" };
const rows: MisoRow[] = [
	{ number: "J101", ...old, poi: "Panther 230kV" },
	{ number: "J102", ...old, summer: 90 },
	{ number: "J103", negotiated: "2023-03-02" },
	{ number: "J104", status: "Withdrawn", withdrawn: "2022-01-05", ...old },
	{ number: "J105", status: "Done", after: "In Service", ...old },
	{ number: "J106", county: "", state: "", poi: "", queued: "", inService: "" },
];

describe("the integrity of the queue", () => {
	const queue: Queue = sharedQueue(async () => {
		await queue.take("MISO", "2023-12-01", misoJson(rows));
		// J102 moves within the last two years.
		await queue.take(
			"MISO",
			"2024-06-01",
			misoJson(rows.map((row) => (row.number === "J102" ? { ...row, summer: 91 } : row))),
		);
		queue.now = "2026-03-01T06:00:00Z";
	});

	it("counts the requests of each region, and the share with each field", async () => {
		const { snapshot, has_baseline } = await queue.ask("getQueueIntegrity");
		expect(has_baseline).toBe(true);
		expect(snapshot).toMatchObject({ generated_at: "2026-03-01T06:00:00Z", permits: {} });
		expect(snapshot.regions).toEqual({
			MISO: {
				total: 6,
				active: 4,
				operational: 1,
				last_change: "2024-06-01T06:00:00Z",
				energized: 1,
				coverage: { developer: 0, queue_date: 83.3, cod: 83.3, county: 83.3, parent: 0, poi_substation: 83.3 },
			},
		});
	});

	it("counts permits by operator and kind if a list states their day", async () => {
		await queue.sql`update projects set raw = raw || '{"Air Permit": "2024-05-01", "GHG Permit": "Not Required"}' where id = 'MISO-J101'`;
		await queue.sql`update projects set raw = raw || '{"Air Permit": "2024-02-03"}', listed = 'missing' where id = 'MISO-J102'`;
		const { snapshot } = await queue.ask("getQueueIntegrity");
		expect(snapshot.permits).toEqual({ "MISO air": { permits: 2, matched: 1, last: "2024-05-01T00:00:00Z" } });
		await queue.sql`update projects set raw = raw - 'Air Permit' - 'GHG Permit', listed = 'listed'`;
	});

	it("lists requests that are active, three years late and unchanged for two", async () => {
		const { snapshot } = await queue.ask("getQueueIntegrity");
		// J102 changed lately, J103 is two years and 364 days late, J104 and J105 are finished.
		expect(snapshot.zombies).toEqual([
			{
				id: "MISO-J101",
				region: "MISO",
				name: "Panther 230kV",
				cod: "2021-06-01",
				capacity_mw: 150,
				last_changed_at: "2023-12-01T06:00:00Z",
			},
		]);
	});

	it("pages them by number or by cursor, with everything else on each page", async () => {
		await using other = await openQueue();
		const many = Array.from(
			{ length: 7 },
			(_, at): MisoRow => ({ number: `J30${at}`, negotiated: `2019-0${9 - at}-01` }),
		);
		await other.take("MISO", "2023-12-01", misoJson(many));
		other.now = "2026-03-01T06:00:00Z";
		const byNumber = await Promise.all(
			[1, 2, 3, 4].map((page) => other.ask("getQueueIntegrity", { page, per_page: 3 })),
		);
		expect(byNumber.map(({ meta }) => meta)).toEqual(
			[1, 2, 3, 4].map((page) => ({ total: 7, page, per_page: 3, pages: 3 })),
		);
		const pages = byNumber.map(({ snapshot }) => snapshot.zombies.map(({ id }) => id));
		expect(pages).toEqual([
			["MISO-J306", "MISO-J305", "MISO-J304"],
			["MISO-J303", "MISO-J302", "MISO-J301"],
			["MISO-J300"],
			[],
		]);
		for (const { snapshot, alerts } of byNumber)
			expect({ ...snapshot, alerts, zombies: [] }).toEqual({
				...byNumber[0]?.snapshot,
				alerts: byNumber[0]?.alerts,
				zombies: [],
			});
		const read: string[][] = [];
		for (let cursor: string | null = "*"; cursor !== null; ) {
			const { snapshot, meta }: Reply<"getQueueIntegrity"> = await other.ask("getQueueIntegrity", {
				cursor,
				per_page: 3,
			});
			read.push(snapshot.zombies.map(({ id }) => id));
			cursor = meta.next_cursor ?? null;
		}
		expect(read).toEqual(pages.slice(0, 3));
	});

	it("lists contradictory filings in the newest lists, and counts them by operator", async () => {
		await using other = await openQueue();
		const filed: MisoRow[] = [
			{ number: "J401", queued: "2020-05-02", negotiated: "2020-05-02" },
			{ number: "J402", queued: "2020-05-02", negotiated: "2020-05-01" },
			{ number: "J403", queued: "2020-05-02", negotiated: "1980-12-31" },
			{ number: "J404", queued: "2020-05-02", negotiated: "2046-03-02" },
			{ number: "J405", queued: "2020-05-02", negotiated: "2046-03-01" },
			{ number: "J406", queued: "2026-03-02", negotiated: "2030-01-01" },
			{ number: "J407", status: "Withdrawn", withdrawn: "2031-01-05" },
			{ number: "J408", status: "Done", after: "In Service" },
			{ number: "J409", queued: "", negotiated: "", inService: "" },
			{ number: "J410", queued: "2020-05-02", negotiated: "1981-12-31" },
			...Array.from({ length: 12 }, (_, at): MisoRow => ({ number: `J5${10 + at}` })),
		];
		await other.take("MISO", "2026-02-01", misoJson(filed));
		await other.take("MISO", "2026-03-01", misoJson(filed.filter(({ number }) => number !== "J410")));
		const expected = {
			zombies: ["MISO-J402", "MISO-J403"],
			cod_before_queue_date: ["MISO-J402", "MISO-J403"],
			implausible_date: ["MISO-J403", "MISO-J404", "MISO-J406", "MISO-J407"],
			operational_without_date: ["MISO-J408"],
		};
		other.now = "2026-03-01T06:00:00Z";
		const idsOf = async (finding: IntegrityFinding, params: { region?: "MISO" | "PJM" } = {}) =>
			(await other.ask("listIntegrityFindings", { finding, ...params })).data.map(({ id }) => id);
		// All requests changed lately.
		expect(await idsOf("zombies")).toEqual([]);
		await other.sql`update projects set last_changed_at = '2024-02-01' where id in ('MISO-J402', 'MISO-J403', 'MISO-J410')`;
		for (const finding of integrityFindings) {
			expect([finding, await idsOf(finding)]).toEqual([finding, expected[finding]]);
			expect(await idsOf(finding, { region: "MISO" })).toEqual(expected[finding]);
			expect(await idsOf(finding, { region: "PJM" })).toEqual([]);
		}
		const { snapshot } = await other.ask("getQueueIntegrity");
		expect(snapshot.findings).toEqual(
			Object.fromEntries(
				integrityFindings.map((finding) => {
					const total = expected[finding].length;
					return [finding, { total, by_region: { MISO: total } }];
				}),
			),
		);
		const { data, meta } = await other.ask("listIntegrityFindings", {
			finding: "implausible_date",
			page: 2,
			per_page: 3,
		});
		expect(meta).toEqual({ total: 4, page: 2, per_page: 3, pages: 2 });
		expect(data).toMatchObject([{ id: "MISO-J407", status_std: "Withdrawn", withdrawn_date: "2031-01-05" }]);
	});

	it("names the lists that are too old or were never loaded", async () => {
		const { snapshot } = await queue.ask("getQueueIntegrity");
		const sources =
			"caiso caiso-cluster-15 ercot ercot-batteries isone miso nyiso pjm-cycle pjm-serial spp spp-summary";
		expect(snapshot.stale_sources).toEqual(sources.split(" "));
	});
});

describe("a pipeline", () => {
	const queue = sharedQueue();

	const pipeline = async (name: string) =>
		(await queue.ask("listPipelines")).pipelines.find((row) => row.pipeline === name);

	it("is NEVER before its first list, and exists for every list except the baseline", async () => {
		expect(await queue.ask("getQueueIntegrity")).toMatchObject({
			snapshot: { regions: {}, zombies: [], findings: { zombies: { total: 0, by_region: {} } } },
			meta: { total: 0, pages: 0 },
			alerts: [],
			has_baseline: false,
		});
		const { pipelines } = await queue.ask("listPipelines");
		expect(pipelines.every((row) => row.status === "NEVER")).toBe(true);
		// After these come the programmes and the related datasets.
		expect(pipelines.slice(0, 17).map((row) => `${row.pipeline} ${row.max_age_hours}`)).toEqual([
			...["pjm-cycle 48", "pjm-serial 48", "miso 48", "ercot 840", "ercot-batteries 1080", "caiso 48"],
			...["caiso-cluster-15 1080", "nyiso 840", "spp 48", "spp-summary 48", "isone 48", "duke-active 9600"],
			...["soco-active 9600", "tva-active 9600", "bpa-line-load 9600", "lbnl 9600", "eia860 9600"],
		]);
		expect(pipelines[0]).toEqual({
			pipeline: "pjm-cycle",
			last_success: null,
			age_hours: null,
			max_age_hours: 48,
			status: "NEVER",
			state: "ok",
		});
	});

	it("is FRESH up to its maximum age and STALE beyond it", async () => {
		await queue.take("MISO", "2026-03-01T00:00:00Z", misoJson(rows));
		queue.now = "2026-03-03T00:00:00Z";
		expect(await pipeline("miso")).toMatchObject({ age_hours: 48, status: "FRESH", state: "ok" });
		queue.now = "2026-03-03T00:36:00Z";
		expect(await pipeline("miso")).toMatchObject({ age_hours: 48.6, status: "STALE", state: "ok" });
	});

	it("that fails raises an alert for each reason, the newest first, until the next list is accepted", async () => {
		const page = { name: "getprojects", bytes: Buffer.from("<!DOCTYPE html><title>Just a moment...</title>") };
		const empty = { name: "getprojects", bytes: Buffer.alloc(0) };
		await queue.take("MISO", "2026-03-04", page);
		await queue.take("MISO", "2026-03-05", page);
		await queue.take("MISO", "2026-03-06", empty);
		const { alerts } = await queue.ask("getQueueIntegrity");
		expect(alerts.map(({ region, level, reason, as_of }) => ({ region, level, reason, as_of }))).toEqual([
			{
				region: "MISO",
				level: "quarantined",
				reason: "getprojects: not recognized as a file of MISO (it is empty)",
				as_of: "2026-03-06T06:00:00Z",
			},
			{
				region: "MISO",
				level: "quarantined",
				reason: "getprojects: not recognized as a file of MISO (it is an HTML page)",
				as_of: "2026-03-05T06:00:00Z",
			},
		]);
		await queue.take("MISO", "2026-03-07", misoJson([...rows, { number: "J107" }]));
		expect((await queue.ask("getQueueIntegrity")).alerts).toEqual([]);
	});

	it("is failing, unchanged, paused or ok by its last attempt, whatever its age", async () => {
		const list = misoJson([...rows, { number: "J107" }]);
		await queue.take("MISO", "2026-03-08T00:00:00Z", list);
		await queue.take("MISO", "2026-03-08T01:00:00Z", { name: "x.json", bytes: Buffer.from("<html>") });
		expect(await pipeline("miso")).toMatchObject({
			last_success: "2026-03-08T00:00:00Z",
			age_hours: 1,
			status: "FRESH",
			state: "failing",
		});
		await queue.take("MISO", "2026-03-08T02:00:00Z", list);
		expect(await pipeline("miso")).toMatchObject({ last_success: "2026-03-08T02:00:00Z", state: "unchanged" });
		await queue.sql`update feeds set paused = true where feed = 'miso'`;
		expect(await pipeline("miso")).toMatchObject({ status: "FRESH", state: "paused" });
	});

	it("that downloads another file fails alone: PJM's serial list, not its cycle list", async () => {
		await queue.take("PJM", "2026-03-09T00:00:00Z", csvOf(rowsOf(cycleExample, [{ "Project ID": "AG2-001" }])));
		await queue.take("PJM", "2026-03-09T00:10:00Z", csvOf(rowsOf(serialExample, [{ "Project ID": "AB2-901" }])));
		queue.now = "2026-03-10T00:00:00Z";
		const page: DownloadedFile = {
			name: "PlanningQueues.xml",
			bytes: Buffer.from("<html><body>Access denied</body></html>"),
			url: "https://www.pjm.com/",
			etag: null,
			lastModified: null,
		};
		const result = await refreshSource(queue.sql, pjmSerial, {
			now: () => new Date(queue.now),
			signal: new AbortController().signal,
			http: () => ({ get: async () => page }),
		});
		expect(result).toMatchObject({ region: "PJM", outcome: "quarantined", withdrawn: 0, disappeared: 0 });
		expect(await pipeline("pjm-serial")).toMatchObject({
			state: "failing",
			last_success: "2026-03-09T00:10:00Z",
		});
		expect(await pipeline("pjm-cycle")).toMatchObject({ state: "ok" });
		const dueAt = (at: string) => isDue(queue.sql, pjmSerial, new Date(at));
		expect(await dueAt("2026-03-10T00:30:00Z")).toBe(false);
		expect(await dueAt("2026-03-10T01:30:00Z")).toBe(true);
		// The clock that wrote it was a day ahead.
		expect(await dueAt("2026-03-09T00:30:00Z")).toBe(true);
		await queue.take(
			"PJM",
			"2026-03-10T00:05:00Z",
			csvOf(rowsOf(cycleExample, [{ "Project ID": "AG2-001", Stage: "PHASE 3" }])),
		);
		expect((await queue.ask("getQueueIntegrity")).alerts).toMatchObject([{ feed: "pjm-serial", level: "quarantined" }]);
	});
});

describe("the status of sources", () => {
	it("contains the number of records, records missing from the last list, the time of the last poll, and the sizes of databases", async () => {
		await using queue = await openQueue();
		const list = Array.from({ length: 20 }, (_, at): MisoRow => ({ number: `J2${10 + at}` }));
		await queue.take("MISO", "2026-03-01", misoJson(list));
		await queue.take("MISO", "2026-03-02", misoJson(list.slice(1)));
		await queue.take("MISO", "2026-03-03", misoJson(list.slice(1)));
		const { sources } = await queue.ask("listSources");
		expect(new Set(sources.map(({ database }) => database))).toEqual(
			new Set(["master", "grid", "dg", "datacenter", "market", "developer"]),
		);
		expect(sources.find((row) => row.source === "miso")).toEqual({
			database: "master",
			source: "miso",
			records: 20,
			last_checked: "2026-03-03T06:00:00Z",
			last_changed: "2026-03-02T06:00:00Z",
			unchecked_records: 1,
		});
		expect(sources.find((row) => row.source === "spp")).toEqual({
			database: "master",
			source: "spp",
			records: 0,
			last_checked: null,
			last_changed: null,
			unchecked_records: 0,
		});

		const { databases } = await queue.ask("describeDatabases");
		const [version] = await queue.sql`select iso(raised_at) as at from data_version`;
		expect(databases.slice(0, 2)).toEqual([
			{ name: "master", row_count: 20, size_mb: expect.any(Number), last_modified: version?.at },
			{ name: "developer", row_count: 229, size_mb: expect.any(Number), last_modified: expect.any(String) },
		]);
		expect(databases.slice(2)).toEqual(
			["grid", "dg", "datacenter", "market"].map((name) => ({
				...{ name, row_count: 0, size_mb: expect.any(Number), last_modified: null },
			})),
		);
		expect(databases[0]?.size_mb).toBeGreaterThan(0.1);
	});
});
