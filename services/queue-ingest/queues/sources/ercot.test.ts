import { describe, expect, it } from "vitest";
import { StructureError } from "#libs/files/structure-error.ts";
import type { Table } from "#libs/files/table.ts";
import type { Cell } from "#libs/files/values.ts";
import { accountedRows, describeRealFiles, only } from "../../../../test/support/real-files.ts";
import { filedReader } from "../../sources/filed-cells.ts";
import type { DownloadedFile, Http, ParsedFile } from "../../sources/source.ts";
import { ercotBatteries, parseBatteries } from "./ercot/batteries.ts";
import { ercot, parseErcot } from "./ercot.ts";

const day = (iso: string) => new Date(`${iso}T00:00:00Z`);

const largeHeader = [
	["INR", "Project Name", "GIM Study Phase", "Interconnecting Entity", "POI Location", "County", "Projected COD"],
	["Fuel", "Technology", "Capacity (MW)", null, "Screening Study Started", "IA Signed", null, "Air Permit"],
	["Approved for Energization", "Approved for Synchronization"],
].flat();
const wrapped = largeHeader.map((_, at) =>
	at === 10 ? "Change indicators: Proj Name" : at === 13 ? "and Notice to" : null,
);

type Details = Partial<
	Record<"inr" | "phase" | "fuel" | "tech" | "mw" | "ia" | "security" | "energized" | "change", Cell>
>;

function large(row: Details): Cell[] {
	const { inr = "16INR0112", phase = "SS Completed, FIS Started, No IA", fuel = "WIN", tech = "WT" } = row;
	const { mw = 197.01, ia = null, security = "No", energized = null, change = null } = row;
	const project = [
		inr,
		"Loma Pinta Wind",
		phase,
		"Enerverse",
		"5705 Fowlerton\r\n138kV",
		"La Salle",
		day("2026-12-31"),
	];
	return [...project, fuel, tech, mw, change, day("2015-05-18"), ia, security, "Not Required", energized, null];
}

const smallHeader = largeHeader.map((header, at) =>
	at === 2 ? "Model Ready Date" : at === 13 ? "Financial Security" : header,
);
const note = (words: string): Cell[] => [words, null, null];

function report(
	large: Cell[][],
	updates: Partial<Record<"commissioning" | "inactive" | "cancelled", Cell[][]>> = {},
): Table[] {
	const rest = ["Size Category", "Project Name", "Fuel", "County"];
	return [
		{ name: "Summary", rows: [["Currently tracking 1999 requests as of  Oct 31, 2025"]] },
		{
			name: "Project Details - Large Gen",
			rows: [note("NOTES:"), largeHeader, wrapped, ...large, note("* a footnote")],
		},
		{ name: "Project Details - Small Gen", rows: [smallHeader] },
		{
			name: "Commissioning Update",
			rows: [["Commissioning Category", "INR", ...rest, "Approval Date *", "MW **"], ...(updates.commissioning ?? [])],
		},
		{ name: "Inactive Projects", rows: [["INR", ...rest, "Inactive Date", "MW **"], ...(updates.inactive ?? [])] },
		{ name: "Cancellation Update", rows: [["INR", ...rest, "Cancel Date", "MW **"], ...(updates.cancelled ?? [])] },
	];
}

const update = (inr: string, on = "2025-10-23"): Cell[] => [
	inr,
	"Large",
	"Tidwell Storage",
	"Battery Storage",
	"Bexar",
	day(on),
	204,
];

describe("a row of a details sheet", () => {
	it("is an active request, read through the blank headers", () => {
		const request = only(parseErcot(report([large({ ia: day("2017-12-13"), security: "Yes", change: "COD" })])));
		expect(request).toMatchObject({
			number: "16INR0112",
			developer: "Enerverse",
			poi: "5705 Fowlerton 138kV",
			state: "TX",
			status: "Active",
			statusStd: "Active",
			queueDate: "2015-05-18",
			iaDate: "2017-12-13",
			securityPosted: true,
			partial: false,
		});
		expect(request.raw).toEqual({ "Air Permit": "Not Required" });
	});

	it("is compared with the next report without the update cells, which that report does not repeat", () => {
		const { requests, tables = [] } = parseErcot(report([large({})], { cancelled: [update("16INR0112")] }));
		const filed = filedReader(tables)(requests[0]?.origins) ?? {};
		expect(requests[0]?.origins).toHaveLength(2);
		expect(filed).toMatchObject({ INR: "16INR0112" });
		expect(Object.keys(filed).filter((column) => column.startsWith("Cancellation Update"))).toEqual([]);
	});

	it.each([
		["SS Started, FIS Started, No IA", "Feasibility", "early", "study-code"],
		["SS Completed, FIS Not Started, No IA", "SIS", "early", "study-code"],
		["SS Completed, FIS Completed, No IA", "Facilities", "mid", "study-code"],
		["SS Completed, FIS Started, IA", "IA Executed", "late", "agreement"],
	])("in %s is in phase %s", (phase, studyPhase, stage, basis) => {
		const request = only(parseErcot(report([large({ phase })])));
		expect(request).toMatchObject({ studyPhase, studyPhaseFiled: phase, evidence: { stage, basis } });
	});

	it.each([
		["OTH", "BA", "Storage"],
		["BAT", "BL", "Storage"],
		["MWH", "SO", "Storage"],
		["HYD", "GT", "Hydrogen"],
		["WAT", "HY", "Hydro"],
		["GAS", "CC", "Gas"],
		["GAS", "FC", "Fuel Cell"],
		["OTH", "OT", "Other"],
	])("with fuel %s and technology %s is %s", (fuel, tech, typeStd) => {
		expect(only(parseErcot(report([large({ fuel, tech })])))).toMatchObject({ typeStd, type: `${fuel}; ${tech}` });
	});

	it("has no capacity if its net change is zero or less", () => {
		const request = only(parseErcot(report([large({ mw: -27 })])));
		expect(request.capacityMw).toBeNull();
		expect(request.raw["Capacity (MW)"]).toBe("-27");
	});

	it("of a repower states the net change of a plant, also in the update sheets", () => {
		const named = (name: string, mw: number) => large({ mw }).with(1, name);
		const repower = { requestClass: "modification", capacityBasis: "net_change" };
		expect(only(parseErcot(report([named("Silver Star repower", -7.2)])))).toMatchObject({
			...{ ...repower, capacityMw: null, incrementalMw: -7.2 },
		});
		expect(only(parseErcot(report([named("Sweetwater 1 repower", 3)])))).toMatchObject({ ...repower, capacityMw: 3 });
		// Buffalo Gap 2 has 232.5 MW by the EIA.
		expect(only(parseErcot(report([named("Buffalo Gap 2 Wind Repower", 231.37)])))).toMatchObject({
			...{ ...repower, capacityBasis: "injection_limit", capacityMw: 231.37, incrementalMw: null },
		});
		const inactive = update("18INR0072").with(2, "Blue Summit Repowering");
		expect(only(parseErcot(report([], { inactive: [inactive] })))).toMatchObject({
			...{ requestClass: "modification", partial: true },
		});
		expect(only(parseErcot(report([large({})])))).toMatchObject({
			...{ requestClass: "new", capacityBasis: "injection_limit", incrementalMw: null },
		});
	});

	it("with an approval to energise is under construction", () => {
		const request = only(parseErcot(report([large({ energized: day("2025-06-04") })])));
		expect(request).toMatchObject({ energizedDate: "2025-06-04", evidence: { stage: "construction" } });
	});

	it("reads the placeholder 1900-01-01 as no date", () => {
		expect(only(parseErcot(report([large({ ia: day("1900-01-01") })]))).iaDate).toBeNull();
	});

	it("without a usable number is dropped and counted; footnotes are not rows", () => {
		const parsed = parseErcot(report([large({}), large({ inr: "16INR01" })]));
		expect(parsed.rowsIn).toBe(2);
		expect(parsed.dropped).toEqual([
			{ reason: "no interconnection request number", count: 1, examples: ["16INR01"], malformed: true },
		]);
	});

	it("of the small generators, which have no study phase, has an agreement by its signature", () => {
		const sheets = report([]);
		sheets[2]?.rows.push(large({ phase: null, ia: day("2024-03-18"), security: "Yes" }));
		const request = only(parseErcot(sheets));
		expect(request).toMatchObject({ studyPhase: "IA Executed", studyPhaseFiled: null, securityPosted: true });
	});
});

describe("update sheets", () => {
	it("yield partial requests for entries that appear only there", () => {
		const parsed = parseErcot(
			report([], {
				commissioning: [["Commercial Operation Approved by ERCOT*", ...update("21INR0517")]],
				inactive: [update("20INR0025")],
				cancelled: [update("24INR0204")],
			}),
		);
		const finds = (number: string) => parsed.requests.find((request) => request.number === number);
		const same = { partial: true, developer: null, type: null, typeStd: "Storage", capacityMw: 204 };
		const on = "2025-10-23";
		const operating = {
			status: "Commercial Operation Approved by ERCOT",
			statusStd: "Operational",
			statusBasis: "milestone",
			actualCod: on,
		};
		expect(finds("21INR0517")).toMatchObject({ ...same, ...operating });
		expect(finds("20INR0025")).toMatchObject({
			...same,
			status: "Inactive",
			statusStd: "Suspended",
			statusBasis: "filed",
		});
		expect(finds("24INR0204")).toMatchObject({
			...same,
			status: "Cancelled",
			statusStd: "Withdrawn",
			withdrawnDate: on,
		});
	});

	it("merge into the details row with the most advanced status, and are counted", () => {
		const commissioning = [
			["Energization Approved by ERCOT", ...update("16INR0112", "2025-10-01")],
			["Commercial Operation Approved by ERCOT*", ...update("16INR0112")],
		];
		const parsed = parseErcot(report([large({})], { commissioning, cancelled: [update("16INR0112")] }));
		expect(only(parsed)).toMatchObject({
			name: "Loma Pinta Wind",
			statusStd: "Operational",
			actualCod: "2025-10-23",
			energizedDate: "2025-10-01",
			partial: false,
		});
		expect(parsed.dropped.map(({ reason, count }) => [reason, count])).toEqual([
			["same request in Commissioning Update", 2],
			["same request in Cancellation Update", 1],
		]);
		expect(accountedRows(parsed)).toBe(parsed.rowsIn);
	});

	it("keep an energised request active and under construction", () => {
		const commissioning = [["Synchronization Approved by ERCOT", ...update("21INR0517")]];
		expect(only(parseErcot(report([], { commissioning })))).toMatchObject({
			status: "Active",
			statusStd: "Active",
			energizedDate: "2025-10-23",
			evidence: { stage: "construction", basis: "published" },
		});
	});
});

describe("a report", () => {
	it("states the day it is as of", () => expect(parseErcot(report([])).publishedOn).toBe("2025-10-31"));

	it("until July 2019, with one details sheet, longer sheet names and no sheet of inactive projects, is read", () => {
		const renames: Record<string, string> = {
			"Project Details - Large Gen": "Project Details",
			"Commissioning Update": "Project Commissioning Update",
			"Cancellation Update": "Project Cancellation Update",
		};
		const sheets = report([large({})], { cancelled: [update("19INR0025")] })
			.filter(({ name }) => name !== "Inactive Projects")
			.map((sheet) => ({ ...sheet, name: renames[sheet.name] ?? sheet.name }));
		expect(parseErcot(sheets).requests.map(({ statusStd }) => statusStd)).toEqual(["Active", "Withdrawn"]);
		for (const missing of ["Project Details", "Project Cancellation Update"])
			expect(() => parseErcot(sheets.filter(({ name }) => name !== missing))).toThrow(StructureError);
	});

	it("of January 2022, with one details sheet and one of small generators, is read completely", () => {
		const sheets = report([large({ inr: "20INR0001" })]).map((sheet) =>
			sheet.name === "Project Details - Large Gen" ? { ...sheet, name: "Project Details" } : sheet,
		);
		const small = sheets.find(({ name }) => name === "Project Details - Small Gen");
		small?.rows.push(large({ inr: "22INR0565" }));
		expect(parseErcot(sheets).requests.map(({ number }) => number)).toEqual(["20INR0001", "22INR0565"]);
	});

	it.each(["Project Details - Small Gen", "Inactive Projects"])("without the sheet %s is refused", (missing) => {
		expect(() => parseErcot(report([]).filter(({ name }) => name !== missing))).toThrow(StructureError);
	});

	it("without a required column is refused by its name", () => {
		const sheets = report([]);
		for (const row of sheets[1]?.rows ?? []) if (row[5] === "County") row[5] = "Parish";
		expect(() => parseErcot(sheets)).toThrow(/Large Gen.*County/);
	});
});

describe("recognises", () => {
	const zip = Buffer.from("PK\x03\x04....");
	it.each(["GIS_Report_October2025.xlsx", "GIS_Report_April_2022_Corrected.xlsx", "GIS_Report_May2026.zip"])(
		"%s",
		(name) => expect(ercot.recognises({ name, bytes: zip })).toBe(true),
	);
	it.each([
		["2026-06-29-ercotqueue.com-projects.json", Buffer.from("[]")],
		["Co-located_Battery_Identification_Report_October_2025.xlsx", zip],
		["GIS_Report_October2025.xlsx", Buffer.from("<html>")],
	])("does not recognise %s", (name, bytes) => expect(ercot.recognises({ name, bytes })).toBe(false));
});

describe("a report of co-located batteries", () => {
	const header = [
		...["INR", "Project Name", "Project Status", "Interconnecting Entity", "POI Location", "County"],
		...["CDR Reporting Zone", "Projected COD", "Fuel", "Technology", "Capacity (MW)", "IA Signed", null],
	];
	const row = (
		inr: string | null,
		name: string,
		technology: "PV" | "BA" | "WT",
		mw: number,
		poi: string,
		county = "Pecos",
	) => {
		const fuel = { PV: "SOL", BA: "OTH", WT: "WIN" }[technology];
		return [inr, name, "Planned", "Acme LLC", poi, county, "WEST", day("2028-01-01"), fuel, technology, mw, null, "No"];
	};
	const sheets = (...rows: Cell[][]): Table[] => [
		{ name: "Co-located with Solar", rows: [["NOTES:"], header, Array(13).fill(null), ...rows] },
		{ name: "Stand-Alone", rows: [header, row("24INR0900", "Lone BESS", "BA", 50, "1 kV")] },
		{ name: "Co-located Operational", rows: [["Operational Co-located Projects as of February 28, 2026"]] },
	];
	const partsOf = ({ requests }: ParsedFile) =>
		requests.map(({ number, components }) => [
			number,
			...(components ?? []).map(({ typeStd, capacityMw }) => `${typeStd} ${capacityMw}`),
		]);

	it("gives each request the parts of its plant: by county and name, or by bus and the start of the name", () => {
		const parsed = parseBatteries(
			sheets(
				row("24INR0001", "Heron BESS II SLF", "BA", 0, "Tap 345kV 8249 Angstrom"),
				row("24INR0002", "Heron Solar", "PV", 256.5, "8249 Angstrom 345kV"),
				row("24INR0003", "Heron Solar", "PV", 100, "9001 Owl 345kV", "Webb"),
				row("24INR0004", "Moccasin Solar", "PV", 603.59, "345 kV from Kirchhoff (Bus# 60707)", "Stonewall"),
				row("24INR0005", "Moccasin Storage", "BA", 603.08, "Tap 345kV #60707 Kirchhoff", "Jones"),
				row(null, "Bobcat Bluff", "WT", 162, "1475 Windthorst"),
				row("24INR0006", "Bobcat Bluff Storage", "BA", 100, "1475 Windthorst"),
			),
		);
		expect(partsOf(parsed)).toEqual([
			["24INR0001", "Storage null", "Solar 256.5"],
			["24INR0002", "Storage null", "Solar 256.5"],
			["24INR0006", "Wind 162", "Storage 100"],
			["24INR0004", "Solar 603.59", "Storage 603.08"],
			["24INR0005", "Solar 603.59", "Storage 603.08"],
		]);
		expect(parsed).toMatchObject({ publishedOn: "2026-02-28", rowsIn: 8, unknownColumns: [], unknownValues: [] });
		expect(parsed.dropped.map(({ reason, examples }) => [reason, ...examples])).toEqual([
			["an operating part, without a request number", "Bobcat Bluff"],
			["no other part of its plant found", "24INR0003"],
			["a stand-alone battery", "24INR0900"],
		]);
		expect(accountedRows(parsed)).toBe(parsed.rowsIn);
	});

	it("without a sheet of such plants is refused", () => {
		expect(() => parseBatteries(sheets().slice(1))).toThrow(StructureError);
	});
});

describe("download", () => {
	it("chooses the newest document of the newest month, a correction before the original", async () => {
		const documents = [
			["Co-located_Battery_Report_November2025", "9", "2025-12-09"],
			["Co-located_Battery_Identification_Report_December_2025", "10", "2026-01-09"],
			["GIS_Report_September2025_revised", "3", "2025-12-08"],
			["GIS_Report_October2025", "1", "2025-11-03"],
			["GIS_Report_October2025_CORRECTION2", "2", "2025-11-05"],
		].map(([FriendlyName, DocID, PublishDate]) => ({ Document: { FriendlyName, DocID, PublishDate } }));
		const list = () => JSON.stringify({ ListDocsByRptTypeRes: { DocumentList: documents } });
		const http: Http = {
			get: async (url) =>
				({ url, name: "x", bytes: Buffer.from(list()), etag: null, lastModified: null }) as DownloadedFile,
		};
		const file = await ercot.download?.(http);
		expect(file).toMatchObject({
			name: "GIS_Report_October2025_CORRECTION2.xlsx",
			url: expect.stringMatching(/^https:\/\/www\.ercot\.com\/.*doclookupId=2$/),
		});
		expect(await ercotBatteries.download?.(http)).toMatchObject({
			name: "Co-located_Battery_Identification_Report_December_2025.xlsx",
			url: expect.stringMatching(/doclookupId=10$/),
		});
		documents.splice(1, 1);
		const name = "Co-located_Battery_Report_November2025.xlsx";
		expect(await ercotBatteries.download?.(http)).toMatchObject({ name });
	});
});

describeRealFiles("ercot", (read) => {
	const parse = (month: string) => ercot.parse(read(`GIS_Report_${month}.xlsx`));

	it.each([
		["December2024", "2024-12-31", 1905, 13],
		["September2025", "2025-09-30", 2092, 17],
		["October2025", "2025-10-31", 2082, 19],
	])("%s is read whole", async (month, publishedOn, rows, surplus) => {
		expect(ercot.recognises(read(`GIS_Report_${month}.xlsx`))).toBe(true);
		const parsed = await parse(month);
		expect(parsed).toMatchObject({ publishedOn, rowsIn: rows, unknownColumns: [], unknownValues: [] });
		expect(accountedRows(parsed)).toBe(rows);
		expect(rows - parsed.requests.length).toBe(surplus);
	});

	it("accounts for every request that left the details sheets within a month", async () => {
		const details = (parsed: ParsedFile) =>
			parsed.requests.filter(({ partial }) => !partial).map(({ number }) => number);
		const october = await parse("October2025");
		const still = new Set(details(october));
		const gone = details(await parse("September2025")).filter((number) => !still.has(number));
		const listed = new Set(october.requests.map(({ number }) => number));
		expect(gone).toHaveLength(63);
		expect(gone.filter((number) => !listed.has(number))).toEqual([]);
	});
});
