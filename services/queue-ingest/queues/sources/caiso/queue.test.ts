import { describe, expect, it } from "vitest";
import { StructureError } from "#libs/files/structure-error.ts";
import type { Table } from "#libs/files/table.ts";
import type { Cell } from "#libs/files/values.ts";
import { accountedRows, describeRealFiles, only } from "../../../../../test/support/real-files.ts";
import { caiso, caisoKey, parseCaiso } from "./queue.ts";

type Row = Record<string, Cell>;

const common: Row = {
	"Queue Position": 22,
	"Interconnection Request\r\nReceive Date": new Date("2003-11-18"),
	"Queue Date": new Date("2003-11-19"),
	"Study\r\nProcess": "C14",
	"Type-1": "Wind Turbine",
	"Type-2": null,
	"Fuel-1": "Wind Turbine",
	"Fuel-2": null,
	"MW-1": 40.5,
	"Net MWs to Grid": 38,
	"Full Capacity, Partial or Energy Only (FC/P/EO)": "Partial Capacity",
	County: "SOLANO",
	State: "CA",
	Utility: "PGAE",
	"Station or Transmission Line": "Birds Landing  230 kV",
	"Feasibility Study or Supplemental Review": "Waived",
	"System Impact Study or \r\nPhase I Cluster Study": "Complete",
	"Facilities Study (FAS) or \r\nPhase II Cluster Study": null,
	"Interconnection Agreement \r\nStatus": null,
};
const active: Row = {
	"Project Name": "MONTEZUMA",
	...common,
	"Application Status": "ACTIVE",
	"Current\r\nOn-line Date": new Date("2024-04-01"),
	"Suspension Status": null,
};
const completed: Row = {
	"Project Name": "OTAY MESA",
	...common,
	"Application Status": "COMPLETED",
	"Actual\r\nOn-line Date": new Date("2009-10-02"),
};
const withdrawn: Row = {
	"Project Name - Confidential": "ENCINA",
	...common,
	"Application Status": "WITHDRAWN",
	"Withdrawn Date": new Date("2011-06-16"),
	"Reason for Withdrawal": "FERC Order",
};

function sheet(name: string, base: Row, changes: Row[]): Table {
	const headers = [...new Set([base, ...changes].flatMap(Object.keys))];
	const rows = changes.map((change) => headers.map((header) => ({ ...base, ...change })[header] ?? null));
	const banner = headers.map((_, at) => (at === 5 ? "Report Run Date: 07/20/2026" : null));
	const legend = [null, null, "Legend:", "● Study Process Key: ..."];
	return { name, rows: [banner, ["", "The California ISO Controlled Grid"], [], headers, ...rows, [], legend] };
}

function report(rows: { active?: Row[]; completed?: Row[]; withdrawn?: Row[] }): Table[] {
	return [
		sheet("Grid GenerationQueue", active, rows.active ?? []),
		sheet("Completed Generation Projects", completed, rows.completed ?? []),
		sheet("Withdrawn Generation Projects", withdrawn, rows.withdrawn ?? []),
	];
}

describe("a request", () => {
	it("is read from headers with line breaks, its capacity the limit at the grid", () => {
		expect(only(parseCaiso(report({ active: [{}] })))).toMatchObject({
			number: "22",
			name: "MONTEZUMA",
			status: "ACTIVE",
			statusStd: "Active",
			queueDate: "2003-11-19",
			cod: "2024-04-01",
			capacityMw: 38,
			cluster: "C14",
			poi: "Birds Landing 230 kV",
			raw: { "MW-1": "40.5", "Fuel-1": "Wind Turbine", "Interconnection Request Receive Date": "2003-11-18" },
		});
	});

	it("that is completed is operational; a withdrawn one has its date and reason", () => {
		expect(only(parseCaiso(report({ completed: [{}] })))).toMatchObject({
			statusStd: "Operational",
			actualCod: "2009-10-02",
			cod: null,
		});
		expect(only(parseCaiso(report({ withdrawn: [{}] })))).toMatchObject({
			name: "ENCINA",
			statusStd: "Withdrawn",
			withdrawnDate: "2011-06-16",
			studyPhase: null,
			raw: { "Reason for Withdrawal": "FERC Order" },
		});
	});

	it("with a suspension status is suspended, its status as filed", () => {
		const request = only(parseCaiso(report({ active: [{ "Suspension Status": "Suspended" }] })));
		expect(request).toMatchObject({ status: "ACTIVE", statusStd: "Suspended" });
	});

	it("whose status disagrees with its sheet is contradictory", () => {
		const request = only(parseCaiso(report({ completed: [{ "Application Status": "ACTIVE" }] })));
		expect(request).toMatchObject({ statusStd: "Active", evidence: { contradictory: true } });
	});

	it.each([
		["Steam Turbine", "Geothermal", null, null, "Steam Turbine", "Geothermal"],
		["Photovoltaic", "Solar", "Storage", "Battery", "Photovoltaic; Storage", "Solar + Storage"],
		["Storage", "Other", null, null, "Storage", "Storage"],
		["Other", "Nuclear", null, null, "Nuclear", "Nuclear"],
		["Storage", "Gravity via Rail", null, null, "Storage", "Other Storage"],
	])("of type %s and fuel %s (and %s, %s) is %s: %s", (type1, fuel1, type2, fuel2, type, typeStd) => {
		const change = { "Type-1": type1, "Fuel-1": fuel1, "Type-2": type2, "Fuel-2": fuel2 };
		expect(only(parseCaiso(report({ active: [change] })))).toMatchObject({ type, typeStd });
	});

	const facilities = "Facilities Study (FAS) or \r\nPhase II Cluster Study";
	const agreement = "Interconnection Agreement \r\nStatus";
	it.each([
		[{}, "SIS", "mid", "study-columns"],
		[{ [facilities]: "Complete" }, "Facilities", "mid", "study-columns"],
		[{ [facilities]: "Complete", [agreement]: "In Progress" }, "GIA", "late", "study-columns"],
		[{ [agreement]: "Executed" }, "IA Executed", "late", "agreement"],
		[{ "System Impact Study or \r\nPhase I Cluster Study": "NA" }, null, "early", "active-only"],
	])("with %j is in phase %s", (change, studyPhase, stage, basis) => {
		const request = only(parseCaiso(report({ active: [change] })));
		expect(request).toMatchObject({ studyPhase, evidence: { stage, basis } });
	});
});

describe("a report", () => {
	it("states its run date", () => expect(parseCaiso(report({})).publishedOn).toBe("2026-07-20"));

	it("counts rows without a queue position, but not the legend", () => {
		const parsed = parseCaiso(report({ active: [{}, { "Queue Position": null }] }));
		expect(parsed.rowsIn).toBe(2);
		expect(parsed.dropped).toMatchObject([{ count: 1, examples: ["MONTEZUMA"] }]);
	});

	it("reads a request that is in two sheets once, as the more advanced one", () => {
		const parsed = parseCaiso(report({ active: [{}], completed: [{}] }));
		expect(only(parsed).statusStd).toBe("Operational");
		expect(parsed.dropped).toMatchObject([{ reason: "same request in Grid GenerationQueue", examples: ["22"] }]);
	});

	it("reports unknown values and columns", () => {
		const parsed = parseCaiso(report({ active: [{ "Application Status": "PARKED", "New Column": "x" }] }));
		expect(parsed.unknownValues).toEqual([{ field: "application status", value: "PARKED", count: 1 }]);
		expect(parsed.unknownColumns).toEqual(["New Column"]);
		expect(only(parsed)).toMatchObject({ status: "PARKED", statusStd: "Active", raw: { "New Column": "x" } });
	});

	it("without a sheet or a required column is refused", () => {
		expect(() => parseCaiso(report({}).slice(0, 2))).toThrow(/withdrawn generation projects/);
		const renamed = report({}).map((table) => ({
			...table,
			rows: table.rows.map((row) => row.map((cell) => (cell === "Net MWs to Grid" ? "Net MW" : cell))),
		}));
		expect(() => parseCaiso(renamed)).toThrow(StructureError);
		expect(() => parseCaiso(renamed)).toThrow(/Net MWs to Grid/);
	});
});

it.each([
	["517.0", "517"],
	["643ab", "643AB"],
	[" 1A ", "1A"],
])("key of %j is %s", (number, key) => expect(caisoKey(number)).toBe(key));

it.each([
	["publicqueuereport.xlsx", true],
	["PublicQueueReport.xlsx", true],
	["publicqueuereport-07202026.xlsx", true],
	["PreliminaryCluster14ProjectListasofMay20-2021.xlsx", false],
	["cluster-15-interconnection-requests.xlsx", false],
])("recognises %s: %s", (name, expected) => {
	expect(caiso.recognises({ name, bytes: Buffer.from("PK\x03\x04") })).toBe(expected);
});

describeRealFiles("caiso", (read) => {
	it.each([
		["2024-07-13/publicqueuereport.xlsx", "2024-07-13", 2279, 0],
		["2025-01-23/publicqueuereport.xlsx", "2025-01-23", 2279, 0],
		["weekly/publicqueuereport-08112025.xlsx", "2025-08-11", 2279, 0],
		["2025-12-27/publicqueuereport.xlsx", "2025-12-27", 2278, 0],
		["weekly/publicqueuereport-07202026.xlsx", "2026-07-20", 2278, 0],
	])("%s is read completely", async (path, publishedOn, rows, dropped) => {
		const file = read(path);
		expect(caiso.recognises(file)).toBe(true);
		const parsed = await caiso.parse(file);
		expect(parsed).toMatchObject({ publishedOn, rowsIn: rows, unknownColumns: [], unknownValues: [] });
		expect(accountedRows(parsed)).toBe(rows);
		expect(rows - parsed.requests.length).toBe(dropped);
	});

	it("shows which requests finished, withdrew and returned in the eleven months to December 2025", async () => {
		const before = await caiso.parse(read("2025-01-23/publicqueuereport.xlsx"));
		const after = await caiso.parse(read("2025-12-27/publicqueuereport.xlsx"));
		const old = new Map(before.requests.map((request) => [caisoKey(request.number), request.status]));
		const flips: Record<string, number> = {};
		for (const { number, status } of after.requests) {
			const change = `${old.get(caisoKey(number))} > ${status}`;
			flips[change] = (flips[change] ?? 0) + 1;
		}
		expect(flips).toMatchObject({ "ACTIVE > COMPLETED": 21, "ACTIVE > WITHDRAWN": 50, "COMPLETED > ACTIVE": 6 });
	});
});
