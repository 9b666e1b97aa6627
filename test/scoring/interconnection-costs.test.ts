import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { type Library, openLibrary, request } from "./support/references.ts";

let library: Library;
beforeAll(async () => {
	library = await openLibrary();
});
afterAll(() => library[Symbol.asyncDispose]());
beforeEach(() => library.clear());

const costs = () => library.sql`
	select project_id, cost_usd_per_kw, as_of, source from interconnection_costs order by project_id`;

describe("interconnection costs", () => {
	const filed = (name: string, ...rows: string[]) =>
		library.file(name, `region,queue_id,cost_usd_per_kw,as_of,source\n${rows.join("\n")}\n`);
	const queued = async () => [
		(await library.sql`select project_id from project_recompute_queue order by 1`).map((row) => row.project_id),
		(await library.sql`select developer_id from developer_recompute_queue order by 1`).map((row) => row.developer_id),
	];

	it("belong to requests however their numbers are written, and enqueue only these and their developers", async () => {
		await request(library.sql, "PJM-AE1-001", { queueId: "AE1-001", developer: 7 });
		await request(library.sql, "NYISO-0517", { queueId: "0517", region: "NYISO" });
		await request(library.sql, "PJM-0517", { queueId: "0517", developer: 8 });
		const before = await library.version();
		const [report] = await library.load(
			"ic-costs",
			await filed(
				"costs.csv",
				"pjm,ae1_001 ,250,2026-03-01,TC1",
				"NYISO,517,86.5,,",
				"SPP,GEN-1,10,,",
				"PJM,AE1-001,-1,,",
			),
		);
		expect(report).toMatchObject({ outcome: "applied", rows_in: 4, stored: 3 });
		expect(report?.dropped).toMatchObject([{ reason: "the cost is negative", count: 1 }]);
		expect(report?.notes).toEqual(["1 names no request that is known yet: SPP-GEN-1"]);
		expect(await costs()).toEqual([
			{ project_id: "NYISO-0517", cost_usd_per_kw: 86.5, as_of: null, source: null },
			{ project_id: "PJM-AE1-001", cost_usd_per_kw: 250, as_of: "2026-03-01", source: "TC1" },
		]);
		expect(await queued()).toEqual([["NYISO-0517", "PJM-AE1-001"], [7]]);
		expect(await library.version()).toBe(before);
	});

	it("match the id of their request in any case, before it is known and after", async () => {
		await request(library.sql, "ERCOT-21INR0401", { queueId: "21INR0401", region: "ERCOT" });
		await request(library.sql, "PJM-AE1-001~2", { queueId: "AE1-001" });
		const path = await library.file(
			"ids.csv",
			"project_id,cost_usd_per_kw\nercot-21inr0401,90\npjm-ae1-001~2,80\nmiso-j1234,70\nNYISO-0517,60\n",
		);
		const [report] = await library.load("ic-costs", path);
		expect(report).toMatchObject({ stored: 4, dropped: [] });
		expect(report?.notes).toEqual(["2 name no request that is known yet: MISO-J1234, NYISO-517"]);
		await request(library.sql, "MISO-J1234", { queueId: "J1234", region: "MISO" });
		await request(library.sql, "NYISO-0517", { queueId: "0517", region: "NYISO" });
		expect((await costs()).map(({ project_id, cost_usd_per_kw }) => [project_id, cost_usd_per_kw])).toEqual([
			["ERCOT-21INR0401", 90],
			["MISO-J1234", 70],
			["NYISO-0517", 60],
			["PJM-AE1-001~2", 80],
		]);
	});

	it("without a known request are counted, and the first few are named", async () => {
		const rows = Array.from({ length: 7 }, (_, at) => `PJM,AE1-00${at},100,,`);
		const [report] = await library.load("ic-costs", await filed("costs.csv", ...rows));
		expect(report?.notes).toEqual([
			"7 name no request that is known yet: PJM-AE1-000, PJM-AE1-001, PJM-AE1-002, PJM-AE1-003, PJM-AE1-004, ...",
		]);
	});

	it("in a file without rows are refused", async () => {
		expect(await library.load("ic-costs", await filed("none.csv"))).toMatchObject([
			{ outcome: "refused", reason: expect.stringContaining("has no row") },
		]);
	});

	it("of the newest day are used in any order of loading, and an unchanged cost enqueues nothing", async () => {
		await request(library.sql, "PJM-AE1-001", { queueId: "AE1-001" });
		await library.load("ic-costs", await filed("new.csv", "PJM,AE1-001,300,2026-05-01,"));
		await library.sql`delete from project_recompute_queue`;
		await library.load("ic-costs", await filed("old.csv", "PJM,AE1-001,100,2025-05-01,"));
		await library.load("ic-costs", await filed("undated.csv", "PJM,AE1-001,50,,"));
		await library.load(
			"ic-costs",
			await library.file("same.csv", "project_id,cost_usd_per_kw,as_of\nPJM-AE1-001,299,2026-04-30\n"),
		);
		expect(await costs()).toMatchObject([{ cost_usd_per_kw: 300, as_of: "2026-05-01" }]);
		expect(await queued()).toEqual([[], []]);
		library.now = "2026-11-21T12:00:00Z";
		await library.load("ic-costs", await filed("mended.csv", "PJM,AE1-001,310,2026-05-01,"));
		expect(await costs()).toMatchObject([{ cost_usd_per_kw: 310 }]);
		expect(await queued()).toEqual([["PJM-AE1-001"], []]);
	});

	it("stated twice for one request and day are the higher one, and the other is reported as dropped", async () => {
		await request(library.sql, "PJM-AE1-001", { queueId: "AE1-001" });
		const rows = ["PJM,AE1-001,100,2026-05-01,", "PJM,AE1 001,120,2026-05-01,", "PJM,AE1-001,110,2026-05-01,"];
		const [report] = await library.load("ic-costs", await filed("costs.csv", ...rows));
		expect(report).toMatchObject({ rows_in: 3, stored: 1, dropped: [{ count: 2 }] });
		expect(await costs()).toMatchObject([{ cost_usd_per_kw: 120 }]);
	});

	it("loaded before their request apply once it is published, and are deleted with it", async () => {
		await library.load("ic-costs", await filed("costs.csv", "PJM,AE1-001,250,,"));
		expect(await costs()).toEqual([]);
		await request(library.sql, "PJM-AE1-001", { queueId: "AE1-001" });
		await request(library.sql, "PJM-AE1-002", { queueId: "AE1-002" });
		expect(await costs()).toMatchObject([{ project_id: "PJM-AE1-001", cost_usd_per_kw: 250 }]);
		await library.sql`delete from projects where project_id = 'PJM-AE1-001'`;
		expect(await costs()).toEqual([]);
		await request(library.sql, "PJM-AE1-001", { queueId: "AE1-001" });
		expect(await costs()).toMatchObject([{ project_id: "PJM-AE1-001", cost_usd_per_kw: 250 }]);
	});

	it("loaded while their request is being published apply to it, whichever commits first", async () => {
		const path = await filed("costs.csv", "PJM,AE1-001,250,,");
		let loading: ReturnType<Library["load"]> | undefined;
		await library.sql.begin(async (tx) => {
			await request(tx, "PJM-AE1-001", { queueId: "AE1-001" });
			loading = library.load("ic-costs", path);
			await eventually(async () => {
				const waiting = await library.sql`select from pg_locks where locktype = 'advisory' and not granted`;
				return waiting.count === 1;
			});
		});
		expect(await loading).toMatchObject([{ outcome: "applied" }]);
		expect(await costs()).toMatchObject([{ cost_usd_per_kw: 250 }]);
		expect(await queued()).toEqual([["PJM-AE1-001"], []]);
	});

	it("loaded a second time are reported as loaded already", async () => {
		const path = await filed("costs.csv", "PJM,AE1-001,250,,");
		await library.load("ic-costs", path);
		expect(await library.load("ic-costs", path)).toMatchObject([{ outcome: "unchanged", stored: 0, known: 1 }]);
	});
});
