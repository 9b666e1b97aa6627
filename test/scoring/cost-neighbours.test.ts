/** A request's interconnection cost: by its own study, or else the range of its neighbours' costs. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { raiseDataVersion } from "../../libs/postgres/data-version.ts";
import { readInterconnectionCost } from "../../services/scoring/operations/interconnection-cost.ts";
import { listOperations } from "../../services/scoring/operations/lists.ts";
import { workbook } from "../support/file-formats.ts";
import { project } from "./support/deliver.ts";
import { projectEvent } from "./support/history.ts";
import { type Library, openLibrary, request } from "./support/references.ts";
import { costSheets } from "./support/sample-lists.ts";

let library: Library;
beforeAll(async () => {
	library = await openLibrary();
});
afterAll(() => library[Symbol.asyncDispose]());
beforeEach(() => library.clear());

const headers = ["$2022 POI Cost/kW", "$2022 Network Cost/kW", "$2022 Total Cost/kW"];

/** A workbook of PJM with these totals, studied a day after the other. */
async function load(totals: Record<string, number>) {
	const rows = Object.entries(totals).map(([number, total], at) => [
		number,
		"System Impact",
		new Date(Date.UTC(2020, 0, at + 1)),
		100,
		1,
		total - 1,
		total,
	]);
	const path = await library.file("pjm.xlsx", await workbook(costSheets("PJM", headers, rows)));
	expect(await library.load("ic-costs", path)).toMatchObject([{ outcome: "applied", stored: rows.length }]);
}

const at = async (id: string, place: { poi?: string; utility?: string; type_std?: string; region?: string }) => {
	await request(library.sql, id, { queueId: id.slice(4) });
	if (Object.keys(place).length > 0)
		await library.sql`update projects set ${library.sql(place)} where project_id = ${id}`;
	await library.sql.begin((tx) => raiseDataVersion(tx));
};
const costOf = (id: string) => readInterconnectionCost(library.sql, id);

describe("the interconnection cost of a request", () => {
	it("from its own study has the study, its day and the year of its dollars, and no neighbours", async () => {
		await at("PJM-AE1-001", {});
		await load({ "AE1-001": 250 });
		expect(await costOf("PJM-AE1-001")).toEqual({
			basis: "own",
			ic_cost_usd_per_kw: 250,
			poi_usd_per_kw: 1,
			network_usd_per_kw: 249,
			study: "System Impact",
			studied_on: "2020-01-01",
			dollars_year: 2022,
			source: "LBNL interconnection costs of PJM, March 2023",
			neighbours: null,
		});
	});

	it("of several is one summary of their studies, null without one", async () => {
		for (const number of ["A1", "A2", "A3", "B1"]) await at(`PJM-${number}`, {});
		await load({ A1: 100, A2: 300, A3: 200 });
		const { summariseCosts } = listOperations({ sql: library.sql });
		const summary = async (...id: string[]) => JSON.parse(String((await summariseCosts({ id })).json));
		expect(await summary("PJM-A1", "PJM-A2", "PJM-B1")).toEqual({
			...{ n: 2, median_usd_per_kw: 200 },
			...{ studied_from: "2020-01-01", studied_to: "2020-01-02", dollars_year: 2022 },
		});
		expect(await summary("PJM-B1")).toBeNull();
	});

	it("without a study is the range at its point of interconnection, else of its transmission owner, else of its operator", async () => {
		const totals = [100, 200, 300, 400, 500].map((total, at) => [`A${at + 1}`, total] as const);
		await load(Object.fromEntries(totals));
		for (const [number] of totals) await at(`PJM-${number}`, { utility: "Dominion" });
		await library.sql`update projects set poi = 'Heron 230 kV' where queue_id in ('A1', 'A2', 'A3')`;
		await at("PJM-B1", { poi: "HERON 230KV", utility: "AEP", type_std: "Wind" });
		await at("PJM-B2", { poi: "Tidwell", utility: "DOMINION" });
		await at("PJM-B3", { poi: "Tidwell", utility: "AEP" });
		await at("PJM-B4", { poi: "Tidwell", utility: "AEP", type_std: "Wind" });
		const range = async (id: string) => {
			const cost = await costOf(id);
			return cost && [cost.basis, cost.ic_cost_usd_per_kw, cost.neighbours];
		};
		const ofFive = {
			...{ type_std: "Solar", n: 5, p25_usd_per_kw: 200, median_usd_per_kw: 300, p75_usd_per_kw: 400 },
			...{ studied_from: "2020-01-01", studied_to: "2020-01-05", dollars_year: 2022 },
		};
		expect(await range("PJM-B1")).toEqual([
			"neighbours",
			null,
			{
				...{ chosen_by: "poi", place: "Heron 230 kV", type_std: null, n: 3 },
				...{ p25_usd_per_kw: 150, median_usd_per_kw: 200, p75_usd_per_kw: 250 },
				...{ studied_from: "2020-01-01", studied_to: "2020-01-03", dollars_year: 2022 },
			},
		]);
		expect(await range("PJM-B2")).toEqual([
			"neighbours",
			null,
			{ chosen_by: "transmission_owner", place: "Dominion", ...ofFive },
		]);
		expect(await range("PJM-B3")).toEqual(["neighbours", null, { chosen_by: "region", place: null, ...ofFive }]);
		expect(await range("PJM-B4")).toBeNull();
	});

	it("is unknown with too few neighbours, and if all are another operator's", async () => {
		await load({ A1: 100, A2: 200, A3: 300, A4: 400, A5: 500 });
		for (const number of ["A1", "A2", "A3", "A4"]) await at(`PJM-${number}`, { utility: "Dominion" });
		await at("PJM-B1", { utility: "Dominion" });
		expect(await costOf("PJM-B1")).toBeNull();
		await at("PJM-A5", { utility: "Dominion" });
		expect(await costOf("PJM-B1")).toMatchObject({ neighbours: { n: 5 } });
		await at("SPP-B1", { utility: "Dominion", region: "SPP" });
		expect(await costOf("SPP-B1")).toBeNull();
	});

	it("uses the transmission owner of a newly published request", async () => {
		await project(projectEvent("PJM-A1", 1, { utility: "Dominion" })).deliver(library.sql);
		expect(await library.sql`select utility from projects`).toEqual([{ utility: "Dominion" }]);
	});

	it("in dollars of several years has no year", async () => {
		await load({ A1: 100, A2: 200, A3: 300, A4: 400 });
		for (const number of ["A1", "A2", "A3", "A4", "A5"]) await at(`PJM-${number}`, {});
		await library.load("ic-costs", await library.file("one.csv", "region,queue_id,cost_usd_per_kw\nPJM,A5,90\n"));
		await at("PJM-B1", {});
		expect(await costOf("PJM-B1")).toMatchObject({ neighbours: { n: 5, dollars_year: null } });
	});
});
