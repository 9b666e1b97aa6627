/** The real lists of data centers: rows that were read by hand in the files, against the answers. */
import { expect, it } from "vitest";
import { loadDatasets } from "../../services/queue-ingest/datasets/load-datasets.ts";
import { describeReal, readReal } from "../support/real-files.ts";
import type { Queue } from "./support/queue.ts";
import { sharedQueue } from "./support/shared-queue.ts";

const lists = [
	"NHhui_Data_centers_divided_by_state",
	"egreich_datacenters",
	"w4ester_datacenters",
	"pricephillips_proposals",
];

const now = () => new Date();

describeReal("data centers", ["datacenters"], () => {
	const queue: Queue = sharedQueue(async () => {
		const files = lists.map((name) => readReal(`datacenters/${name}.csv`));
		const report = await loadDatasets(queue.sql, "datacenters", files, { now });
		expect(report.files.map(({ outcome, rows_stored }) => [outcome, rows_stored])).toEqual([
			["applied", 2872],
			["applied", 1240],
			["applied", 25],
			["applied", 338],
		]);
	});

	const find = async (q: string, source: "datacenter-map" | "datacenter-guide") =>
		(await queue.ask("listDatacenters", { q, source })).data;

	it("with addresses are as filed, without coordinates in other states", async () => {
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

	it("listed once at an address and once at a city are one facility", async () => {
		const { data } = await queue.ask("listDatacenters", { q: "Meta Prineville", duplicates: true });
		const [map, guide] = ["datacenter-map", "datacenter-guide"].map((name) =>
			data.find(({ source }) => source === name),
		);
		expect([guide?.same_as, map?.same_as]).toEqual([map?.id, null]);
	});

	it("that are proposed are as filed, with gigawatts converted", async () => {
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

	it("that are planned are 268 of 338 proposals: 46 operate, were withdrawn or denied, 24 are not data centers", async () => {
		const { meta, coverage } = await queue.ask("listDatacenterPipeline", { record: "proposal", per_page: 1 });
		expect([meta.total, coverage.left_out]).toEqual([268, { by_kind: 24, by_status: 46 }]);
	});
});
