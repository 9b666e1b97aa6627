import { describe, expect, it } from "vitest";
import { StructureError } from "#libs/files/structure-error.ts";
import type { Table } from "#libs/files/table.ts";
import type { Cell } from "#libs/files/values.ts";
import { accountedRows, describeRealFiles } from "../../../../../test/support/real-files.ts";
import { caisoCluster15, parseCluster15 } from "./cluster-15.ts";

const row: Record<string, Cell> = {
	"Queue Number": 2207,
	"Project Number": 54516,
	"Project Name": "Alisa Solar Energy Complex 2",
	"Generation/Fuel 1": "Photovoltaic/Solar",
	"NET MW 1": 500,
	"Generation/Fuel 2": "Storage/Battery",
	"Generation/Fuel 3": "N/A",
	"NET MW POI": 450,
	"PROJECT COUNTY": "Yuma",
	"Project State": "AZ",
	PTO: "SDGE",
	POI: "NORTH GILA - HOODOO WASH",
	"Requested COD": new Date("2030-06-01"),
	"Queue Date": new Date("2025-02-12"),
	"Service Type": "Energy Only Requested",
};

const sheet = (name: string, rows: Record<string, Cell>[]): Table => ({
	name,
	rows: [Object.keys({ ...row, ...rows[0] }), ...rows.map((change) => Object.values({ ...row, ...change }))],
});
const withdrawal = { "Withdrawal Date": new Date("2025-04-23") };

describe("parseCluster15", () => {
	it("reads the status from the sheet and the capacity from the point of interconnection", () => {
		const withdrawn = sheet("Withdrawn", [{ ...withdrawal, "Queue Number": 2229 }]);
		const parsed = parseCluster15([sheet("Cluster 15 ", [{}]), withdrawn]);
		expect(parsed.requests.find(({ number }) => number === "2207")).toMatchObject({
			status: "Cluster 15",
			statusStd: "Active",
			type: "Photovoltaic/Solar; Storage/Battery",
			typeStd: "Solar + Storage",
			capacityMw: 450,
			cluster: "C15",
			cod: "2030-06-01",
		});
		expect(parsed.requests.find(({ number }) => number === "2229")).toMatchObject({
			status: "Withdrawn",
			statusStd: "Withdrawn",
			withdrawnDate: "2025-04-23",
		});
	});

	it("reads a request that is in both sheets once, as withdrawn", () => {
		const parsed = parseCluster15([sheet("Cluster 15 ", [{}]), sheet("Withdrawn", [withdrawal])]);
		expect(parsed.requests.map(({ statusStd }) => statusStd)).toEqual(["Withdrawn"]);
		expect(parsed.dropped).toMatchObject([{ reason: "same request in Cluster 15", examples: ["2207"] }]);
	});

	it.each([
		["Combustion Turbine/Hydrogen", "Hydrogen"],
		["Storage/Compressed Air", "Other Storage"],
		["Hydro/Pumped-Storage Hydro", "Pumped Storage"],
		["Wind Turbine/Wind", "Wind"],
	])("reads %s alone as %s", (pair, typeStd) => {
		const change = { "Generation/Fuel 1": pair, "Generation/Fuel 2": "N/A" };
		const parsed = parseCluster15(
			[sheet("Cluster 15", [change]), sheet("Withdrawn", [withdrawal].slice(1))].map(withDate),
		);
		expect(parsed.requests[0]).toMatchObject({ type: pair, typeStd });
	});

	it("is refused without one of its sheets", () => {
		expect(() => parseCluster15([sheet("Cluster 15", [{}])])).toThrow(StructureError);
	});
});

/** An empty withdrawn sheet still has its own column. */
function withDate(table: Table): Table {
	const [header = [], ...rows] = table.rows;
	return table.name === "Withdrawn" ? { ...table, rows: [[...header, "Withdrawal Date"], ...rows] } : table;
}

it.each([
	["cluster-15-interconnection-requests.xlsx", true],
	["PreliminaryCluster14ProjectListasofMay20-2021.xlsx", false],
	["publicqueuereport.xlsx", false],
])("recognises %s: %s", (name, expected) => {
	expect(caisoCluster15.recognises({ name, bytes: Buffer.from("PK\x03\x04") })).toBe(expected);
});

describeRealFiles("caiso", (read) => {
	it("the cluster's workbook is read completely", async () => {
		const parsed = await caisoCluster15.parse(read("cluster-15-interconnection-requests.xlsx"));
		expect(parsed).toMatchObject({ rowsIn: 170, dropped: [], unknownColumns: [], unknownValues: [] });
		expect(accountedRows(parsed)).toBe(170);
	});
});
