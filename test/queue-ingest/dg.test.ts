/** Distributed generation: what the files say is what `/dg` and `/dg/stats` answer, and nothing is counted twice. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DatasetsReport, loadDatasets } from "../../services/queue-ingest/datasets/load-datasets.ts";
import { rebuildAll } from "../../services/queue-ingest/queues/jobs/late-lists.ts";
import type { IncomingFile } from "../../services/queue-ingest/sources/archive.ts";
import { county, netMeteringFile, nyserdaFile, ohioFile, place, type Utility } from "./support/dg.ts";
import { openQueue, type Queue } from "./support/queue.ts";

let queue: Queue;
/** Each group of tests has its own database, with these files. */
const withFiles = (files: () => Promise<IncomingFile[]>) => {
	const loaded: { report?: DatasetsReport } = {};
	beforeAll(async () => {
		queue = await openQueue();
		loaded.report = await take(...(await files()));
	});
	afterAll(() => queue[Symbol.asyncDispose]());
	return loaded;
};

const take = (...files: IncomingFile[]) =>
	loadDatasets(queue.sql, "dg", files, { now: () => new Date("2026-01-01T00:00:00Z") });
const utilities: Utility[] = [
	{ state: "CA", id: 1, name: "Golden Light", homes: [10.5, 900], shops: [4, 30], storage: 0.5, wind: 0.25 },
	{ state: "CA", id: 2, name: "Silver Light", basis: "DC", homes: [2, 100], virtual: 1.5 },
	{ state: "CA", id: 99999, name: "Adjustment 2018", basis: null, homes: [-0.2] },
	{ state: "NV", id: 1, name: "Golden Light", shops: [3, 12] },
	{ state: "NV", id: 3, name: "Dim Light" },
];

describe("net metering", () => {
	const loaded = withFiles(async () => [
		await netMeteringFile(2018, utilities, { thirdParties: [{ state: "CA", id: 7, homes: [5, 40] }] }),
	]);

	it("is a record for each utility, state, technology and sector with installations", async () => {
		const { data } = await queue.ask("listDg");
		expect(data.map(({ id, capacity_mw, customers }) => [id, capacity_mw, customers])).toEqual([
			["EIA861-NM-2018-CA-1-BA-photovoltaic-commercial", 4, 30],
			["EIA861-NM-2018-CA-1-BA-photovoltaic-residential", 10.5, 900],
			["EIA861-NM-2018-CA-1-BA-photovoltaic-storage-residential", 0.5, 1],
			["EIA861-NM-2018-CA-1-BA-wind-residential", 0.25, null],
			["EIA861-NM-2018-CA-2-BA-photovoltaic-residential", 2, 100],
			["EIA861-NM-2018-CA-2-BA-photovoltaic-virtual-commercial", 1.5, null],
			["EIA861-NM-2018-CA-99999-BA-photovoltaic-residential", -0.2, null],
			["EIA861-NM-2018-NV-1-BA-photovoltaic-commercial", 3, 12],
		]);
		expect(data[1]).toMatchObject({
			...{
				kind: "utility_total",
				source: "eia861-net-metering",
				edition: "2018",
				program: "net_metering",
				state: "CA",
			},
			...{ utility_id: 1, utility: "Golden Light", technology: "Solar", sector: "residential", capacity_basis: "AC" },
			...{ adjustment: false, in_totals: true, year: 2018 },
		});
		expect(data[6]).toMatchObject({ adjustment: true, capacity_basis: null });
	});

	it("sums to the file's total of all technologies, with storage separate and its customers counted once", async () => {
		const { data } = await queue.ask("getDgStats");
		expect(data).toMatchObject({
			...{ source: "eia861-net-metering", edition: "2018", unit: "MW", counts: "existing" },
			...{ capacity_mw: 21.05, storage_mw: 0.5, customers: 1042 },
		});
		expect(data.by_state.map((row) => [row.state, row.capacity_mw])).toEqual([
			["CA", 18.05],
			["NV", 3],
		]);
		expect(data.by_program.map((row) => [row.program, row.capacity_mw])).toEqual([
			["net_metering", 19.55],
			["virtual_net_metering", 1.5],
		]);
		expect(data.by_technology.map((row) => [row.technology, row.capacity_mw, row.storage_mw, row.customers])).toEqual([
			["Solar", 20.8, 0, 1042],
			["Storage", 0, 0.5, 1],
			["Wind", 0.25, 0, 0],
		]);
	});

	it("accounts for every row: rows of third parties and empty utilities are omitted and counted", () => {
		const [file] = loaded.report?.files ?? [];
		expect(file).toMatchObject({ outcome: "applied", rows_in: 6, rows_stored: 8, edition: "2018" });
		expect(file?.reported.map(({ reason, count }) => [reason, count])).toEqual([
			["nothing above zero", 1],
			["owned by third parties, and in the utilities' rows", 1],
		]);
	});

	it("is read by column headings, also with further columns between them", async () => {
		const wider = await netMeteringFile(2018, utilities, { extra: ["Short Form", "Ownership"] });
		expect(await take(wider)).toMatchObject({ outcome: "applied" });
		expect((await queue.ask("getDgStats")).data).toMatchObject({ capacity_mw: 21.05, storage_mw: 0.5 });
	});

	it("whose sectors do not add up to their totals is held back", async () => {
		const wrong = utilities.map((utility) => (utility.homes ? { ...utility, total: 77 } : utility));
		const { outcome, reason } = await take(await netMeteringFile(2018, wrong));
		expect(outcome).toBe("quarantined");
		expect(reason).toContain("the sectors of 3 rows do not add up to their totals");
	});

	it("of two years is stored separately, and the figures are those of the newest", async () => {
		const grown = utilities.map((utility) =>
			utility.homes ? { ...utility, homes: [20, 50] as [number, number] } : utility,
		);
		await take(await netMeteringFile(2019, grown));
		const newest = (await queue.ask("getDgStats")).data;
		expect([newest.edition, newest.capacity_mw]).toEqual(["2019", 68.75]);
		expect(newest.by_year.map((row) => [row.year, row.capacity_mw])).toEqual([
			[2018, 21.05],
			[2019, 68.75],
		]);
		expect((await queue.ask("getDgStats", { year: "2018" })).data).toMatchObject({
			edition: "2018",
			capacity_mw: 21.05,
		});
		expect((await queue.ask("getDgStats", { year: "2017" })).data).toMatchObject({ edition: null, records: 0 });
	});
});

describe("areas of Ohio", () => {
	const areas = [
		{ ...county, year: 2023, facilities: 2, kw: 12.5 },
		{ ...county, year: 2024, facilities: 3, kw: 30 },
		{ ...county, year: 2024, fuel: "Natural Gas/Propane", facilities: 1, kw: 248 },
		{ ...place, year: 2024, facilities: 3, kw: 30 },
		{ ...county, year: 2022, facilities: 0, kw: 0 },
	];

	const loaded = withFiles(async () => [ohioFile(areas)]);

	it("are counted in kilowatts, as additions per year", async () => {
		expect(loaded.report?.files[0]).toMatchObject({ outcome: "applied", rows_in: 7, rows_stored: 4 });
		const { data } = await queue.ask("listDg", { technology: "gas" });
		expect(data).toMatchObject([
			{
				...{ kind: "area_total", state: "OH", county: "Delaware", fips: "39041", area_type: "county", year: 2024 },
				...{ capacity_mw: 0.248, capacity_kw: 248, facilities: 1, technology_filed: "Natural Gas/Propane" },
			},
		]);
	});

	it("that lie in other areas are listed but not summed", async () => {
		expect((await queue.ask("listDg", { area_type: "place" })).data).toMatchObject([
			{ area: "Brice", in_totals: false },
		]);
		const { data } = await queue.ask("getDgStats", { source: "puco-ohio-der" });
		expect(data).toMatchObject({ counts: "added", capacity_mw: 0.2905, facilities: 6 });
		expect(data.by_year.map((row) => [row.year, row.facilities])).toEqual([
			[2023, 2],
			[2024, 4],
		]);
		expect((await queue.ask("getDgStats", { source: "puco-ohio-der", year: "2023" })).data).toMatchObject({
			facilities: 2,
		});
	});
});

describe("/dg", () => {
	withFiles(async () => [
		await netMeteringFile(2018, utilities),
		ohioFile([
			{ ...county, facilities: 3, kw: 30 },
			{ ...place, facilities: 1, kw: 10 },
		]),
		await nyserdaFile([{ id: 87 }, { id: 104, kw: 1500 }]),
	]);

	it.each([
		[{}, 12],
		[{ source: "eia861-net-metering" }, 8],
		[{ kind: "installation" }, 2],
		[{ state: "nv" }, 1],
		[{ technology: "pv" }, 10],
		[{ sector: "commercial" }, 3],
		[{ program: "virtual_net_metering" }, 1],
		[{ utility: "silver" }, 2],
		[{ year: "2019" }, 2],
		[{ capacity_min: "3" }, 3],
		[{ area_type: "county" }, 1],
		[{ in_totals: "false" }, 1],
		[{ in_totals: "true", source: "puco-ohio-der" }, 1],
	])("%o returns %i records", async (filters, total) => {
		const { data, meta } = await queue.ask("listDg", filters as object);
		expect([meta.total, data.length]).toEqual([total, total]);
	});

	it("is paged in a total order", async () => {
		const ids = [];
		for (const page of ["1", "2", "3"]) {
			const { data, meta } = await queue.ask("listDg", { page, per_page: "4" });
			ids.push(...data.map((row) => row.id));
			expect(meta).toEqual({ total: 12, page: Number(page), per_page: 4, pages: 3 });
		}
		expect(new Set(ids).size).toBe(12);
	});

	it.each(["capacity_mw", "year", "state", "id"] as const)(
		"is sorted by %s, unknown values last, either way",
		async (sort) => {
			await queue.sql`update dg_records set capacity_mw = null where id = 'EIA861-NM-2018-NV-1-BA-photovoltaic-commercial'`;
			const listed = async (order: "asc" | "desc") => {
				const { data } = await queue.ask("listDg", { sort, order });
				return data.map((row) => ({ id: row.id, value: row[sort] }));
			};
			const up = await listed("asc");
			const by = (sign: 1 | -1) => (a: (typeof up)[number], b: (typeof up)[number]) => {
				if (a.value === null || b.value === null)
					return Number(a.value === null) - Number(b.value === null) || (a.id < b.id ? -1 : 1);
				if (a.value === b.value) return a.id < b.id ? -1 : 1;
				return a.value < b.value ? -sign : sign;
			};
			expect(up).toHaveLength(12);
			expect(up).toEqual(up.toSorted(by(1)));
			expect(await listed("desc")).toEqual(up.toSorted(by(-1)));
			expect(new Set(up.map(({ value }) => value)).size).toBeGreaterThan(1);
		},
	);

	it("is ordered by id by default", async () => {
		const sorted = await queue.ask("listDg", { sort: "id", order: "asc" });
		expect((await queue.ask("listDg")).data).toEqual(sorted.data);
	});
});

describe("installations of a programme", () => {
	withFiles(async () => [await nyserdaFile([{ id: 87 }, { id: 104, kw: 1500, technology: "Solar PV", zip: "10451" }])]);

	it("are projects of kind distribution: in population=all, never in the transmission queue", async () => {
		expect((await queue.ask("listProjects", {})).meta.total).toBe(0);
		const { data } = await queue.ask("listProjects", { population: "all" });
		expect(data).toMatchObject([
			{
				...{
					id: "DG-NYSERDA-104",
					region: "NYISO",
					kind: "distribution",
					capacity_mw: 1.5,
					state: "NY",
					county: "Bronx",
				},
				...{ status_std: "Operational", type_std: "Solar", developer: "Sunny Roofs LLC", developer_id: null },
			},
			{ id: "DG-NYSERDA-87", capacity_mw: 0.261184, county: "Queens", feed: "nyserda-der" },
		]);
		expect((await queue.ask("getStats", {})).data.total_projects).toBe(0);
		expect((await queue.ask("getStats", { population: "all" })).data).toMatchObject({
			total_projects: 2,
			by_iso: [{ iso: "NYISO", count: 2, total_mw: 1.761 }],
		});
	});

	it("count neither in the totals of their operator nor in those of developers", async () => {
		expect((await queue.ask("getQueueIntegrity")).snapshot.regions).toEqual({});
		expect((await queue.ask("getDeveloperStats")).by_tier.every((tier) => tier.total_capacity_mw === 0)).toBe(true);
		expect((await queue.ask("listDevelopers", { q: "Sunny Roofs" })).meta.total).toBe(0);
		expect((await queue.ask("search", { q: "Roof 87" })).results).toEqual([]);
	});

	it.each(["DG-NYSERDA-87", "dg-nyserda-87", "NYSERDA-87"])("are found as %s", async (project_id) => {
		const found = await queue.ask("getProject", { project_id });
		// The list states no status.
		expect(found).toMatchObject({ status: null, status_std: "Operational" });
		expect(found).toMatchObject({ id: "DG-NYSERDA-87", raw: { ZIP: "11101", "Reporting Start Date": "2019-05-01" } });
	});
});

describe("installations of two lists", () => {
	const many = [
		...Array.from({ length: 10 }, (_, at) => ({ id: 100 + at })),
		{ id: 5, technology: "CHP", kw: 400, storedKwh: 800, reportsSince: "2021-02-03" },
	];
	withFiles(async () => [await nyserdaFile(many)]);

	it("are listed by /dg with storage capacity and start of operation", async () => {
		const { data } = await queue.ask("listDg", { kind: "installation" });
		expect(data.find(({ id }) => id === "DG-NYSERDA-5")).toMatchObject({
			...{ source: "nyserda-der", technology: "Gas + Storage", technology_filed: "CHP", year: 2021 },
			...{ capacity_mw: 0.4, capacity_kw: 400, storage_mwh: 0.8 },
			...{ in_service_on: "2021-02-03", zone: "J - New York City" },
		});
	});

	it("have a history like requests, and are marked as missing if a later list lacks them", async () => {
		const later = await nyserdaFile([...many.filter(({ id }) => id !== 100 && id !== 109), { id: 109, kw: 300 }]);
		const { files } = await take({ ...later, path: "dg/2025-09-30/NYSERDA_DER_Portfolio_org.xlsx" });
		expect(files[0]).toMatchObject({ outcome: "applied", feed: "nyserda-der", rows_in: 10, rows_stored: 10 });
		const changed = await queue.ask("getProject", { project_id: "DG-NYSERDA-109" });
		expect(changed).toMatchObject({ version: 2, capacity_mw: 0.3 });
		const gone = await queue.ask("getProject", { project_id: "DG-NYSERDA-100" });
		expect(gone).toMatchObject({ missing_since: "2025-09-30T00:00:00Z", status_std: "Operational" });
		expect((await queue.ask("getDgStats", { source: "nyserda-der" })).data.facilities).toBe(10);
		const states = async () => [...(await queue.sql`select * from project_versions order by entry`)];
		const before = await states();
		expect(await rebuildAll(queue.sql, "DG", new Date())).toMatchObject({ rows: 10, changed: 0 });
		expect(await states()).toEqual(before);
	});

	it("of which most vanish are held back, whatever the operator's queue contains", async () => {
		const few = await nyserdaFile([{ id: 100 }, { id: 101 }]);
		const { outcome, reason } = await take({ ...few, path: "dg/2025-12-31/NYSERDA_DER_Portfolio_org.xlsx" });
		expect(outcome).toBe("quarantined");
		expect(reason).toContain("rows collapsed from 10 to 2");
	});
});
