import { describe, expect, it } from "vitest";
import { readInterconnectionCosts, splitProjectId } from "./ic-costs.ts";

const today = "2026-11-20";
const read = (text: string) => readInterconnectionCosts({ name: "costs.csv", bytes: Buffer.from(text) }, today);

describe("interconnection costs", () => {
	/** Fields without a column in such a file. */
	const unstated = { poi_usd_per_kw: null, network_usd_per_kw: null, study: null, dollars_year: null };

	it("are read by column names, in any case and order", () => {
		expect(
			read("Source, AS OF,Cost_USD_per_kW,Queue ID,REGION\r\nTC1 study,2026-03-01,1200.456,AE1-001,pjm\r\n").costs,
		).toEqual([
			{
				project_id: null,
				region: "PJM",
				queue_id: "AE1-001",
				cost_usd_per_kw: 1200.46,
				as_of: "2026-03-01",
				source: "TC1 study",
				...unstated,
			},
		]);
		expect(read('\ufeffproject_id,total_cost_usd,capacity_mw\nPJM-AE1-001,"25,000,000",100\n').costs).toEqual([
			{
				...{ project_id: "PJM-AE1-001", region: null, queue_id: null, cost_usd_per_kw: 250, as_of: null, source: null },
				...unstated,
			},
		]);
	});

	it("may be zero, and belong to a project or a queue position as the row states", () => {
		const { costs } = read("project_id,region,queue_id,cost_usd_per_kw\n,ISONE,QP1001,0\nMISO-J1,,,20000\n");
		expect(
			costs.map(({ project_id, region, queue_id, cost_usd_per_kw }) => [project_id, region, queue_id, cost_usd_per_kw]),
		).toEqual([
			[null, "ISO-NE", "QP1001", 0],
			["MISO-J1", null, null, 20000],
		]);
	});

	it.each([
		["-5", "", "", "the cost is negative"],
		["20000.01", "", "", "the cost is more than 20000 USD per kW"],
		["about 90", "", "", "cost_usd_per_kw is not a number"],
		["(90)", "", "", "cost_usd_per_kw is not a number"],
		["", "", "100", "the row states no cost"],
		["TBD", "N/A", "100", "the row states no cost"],
		["", "1000000", "", "the row states a total cost, but no capacity above 0"],
		["", "1000000", "0", "the row states a total cost, but no capacity above 0"],
		["", "1000000", "-10", "the row states a total cost, but no capacity above 0"],
		["", "dear", "10", "total_cost_usd is not a number"],
		["", "1e12", "10", "the cost is more than 20000 USD per kW"],
	])("of $%s/kW, or $%s for %s MW, are dropped: %s", (perKw, total, mw, reason) => {
		const { costs, dropped, rowsIn } = read(
			`region,queue_id,cost_usd_per_kw,total_cost_usd,capacity_mw\nPJM,AE1-001,${perKw},${total},${mw}\n`,
		);
		expect({ costs, dropped, rowsIn }).toEqual({
			costs: [],
			dropped: [{ reason, count: 1, examples: ["line 2"] }],
			rowsIn: 1,
		});
	});

	it.each([
		["Mars,AE1-001,100,", "the row names an unknown region"],
		[",AE1-001,100,", "the row names no region: state region and queue_id, or a project_id such as PJM-AE1-001"],
		["PJM,,100,", "the row names no request"],
		["PJM,AE1-001,100,soon", "as_of is not a date"],
		["PJM,AE1-001,100,2026-11-21", "as_of is in the future"],
	])("%s is dropped: %s", (row, reason) => {
		expect(read(`region,queue_id,cost_usd_per_kw,as_of\n${row}\n`).dropped).toMatchObject([{ reason, count: 1 }]);
	});

	it("are assigned by a project's id in any case; a number without a region is dropped", () => {
		const { costs, dropped } = read(
			"project_id,region,cost_usd_per_kw\nercot-21inr0401,,1\niso-ne-qp1,,2\n0517,NYISO,3\n0517,,4\n21INR0401,,5\nISO-,,6\n",
		);
		expect(costs.map(({ project_id, region, queue_id }) => [project_id, region, queue_id])).toEqual([
			["ercot-21inr0401", null, null],
			["iso-ne-qp1", null, null],
			[null, "NYISO", "0517"],
		]);
		expect(dropped).toEqual([
			{
				reason: expect.stringContaining("state region"),
				count: 3,
				examples: ["line 5", "line 6", "line 7"],
			},
		]);
		expect(splitProjectId("iso-ne-qp1")).toEqual({ region: "ISO-NE", queue_id: "qp1" });
		expect(splitProjectId("SPP-GEN-2020-001")).toEqual({ region: "SPP", queue_id: "GEN-2020-001" });
	});

	it.each([
		["region,queue_id\nPJM,AE1-001\n", "cost_usd_per_kw, or total_cost_usd and capacity_mw"],
		["region,queue_id,total_cost_usd\nPJM,AE1-001,5\n", "cost_usd_per_kw, or total_cost_usd and capacity_mw"],
		["queue_id,cost_usd_per_kw\nAE1-001,5\n", "project_id, or region and queue_id"],
		["PJM,AE1-001,100\n", "required column missing"],
		["region,queue_id,cost_usd_per_kw,Region\nPJM,AE1-001,5,PJM\n", "the column region appears twice"],
		["region,queue_id,cost_usd_per_kw\nPJM,AE1-001\n", "truncated"],
		["region,queue_id,cost_usd_per_kw\nPJM,AE1-001,10", "truncated"],
		["region,queue_id,cost_usd_per_kw\n", "has no row"],
		["", "empty"],
		["<html></html>", "HTML page"],
	])("%j is refused: %s", (text, reason) => {
		expect(() => read(text)).toThrow(reason);
	});
});
