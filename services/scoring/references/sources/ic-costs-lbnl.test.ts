import { describe, expect, it } from "vitest";
import { costSheets } from "../../../../test/scoring/support/sample-lists.ts";
import { workbook } from "../../../../test/support/file-formats.ts";
import { describeRealFiles } from "../../../../test/support/real-files.ts";
import { readReference } from "./index.ts";
import type { InterconnectionCosts, ReferenceFile } from "./reference.ts";

const read = async (file: ReferenceFile): Promise<InterconnectionCosts> => {
	const content = await readReference("ic-costs", file, "2026-11-20");
	if (content.source !== "ic-costs") throw new Error(`read as ${content.source}`);
	return content;
};
const written = async (sheets: Parameters<typeof workbook>[0]): Promise<InterconnectionCosts> =>
	read({ name: "costs.xlsx", bytes: await workbook(sheets) });
const studied = new Date("2020-05-01T00:00:00Z");
const row = (number: string, ...rest: (string | number | Date | null)[]) => [
	number,
	"System Impact",
	studied,
	100,
	...rest,
];

describeRealFiles("interconnection_costs", (open) => {
	it.each([
		["pjm_costs_2022_clean_data.xlsx", "PJM", 1127, 1127],
		["miso_costs_2021_clean_data.xlsx", "MISO", 922, 922],
		["nyiso_2022_final_data_cleaned_publication_vfinal.xlsx", "NYISO", 294, 301],
	])(
		"%s is for %s: each of its %i rows is a cost, or two for a project in two phases",
		async (name, region, rows, costs) => {
			const list = await read(open(name));
			expect(list).toMatchObject({ rowsIn: rows, dropped: [] });
			expect(list.costs).toHaveLength(costs);
			expect(new Set(list.costs.map((cost) => `${cost.region} ${cost.dollars_year}`))).toEqual(
				new Set([`${region} 2022`]),
			);
			const parts = list.costs.filter(
				({ cost_usd_per_kw: total, poi_usd_per_kw: poi, network_usd_per_kw: network }) =>
					poi === null || network === null || Math.abs(poi + network - total) > 0.05,
			);
			expect(parts).toEqual([]);
		},
	);

	it("each half of them is refused", async () => {
		for (const name of ["pjm_costs_2022_clean_data.xlsx", "miso_costs_2021_clean_data.xlsx"]) {
			const { bytes } = open(name);
			await expect(read({ name, bytes: bytes.subarray(0, bytes.length / 2) })).rejects.toThrow(/zip|workbook/);
		}
	});
});

describe("LBNL's interconnection costs", () => {
	it("have operator, study, day and the year of their dollars; a project in two phases is two requests", async () => {
		const { costs, rowsIn } = await written(
			costSheets(
				"NYISO",
				["$2022 POI Cost/kW", "$2022 Network Cost/kW", "$2022 Total Cost/kW"],
				[[571, 572, "Facilities", studied, 100, 10.004, "$-", 10.004]],
				["Queue ID", "Queue ID 2"],
			),
		);
		const cost = {
			project_id: null,
			region: "NYISO",
			cost_usd_per_kw: 10,
			poi_usd_per_kw: 10,
			network_usd_per_kw: 0,
			as_of: "2020-05-01",
			study: "Facilities",
			dollars_year: 2022,
			source: "LBNL interconnection costs of NYISO, March 2023",
		};
		expect([rowsIn, costs]).toEqual([
			1,
			[
				{ ...cost, queue_id: "571" },
				{ ...cost, queue_id: "572" },
			],
		]);
	});

	it("that are missing or implausible are dropped with the reason", async () => {
		const { costs, dropped, rowsIn } = await written(
			costSheets(
				"MISO",
				["Real POI/kW", "Real Network/kW", "Real Total/kW"],
				[
					row("J1", 1, 2, 3),
					row("J2", 1, 2, null),
					row("J3", 1, 2, -3),
					row("J4", 1, 2, 30_000),
					row("J5", 1, 2, "dear"),
					["J6", "SIS", "soon", 100, 1, 2, 3],
					["J7", "SIS", new Date("2030-01-01T00:00:00Z"), 100, 1, 2, 3],
					["", "SIS", studied, 100, 1, 2, 3],
					row("J8", "?", -2, 3),
				],
			),
		);
		expect(costs.map(({ queue_id, poi_usd_per_kw }) => [queue_id, poi_usd_per_kw])).toEqual([
			["J1", 1],
			["J8", null],
		]);
		expect(rowsIn).toBe(9);
		expect(dropped.map(({ reason, examples }) => [reason, ...examples])).toEqual([
			["the row states no cost", "row 3"],
			["the cost is negative", "row 4"],
			["the cost is more than 20000 USD per kW", "row 5"],
			["the total cost is not a number", "row 6"],
			["the study date is not a date", "row 7"],
			["the study date is in the future", "row 8"],
			["the row names no request", "row 9"],
		]);
	});

	it.each<[string, (sheets: ReturnType<typeof costSheets>) => ReturnType<typeof costSheets>]>([
		['no sheet "data"', (sheets) => sheets.filter(({ name }) => name !== "data")],
		["does not name the operator", (sheets) => sheets.filter(({ name }) => name !== "introduction")],
		["does not state the year", (sheets) => sheets.filter(({ name }) => name !== "codebook")],
		[
			"has no row",
			(sheets) =>
				sheets.map((sheet) => ({ ...sheet, rows: sheet.name === "data" ? sheet.rows.slice(0, 1) : sheet.rows })),
		],
		[
			"required column missing: total cost",
			(sheets) =>
				sheets.map((sheet) => ({
					...sheet,
					rows: sheet.rows.map((cells) => (sheet.name === "data" ? cells.slice(0, -1) : cells)),
				})),
		],
		[
			"required column missing: Project #",
			(sheets) =>
				sheets.map((sheet) => ({
					...sheet,
					rows: sheet.rows.map((cells) => (sheet.name === "data" ? cells.slice(1) : cells)),
				})),
		],
	])("of another workbook are refused: %s", async (reason, change) => {
		const sheets = costSheets(
			"PJM",
			["$2022 POI Cost/kW", "$2022 Network Cost/kW", "$2022 Total Cost/kW"],
			[row("A1", 1, 2, 3)],
		);
		expect((await written(sheets)).costs).toHaveLength(1);
		await expect(written(change(sheets))).rejects.toThrow(reason);
	});
});
