import { describe, expect, it } from "vitest";
import { StructureError } from "#libs/files/structure-error.ts";
import type { Table } from "#libs/files/table.ts";
import type { Cell } from "#libs/files/values.ts";
import { accountedRows, describeRealFiles, only } from "../../../../test/support/real-files.ts";
import type { Http } from "../../sources/source.ts";
import { findWorkbookLink, nyiso, nyisoKey, parseNyiso } from "./nyiso.ts";

type Row = Record<string, Cell>;

const place: Row = { County: "Cortland", State: "NY", Z: "C" };
const queueRow: Row = {
	"Queue Pos.": "0276",
	"Developer/Interconnection Customer": "Homer Solar Energy Center LLC",
	"Project Name": "Homer Solar Energy Center",
	"Date of IR": new Date("2008-01-30"),
	"SP (MW)": 90,
	"WP (MW)": 95,
	"Type/ Fuel": "S",
	...place,
	"Points of Interconnection": "Cortland - Fenner 115kV",
	"Utility ": "NM-NG",
	S: 9,
	"Last Updated Date": new Date("2023-07-31"),
	"Availability of Studies": "FES, SRIS, FS",
	"Proposed In-Service/Initial Backfeed Date": "03-2026",
	"Proposed COD": "12/2026",
};
const withdrawnRow: Row = {
	"Queue Pos.": "0276",
	"Owner/Developer": "Homer Solar Energy Center LLC",
	"Project Name": "Homer Solar Energy Center",
	"Date of IR": new Date("2008-01-30"),
	"SP (MW)": 90,
	"WP (MW)": null,
	"Type/ Fuel": "S",
	...place,
	"Interconnection Point": "Cortland - Fenner 115kV",
	Utility: "NM-NG",
	S: "0",
	"Last Update": new Date("2024-05-31"),
};
const { "Owner/Developer": _, ...withoutDeveloper } = withdrawnRow;
const clusterRow: Row = {
	...withoutDeveloper,
	"Queue Pos.": "C24-002",
	"Interconnection Customer Name": "Atlantic Shores",
	"Project Name": "Atlantic Shores 4",
	"Type/ Fuel": "OSW",
	S: "1C",
};
const loadRow: Row = {
	"Queue Number": 1720,
	"Developer Name": "STAMP",
	"Project: Project Name": "Genesee Data Center",
	"IR Submission Date": "1/15/2025",
	"Peak MW load": 500,
	"End-Use": "DAT-AI",
	"Location County": "Genesee",
	State: "NY",
	"NYISO Zone": "B",
	"CTO/Utility": "NYPA",
	"Project Status #": 5,
};

const notes = [
	["NOTES:", "● The column labeled 'SP' refers to the maximum summer output."],
	[null, "● legend"],
];

function sheet(name: string, base: Row, changes: Row[]): Table {
	const headers = Object.keys(base);
	const rows = changes.map((change) => headers.map((header) => ({ ...base, ...change })[header] ?? null));
	return { name, rows: [headers, ...rows, ...notes] };
}

/** The header of "In Service" is wrapped over two rows. */
function inService(rows: Cell[][]): Table {
	const upper = [
		"Queue",
		null,
		null,
		"Date",
		"SP",
		"WP",
		"Type/",
		"Location",
		null,
		"Z",
		"Interconnection",
		null,
		null,
	];
	const lower = ["Pos.", "Owner/Developer", "Project Name", "of IR", "(MW)", "(MW)", "Fuel", "County", "State", null];
	return {
		name: "In Service",
		rows: [
			[...upper, "Last Update", "Availability", "Proposed", "Proposed"],
			[...lower, "Point", "Utility", "S", null, "of Studies", "In-Service", "COD"],
			...rows,
		],
	};
}

function served(number: Cell, name: string, code: Cell, fuel = "NG"): Cell[] {
	const project = [number, "Athens Gen Co.", name, new Date("1998-04-27"), 1080, null, fuel, "Athens", "NY", "F"];
	return [...project, "Pl.Val. 91 Line", "NM-NG", code, new Date("2004-05-31"), "SRIS", "I/S", "I/S"];
}

interface Rows {
	queue?: Row[];
	withdrawn?: Row[];
	served?: Cell[][];
}
const workbook = (rows: Rows, ...more: Table[]): Table[] => [
	sheet("Interconnection Queue", queueRow, rows.queue ?? []),
	sheet("Withdrawn", withdrawnRow, rows.withdrawn ?? []),
	inService(rows.served ?? []),
	...more,
];

describe("a request of the queue", () => {
	it("is read with its developer, its summer capacity and its month of operation", () => {
		expect(only(parseNyiso(workbook({ queue: [{}] })))).toMatchObject({
			number: "0276",
			developer: "Homer Solar Energy Center LLC",
			utility: "NM-NG",
			capacityMw: 90,
			winterMw: 95,
			status: "9",
			statusStd: "Active",
			cod: "2026-12-01",
			backfeedDate: "2026-03-01",
			withdrawnDate: null,
			raw: { Zone: "C", "Availability of Studies": "FES, SRIS, FS" },
		});
	});

	it.each([
		[1, "Not Started", "Scoping Meeting Pending", "early", "study-code"],
		["3A", "Feasibility", "FES Approved/Performed", "early", "study-code"],
		[6, "SIS", "SRIS/SIS Approved", "mid", "study-code"],
		["9, 10", "GIA", "Accepted Cost Allocation/IA in Progress", "late", "study-code"],
		["11", "IA Executed", "IA Completed", "late", "agreement"],
		[12, "IA Executed", "Under Construction", "construction", "published"],
		["P", null, null, "early", "active-only"],
	])("with code %s is in phase %s", (S, studyPhase, studyPhaseFiled, stage, basis) => {
		const request = only(parseNyiso(workbook({ queue: [{ S }] })));
		expect(request).toMatchObject({ status: String(S), statusStd: "Active" });
		expect(request).toMatchObject({ studyPhase, studyPhaseFiled, evidence: { stage, basis } });
	});

	it.each([
		["0", "Withdrawn"],
		[14, "Operational"],
		["15", "Operational"],
	])("with code %s is %s", (S, statusStd) => {
		expect(only(parseNyiso(workbook({ queue: [{ S }] }))).statusStd).toBe(statusStd);
	});

	it.each([
		["ES", "Storage", "generation"],
		["CR", "Solar + Storage", "generation"],
		["CC-NG", "Gas", "generation"],
		["Wo", "Biomass", "generation"],
		["Solar", "Solar", "generation"],
		["W", "Wind", "generation"],
		["HSR", "Other", "generation"],
		["DC/AC", "Transmission", "transmission"],
		["L", "Load", "load"],
		[null, "Unknown", "generation"],
	])("of fuel %s is %s (%s)", (fuel, typeStd, kind) => {
		const parsed = parseNyiso(workbook({ queue: [{ "Type/ Fuel": fuel }] }));
		expect(only(parsed)).toMatchObject({ type: fuel, typeStd, kind });
		expect(parsed.unknownValues).toEqual([]);
	});

	it.each(["Suffolk", "Kings, Queens", "Nassau County", "NY"])("of wind in %s is offshore", (County) => {
		expect(only(parseNyiso(workbook({ queue: [{ "Type/ Fuel": "W", County }] }))).typeStd).toBe("Offshore Wind");
	});

	it("with a code or fuel outside the legend is kept and reported", () => {
		const parsed = parseNyiso(workbook({ queue: [{ S: "99", "Type/ Fuel": "XQ" }] }));
		expect(only(parsed)).toMatchObject({ status: "99", statusStd: "Active", typeStd: "Other" });
		expect(parsed.unknownValues.map(({ field, value }) => [field, value])).toEqual([
			["status", "99"],
			["fuel", "XQ"],
		]);
	});

	it("without a number is dropped and counted, unless it is a note", () => {
		const parsed = parseNyiso(workbook({ queue: [{}, { "Queue Pos.": "pending" }] }));
		expect(parsed.rowsIn).toBe(2);
		expect(parsed.dropped).toEqual([{ reason: "no queue number", count: 1, examples: ["pending"], malformed: true }]);
	});
});

describe("the other sheets", () => {
	it("withdrawn: the last update is the date, and the status is the code", () => {
		const [filed, blank] = [{}, { S: null }].map((change) => only(parseNyiso(workbook({ withdrawn: [change] }))));
		expect(filed).toMatchObject({ status: "0", statusStd: "Withdrawn", withdrawnDate: "2024-05-31", studyPhase: null });
		expect(blank).toMatchObject({ status: "Withdrawn", statusStd: "Withdrawn" });
	});

	it("in service: read through its two-row header", () => {
		expect(only(parseNyiso(workbook({ served: [served(2, "Athens Gen", 14)] })))).toMatchObject({
			number: "2",
			developer: "Athens Gen Co.",
			poi: "Pl.Val. 91 Line",
			county: "Athens",
			status: "14",
			statusStd: "Operational",
			queueDate: "1998-04-27",
			cod: null,
			evidence: { basis: "published" },
		});
	});

	it("cluster: numbers are unchanged and name the cluster", () => {
		const clusters = [
			sheet(" Cluster Projects", clusterRow, [{}]),
			sheet("Cluster Projects-Withdrawn", withdrawnRow, []),
		];
		expect(only(parseNyiso(workbook({}, ...clusters)))).toMatchObject({
			number: "C24-002",
			cluster: "C24",
			developer: "Atlantic Shores",
			typeStd: "Offshore Wind",
			studyPhase: "Not Started",
		});
	});

	it("cluster: CR24-1002, for an operating unit, requests only deliverability", () => {
		const rows = [{}, { "Queue Pos.": "CR24-1002", "Project Name": "West Babylon IC 4" }];
		const sheets = [
			sheet(" Cluster Projects", clusterRow, rows),
			sheet("Cluster Projects-Withdrawn", withdrawnRow, []),
		];
		const parsed = parseNyiso(workbook({}, ...sheets));
		expect(parsed.requests.map(({ requestClass }) => requestClass)).toEqual(["new", "capacity_rights"]);
	});

	it("cluster: a number without its C is a code of the cluster process, whatever its meaning in other sheets", () => {
		const sheets = (S: string) => [
			sheet(" Cluster Projects", clusterRow, [{ S }]),
			sheet("Cluster Projects-Withdrawn", withdrawnRow, []),
		];
		const read = (S: string) => only(parseNyiso(workbook({}, ...sheets(S))));
		expect(read("6")).toMatchObject({ ...read("6C"), status: "6", studyPhaseFiled: "Phase 2 Study" });
		expect(read("6").evidence.stage).toBe("early");
		expect(read("10")).toMatchObject({ studyPhase: "GIA", iaStatusFiled: "Accepted Cost Allocation/IA in Progress" });
		expect(read("9")).toMatchObject({ studyPhase: null, studyPhaseFiled: null });
		expect(read("0").statusStd).toBe("Withdrawn");
	});

	it("load: requests for load, with the renamed columns of 2026", () => {
		const totals: Table = {
			name: "Load Project Tracking",
			rows: [
				["Zone", "MW"],
				["B", 500],
			],
		};
		expect(only(parseNyiso(workbook({}, sheet("Load Projects", loadRow, [{}]), totals)))).toMatchObject({
			number: "1720",
			kind: "load",
			type: "DAT-AI",
			typeStd: "Load",
			capacityMw: 500,
			county: "Genesee",
			utility: "NYPA",
			queueDate: "2025-01-15",
			studyPhase: "SIS",
			raw: { Zone: "B" },
		});
	});
});

describe("a number in two sheets", () => {
	it("with one name is one request, from the sheet that ranks first", () => {
		const rows = { served: [served(31, "Astoria Energy - Phase 1", 14)] };
		const again = { "Queue Pos.": "0031", "Project Name": "ASTORIA ENERGY, Phase 1" };
		const parsed = parseNyiso(workbook({ ...rows, withdrawn: [again] }));
		expect(only(parsed).statusStd).toBe("Operational");
		expect(parsed.dropped).toEqual([{ reason: "same request in Withdrawn", count: 1, examples: ["0031"] }]);
		expect(accountedRows(parsed)).toBe(parsed.rowsIn);
	});

	it("with two names is two requests", () => {
		const rows = { served: [served(31, "Astoria Energy - Phase 1", 14)] };
		const other = { "Queue Pos.": "0031", "Project Name": "Astoria Energy - Phase 2" };
		expect(parseNyiso(workbook({ ...rows, withdrawn: [other] })).requests).toHaveLength(2);
	});
});

it("a workbook without a sheet or a required column is refused", () => {
	expect(() => parseNyiso(workbook({}).slice(0, 2))).toThrow(/in service/);
	expect(() => parseNyiso(workbook({}, sheet(" Cluster Projects", clusterRow, [])))).toThrow(/cluster/);
	const { "SP (MW)": __, ...narrow } = queueRow;
	const [, ...rest] = workbook({});
	expect(() => parseNyiso([sheet("Interconnection Queue", narrow, []), ...rest])).toThrow(/SP \(MW\)/);
});

it.each([
	["517", "0517"],
	["0396a", "0396A"],
	["C24-052-001", "C24-052-001"],
	["CR24-1001", "CR24-1001"],
])("key of %s is %s", (number, key) => expect(nyisoKey(number)).toBe(key));

describe("download", () => {
	const page = `<a href="/documents/20142/1407078/NYISO-Interconnection-Queue.xlsx">queue</a>
		<a href="/documents/20142/1407078/NYISO-Interconnection-Queue-03-31-2026.xlsx/aa?t=1&amp;v=2">March</a>
		<a href='/documents/20142/1407078/NYISO-Interconnection-Queue-08312026.xlsx/ff0e2005?t=5'>August</a>`;

	it("prefers the newest dated link to the undated address", () => {
		expect(findWorkbookLink(page)).toEqual({
			url: "https://www.nyiso.com/documents/20142/1407078/NYISO-Interconnection-Queue-08312026.xlsx/ff0e2005?t=5",
			name: "NYISO-Interconnection-Queue-08312026.xlsx",
		});
		expect(findWorkbookLink(page.split("\n")[0] ?? "")?.name).toBe("NYISO-Interconnection-Queue.xlsx");
		expect(findWorkbookLink("<html>Request unsuccessful</html>")).toBeNull();
	});

	it("refuses a response that is too small to be the workbook", async () => {
		const answers = (size: number): Http => ({
			get: async (url) => ({
				url,
				name: "x",
				bytes: url.includes("xlsx") ? Buffer.alloc(size) : Buffer.from(page),
				etag: null,
				lastModified: null,
			}),
		});
		await expect(nyiso.download?.(answers(0))).rejects.toThrow(StructureError);
		expect(await nyiso.download?.(answers(300_000))).toMatchObject({
			name: "NYISO-Interconnection-Queue-08312026.xlsx",
		});
	});
});

describeRealFiles("nyiso", (read) => {
	it.each([
		["2020-11-19", 1120, ["0127A", "0838"]],
		["2024-12-10", 2105, []],
		["2025-01-09", 2106, []],
	])("%s is read whole", async (folder, rows, repeats) => {
		const file = read(`${folder}/NYISO-Interconnection-Queue.xlsx`);
		expect(nyiso.recognises(file)).toBe(true);
		const parsed = await nyiso.parse(file);
		expect(parsed).toMatchObject({ rowsIn: rows, unknownColumns: [], unknownValues: [] });
		expect(accountedRows(parsed)).toBe(rows);
		expect(parsed.dropped.flatMap(({ examples }) => examples)).toEqual(repeats);
	});
});

describeRealFiles("../data_2026-11/cases", (read) => {
	it("the list of April 2023 yields its dates under the same names as other layouts", async () => {
		const parsed = await nyiso.parse(read("NYISO-Interconnection-Queue-2023-04-30.xlsx"));
		expect(parsed).toMatchObject({ rowsIn: 1559, unknownColumns: [] });
		const dated = (header: string) => parsed.requests.filter(({ raw }) => raw[header] !== undefined).length;
		expect(["IA Tender Date", "FS Complete Date", "Proposed Sync Date"].map(dated)).toEqual([42, 55, 480]);
		expect(parsed.requests.find(({ number }) => number === "0505")).toMatchObject({
			name: "Ball Hill Wind",
			raw: { "IA Tender Date": "2019-07-09", "FS Complete Date": "2019-07-09", "Proposed Sync Date": "06-2023" },
		});
	});
});

describe("studies of requests in other operators' queues", () => {
	const studies = (name: string, rows: Row[]) => sheet(name, queueRow, rows);
	const pjm: Row = { "Queue Pos.": "AF1-123", "Project Name": "Chazy Lake BESS", County: "Wayne", State: "PA", S: 5 };

	it("are rows of a separate kind, whatever their numbers", () => {
		const parsed = parseNyiso(
			workbook(
				{ queue: [{}] },
				studies("Affected System Studies", [pjm, { ...pjm, "Queue Pos.": 987, "Project Name": "Erie Wind", S: 6 }]),
				sheet("Affected System- Withdrawn", withdrawnRow, [{ "Queue Pos.": "S22-1", "Project Name": "Gone" }]),
			),
		);
		expect(parsed).toMatchObject({ rowsIn: 4, dropped: [], unknownValues: [] });
		expect(parsed.requests.map(({ number, kind, statusStd }) => [number, kind, statusStd])).toEqual([
			["0276", "generation", "Active"],
			["AF1-123", "affected_system", "Active"],
			["987", "affected_system", "Active"],
			["S22-1", "affected_system", "Withdrawn"],
		]);
	});

	it("account for each row: a row without a number, or one that another sheet contains, is dropped", () => {
		const parsed = parseNyiso(
			workbook({ queue: [{}] }, studies("Affected System Studies", [{}, { ...pjm, "Queue Pos.": "to come" }, pjm])),
		);
		expect(accountedRows(parsed)).toBe(parsed.rowsIn);
		expect(parsed.dropped).toEqual([
			{ reason: "no queue number", count: 1, examples: ["to come"] },
			{ reason: "same request in Affected System Studies", count: 1, examples: ["0276"] },
		]);
	});

	it("may have other column names or be missing without affecting the list", () => {
		const parsed = parseNyiso(
			workbook(
				{ queue: [{}] },
				{
					name: "Affected System Studies",
					rows: [
						["Queue Pos.", "Host"],
						["AE2-001", "PJM"],
					],
				},
				{ name: "Affected System-Withdrawn", rows: [["None at present"]] },
			),
		);
		expect(parsed.requests.map(({ number }) => number)).toEqual(["0276", "AE2-001"]);
		expect(parsed).toMatchObject({ rowsIn: 2, unknownColumns: ["Host"], dropped: [] });
	});
});
