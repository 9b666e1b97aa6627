/** The real lists of data centres and form EIA-860 of 2020: rows that were read by hand in the files, against the answers. */
import { existsSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadDatasets } from "../../services/queue-ingest/datasets/load-datasets.ts";
import { loadEia860 } from "../../services/queue-ingest/plants/jobs/load-eia860.ts";
import { openQueue, type Queue } from "./support/queue.ts";

const root = process.env.REAL_DATA_DIR ?? resolve(import.meta.dirname, "../../../shared/data");
const lists = [
	"NHhui_Data_centers_divided_by_state",
	"egreich_datacenters",
	"w4ester_datacenters",
	"pricephillips_proposals",
];
const schedules = ["2___Plant", "3_2_Wind", "3_3_Solar", "3_4_Energy_Storage", "3_5_Multifuel"];
const absent = ["datacenters", "eia860/2020"].filter((folder) => !existsSync(join(root, folder)));
if (absent.length > 0)
	console.warn(`Tests on real files skipped: ${root} has no ${absent.join(", ")} (set REAL_DATA_DIR).`);

const read = (path: string) => ({ name: basename(path), path, bytes: readFileSync(join(root, path)) });
const now = () => new Date();

let queue: Queue;
beforeAll(async () => {
	queue = await openQueue();
});
afterAll(() => queue[Symbol.asyncDispose]());

describe.skipIf(absent.includes("datacenters"))("data centres", () => {
	beforeAll(async () => {
		const files = lists.map((name) => read(`datacenters/${name}.csv`));
		const report = await loadDatasets(queue.sql, "datacenters", files, { now });
		expect(report.files.map(({ outcome, rows_stored }) => [outcome, rows_stored])).toEqual([
			["applied", 2872],
			["applied", 1240],
			["applied", 25],
			["applied", 338],
		]);
	}, 60_000);

	const find = async (q: string, source: "datacenter-map" | "datacenter-guide") =>
		(await queue.ask("listDatacenters", { q, source })).data;

	it("with addresses are as filed, less the coordinates of other states", async () => {
		expect(await find("(LAX10)", "datacenter-map")).toMatchObject([
			{ address: "600 West 7th Street", state: "CA", market: "Los Angeles", lat: 34.058142, lon: -118.2805209 },
		]);
		expect(await find("Apple Prineville", "datacenter-map")).toMatchObject([
			{ address: "1600 SW Baldwin Rd", state: "OR", lat: 44.2877145, location_precision: "site" },
		]);
		// The list places its West 6th Street in Austin.
		expect(await find("WebNX LAX", "datacenter-map")).toMatchObject([{ state: "CA", lat: null, lon: null }]);
	});

	it("with estimates of capacity or use are as filed", async () => {
		expect(await find("AWS Northern Virginia", "datacenter-guide")).toMatchObject([
			{ capacity_mw: 450, status: "operating", city: "Ashburn", year_opened: 2006 },
		]);
		expect(await find("Vantage Frontier", "datacenter-guide")).toMatchObject([
			{ capacity_mw: 1400, status: "approved", status_filed: "Permitted", state: "TX" },
		]);
		const { data } = await queue.ask("listDatacenters", { operator: "DXC", state: "VA", source: "datacenter-energy" });
		expect(data).toContainEqual(
			expect.objectContaining({ county: "Mecklenburg", energy_low_mwh_year: 7575, energy_high_mwh_year: 12120 }),
		);
	});

	it("that one list holds at an address and another at a city are one facility", async () => {
		const { data } = await queue.ask("listDatacenters", { q: "Meta Prineville", duplicates: true });
		const [map, guide] = ["datacenter-map", "datacenter-guide"].map((name) =>
			data.find(({ source }) => source === name),
		);
		expect([guide?.same_as, map?.same_as]).toEqual([map?.id, null]);
	});

	it("that are proposed are as filed, with gigawatts where megawatts were meant", async () => {
		const proposal = async (q: string) => (await queue.ask("listDatacenterPipeline", { q, status: "all" })).data;
		expect(await proposal("PORTS Technology")).toMatchObject([
			{ id: "DCP-198", status_std: "approved", capacity_mw: 10000, county: "Pike", state: "OH", own_generation: true },
		]);
		expect(await proposal("Polaris Forge 1")).toMatchObject([
			{ status_std: "operating", capacity_mw: 400, state: "ND" },
		]);
		expect(await proposal("Millville Energy")).toMatchObject([
			{ status: "rejected", status_std: "denied", state: "NJ" },
		]);
		expect(await proposal("Project Marvel")).toMatchObject([{ capacity_mw: 1200, state: "AL" }]);
	});

	it("to come are 268 of 338 proposals: 46 operate, were withdrawn or denied, 24 are no data centre", async () => {
		const { meta, coverage } = await queue.ask("listDatacenterPipeline", { record: "proposal", per_page: 1 });
		expect([meta.total, coverage.left_out]).toEqual([268, { by_kind: 24, by_status: 46 }]);
	});
});

describe.skipIf(absent.includes("eia860/2020"))("plants and generators", () => {
	beforeAll(async () => {
		const files = schedules.map((name) => read(`eia860/2020/${name}_Y2020.xlsx`));
		expect(await loadEia860(queue.sql, files, { resolve: async () => [], now })).toMatchObject({ outcome: "applied" });
	}, 120_000);

	it("are as filed", async () => {
		const plant = async (plant_id: number) => (await queue.ask("listPlants", { plant_id })).data[0];
		// 129.8 + 151.2 + 102.1 + 90.3 + 112.5
		expect(await plant(57695)).toMatchObject({ generators: 5, operable_mw: 585.9, grid_voltage_kv: 230, state: "CA" });
		// Nine of 298 and three of 527.
		expect(await plant(56407)).toMatchObject({ generators: 12, operable_mw: 4263, balancing_authority: "FPL" });
		// One operates, one was cancelled.
		expect(await plant(59247)).toMatchObject({ operable_mw: 478, retired_mw: 240, grid_voltage_kv: 240 });
	});

	it("count once what two schedules list: a solar station with storage", async () => {
		const { data } = await queue.ask("listGenerators", { plant_id: 56812 });
		expect(data.map((row) => [row.generator_id, row.capacity_mw, row.schedules])).toEqual([
			["GEN 1", 140, ["solar", "storage"]],
			["GEN2", 140, ["solar", "storage"]],
		]);
		expect((await queue.ask("listPlants", { plant_id: 56812 })).data).toMatchObject([{ operable_mw: 280 }]);
		// 1,561 + 4,906 + 244 + 3,818 rows, three of them twice.
		expect((await queue.ask("listGenerators", { per_page: 1 })).meta.total).toBe(10_526);
	});

	it("are found by the standard word of their technology: all storage, and nothing without it", async () => {
		const { data } = await queue.ask("listGenerators", { technology: "storage", per_page: 500 });
		const counts = new Map<string | null, number>();
		for (const { technology } of data) counts.set(technology, (counts.get(technology) ?? 0) + 1);
		expect(Object.fromEntries(counts)).toEqual({
			...{ Batteries: 234, Flywheels: 6, "Natural Gas with Compressed Air Storage": 1 },
		});
	});

	it("say that the full list of generators is missing", async () => {
		const { coverage } = await queue.ask("listPlants", { per_page: 1 });
		expect(coverage).toMatchObject([{ year: 2020, generators: "partial", missing: ["utility", "generator", "owner"] }]);
	});
});
