import { expect, it } from "vitest";
import { readErcotTotals } from "./ercot-summary.ts";
import { compareTotals, type OurRequest } from "./line.ts";
import { sumLines } from "./sum-lines.ts";

const started = ["SS Completed", "FIS Started", "No IA"];
const sheets = [
	{
		name: "Summary",
		rows: [
			["Summary"],
			[
				"GENERATION INTERCONNECTION REQUESTS",
				null,
				null,
				"Fuel",
				"Technology",
				"SS Started",
				started[0],
				"Small Generator",
				"Small Generator",
				"TOTAL",
			],
			["Includes", null, null, "Type", "Type", "FIS Not Started", started[1], "Not Model Ready", "Model Ready", null],
			[null, null, null, null, null, "No IA", started[2], null, null, null],
			["Status of SS, FIS and IA", "Project Count", null, "Wind", null, 10, 270, 9.9, 5, null],
			["SS Started, FIS Not Started, No IA", 1, null, "TOTAL", null, 10, 242.5, 9.9, 5, 267.4],
			["SS Completed, FIS Started, No IA", 3, null, null, null, null, null, null, null, null],
			["Not Model Ready*", 1, null],
			["Model Ready", 1, null],
			["Total Interconnection Requests", 6, null],
		],
	},
	{
		name: "Project Details - Large Gen",
		rows: [
			["Project Attributes"],
			["INR", "Project Name", "GIM Study Phase", "Capacity (MW)"],
			["24INR0001", "Tern", started.join(", "), 250],
			["24INR0002", "Tern repower", started.join(", "), -7.5],
			["24inr0003", "Kite", started.join(", "), 0],
		],
	},
	{
		name: "Project Details - Small Gen",
		rows: [
			["INR", "Project Name", "Capacity (MW)"],
			["25INR0009", "Wren", 5],
		],
	},
];
const ours = (number: string, mw: number | null): OurRequest => ({
	...{ id: `ERCOT-${number}`, keys: [number], kind: "generation", name: null, typeStd: "Wind", status: "Active" },
	...{
		statusBasis: "filed",
		statusFlag: null,
		listed: "listed",
		mw,
		summerMw: null,
		winterMw: null,
		partsMw: null,
		isForRights: false,
	},
	...{ queueDate: null, actualCod: null, withdrawnDate: null },
});

it("a report's own totals by milestone and its rows with negative changes are read", () => {
	expect(readErcotTotals(sheets)).toEqual({
		totals: [
			{ milestone: "SS Started, FIS Not Started, No IA", requests: 1, mw: 10 },
			{ milestone: "SS Completed, FIS Started, No IA", requests: 3, mw: 242.5 },
			{ milestone: "Not Model Ready", requests: 1, mw: 9.9 },
			{ milestone: "Model Ready", requests: 1, mw: 5 },
		],
		rows: [
			{ number: "24INR0001", milestone: "SS Completed, FIS Started, No IA", mw: 250 },
			{ number: "24INR0002", milestone: "SS Completed, FIS Started, No IA", mw: -7.5 },
			{ number: "24INR0003", milestone: "SS Completed, FIS Started, No IA", mw: 0 },
			{ number: "25INR0009", milestone: "Model Ready", mw: 5 },
		],
	});
	expect(readErcotTotals(sheets.slice(1))).toBeNull();
});

it("our sums equal these totals, less the report's unlisted capacity; an extra request is unexplained", () => {
	const totals = readErcotTotals(sheets);
	if (totals === null) throw new Error("the sheets were not read");
	const all = [ours("24INR0001", 250), ours("24INR0002", null), ours("24INR0003", null), ours("25INR0009", 5)];
	const summed = sumLines(compareTotals(totals, all));
	expect(summed).toMatchObject({
		ours: { records: 4, capacity_mw: 255 },
		theirs: { records: 6, capacity_mw: 267.4 },
		unexplained_mw: 0,
	});
	expect(summed.statuses[0]?.reasons.map(({ rule, ours: a, theirs: b }) => [rule, a.records, b.capacity_mw])).toEqual([
		["adds_up", 3, 255],
		["negative_change", 1, -7.5],
		["not_published_singly", 0, 19.9],
	]);
	expect(sumLines(compareTotals(totals, all.slice(1))).unexplained_mw).toBe(250);
});
