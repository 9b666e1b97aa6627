import type { Cell } from "#libs/files/values.ts";
import { workbook } from "../../../test/support/file-formats.ts";
import { columns, day, grid, nextDay, type Row, rowsOf, type SampleList } from "./list.ts";

const names = "number developer name queued MW type county state zone point utility S COD";
const cluster = { sheet: "cluster" };

// biome-ignore format: a table, one request a line.
const yesterday = [
	...rowsOf({ sheet: "queue" }, names, [
		["0912", "Genesee Flats Solar LLC", "Genesee Flats Solar", "2019-07-15", 180, "S", "Livingston", "NY", "A", "Mortimer - Golah 115kV", "NM-NG", "10", "11-2027"],
		["0947", "Boreal Ridge Wind, LLC", "Tug Hill Ridge Wind", "2019-10-30", 125, "W", "Lewis", "NY", "E", "Black River - Lighthouse Hill 115kV", "NM-NG", "12", "12-2026"],
		["1018A", "Empire Corridor Transmission LLC", "Empire Corridor Rebuild", "2020-05-11", "N/A", "AC", "Albany", "NY", "F", "New Scotland 345kV", "NM-NG", "11", "06-2028"],
		["1096", "Quillback Harbor Energy Partners LLC", "Cayuga Lake Storage", "2020-09-22", 100, "ES", "Tompkins", "NY", "C", "Milliken 115kV", "NYSEG", "9, 10", "10-2027"],
		["1153", "Mohawk Bend Solar LLC", "Mohawk Bend Solar", "2021-02-08", 90, "CR", "Montgomery", "NY", "F", "Marshville 115kV", "NM-NG", "9", "05-2028"],
		["1207", "Jamaica Bay Storage, LLC", "Jamaica Bay Energy Storage", "2021-06-17", 130, "ES", "Queens", "New York", "J", "Corona 138kV", "ConEd", "6", "12-2028"],
		["1264", "Chautauqua Crest Wind LLC", "Chautauqua Crest Wind", "2021-11-29", 200, "W", "Chautauqua", "NY", "A", "Dunkirk - Falconer 115kV", "NM-NG", "6", "10-2029"],
		["1311", "Alder Grove Renewables LLC", "St. Regis Solar", "2022-03-14", 150, "S", "St. Lawrence-Franklin", "NY", "D", "Willis - Malone 115kV", "NM-NG", "6", "08-2029"],
		["1340", "Peconic River Storage LLC", "Peconic River Storage", "2022-06-20", 80, "ES", "Suffolk", "NY", "K", "Riverhead 138kV", "LIPA", "5", "06-2029"],
	]),
	...rowsOf(cluster, names, [
		["C24-903", "QUILLBACK HARBOR ENERGY PARTNERS, LLC", "Wallkill Energy Storage", "2024-08-01", 200, "ES", "Orange County", "NY", "G", "Rock Tavern 345kV", "CHGE", "6C", "11-2029"],
		["C24-911", "ALDER GROVE RENEWABLES, LLC", "Seneca Plains Solar", "2024-08-01", 140, "S", "Ontario", "NY", "C", "Clay - Pannell 345kV", "NYPA", "6C", "10-2029"],
		["C24-918", "Long Beach Offshore Wind LLC", "Long Beach Offshore Wind", "2024-08-12", 900, "OSW", "Nassau", "NY", "K", "Ruland Road 345kV", "LIPA", "6C", "12-2033"],
		["C24-924", "Allegany Hills Solar, LLC", "Allegany Hills Solar", "2024-09-03", 110, "S", "Cattaraugus", "NY", "A", "Homer Hill 115kV", "NM-NG", "6C", "09-2030"],
		["C24-937", "Champlain Shores Storage LLC", "Champlain Shores Storage", "2024-10-15", 60, "ES", "Clinton", "NY", "D", "Plattsburgh 115kV", "NYPA", "6C", "06-2030"],
	]),
	...rowsOf({ sheet: "load" }, "number developer name queued MW use county state zone point utility S", [
		["1688", "Erie Basin Compute LLC", "Erie Basin Data Center", "2025-02-03", 300, "DAT-AI", "Erie", "NY", "A", "Huntley 230kV", "NM-NG", "4"],
		["1690", "Fulton Silicon Works, Inc.", "Fulton Silicon Works", "2025-05-19", 120, "M-CH", "Oswego", "NY", "C", "Volney 345kV", "NM-NG", "6"],
	]),
	...rowsOf({ sheet: "withdrawn", updated: "2024-06-30" }, names, [
		["0483", "Otsego Highlands Wind LLC", "Otsego Highlands Wind", "2015-03-27", 90, "W", "Otsego", "NY", "E", "Oneonta 115kV", "NYSEG", "0"],
		["0655", "Sound Cable Project LLC", "Westchester Sound Cable", "2017-08-04", 600, "DC", "Westchester", "NY", "H", "Buchanan 345kV", "ConEd", "0"],
		["1122", "Delhi Solar Partners, LLC", "Delhi Solar", "2020-12-01", 20, "S", "Delaware", "NY", "E", "Delhi 46kV", "NYSEG", "0"],
	]),
	...rowsOf({ sheet: "cluster-withdrawn", updated: "2025-01-31" }, names, [
		["C24-929", "Catskill Crossing Storage LLC", "Catskill Crossing Storage", "2024-09-10", 150, "ES", "Greene", "NY", "F", "Leeds 345kV", "NM-NG", "0"],
	]),
	...rowsOf({ sheet: "in service", updated: "2023-09-30" }, names, [
		["0391", "Kaaterskill Falls Hydro LLC", "Kaaterskill Hydro Uprate", "2012-02-16", 12, "H", "Greene", "NY", "F", "Hunter 69kV", "CHGE", "14", "I/S"],
		["0567", "Alder Creek Solar, LLC", "Alder Creek Solar", "2016-09-28", 20, "S", "Oneida", "NY", "E", "Boonville 46kV", "NM-NG", "14", "I/S"],
	]),
];

// biome-ignore format: a table, one request a line.
const today = nextDay(yesterday, "number", {
	changed: {
		1340: { sheet: "withdrawn", S: "0", updated: "2026-10-31" },
		1096: { S: "11" },
		1264: { developer: "Chadakoin Wind Energy LLC" },
		"0947": { COD: "12-2027" },
		1153: { MW: 80 },
		"C24-903": { S: "7C" },
		// Says the same in other letters.
		1207: { state: "NY" },
		"0912": { number: 912, developer: "Genesee Flats Solar, L.L.C." },
	},
	gone: ["C24-937"],
	added: rowsOf({ sheet: "load" }, "number developer name queued MW use county state zone point utility S", [
		["1694", "Mohawk Data Partners LLC", "Marcy Data Center Campus", "2026-10-05", 450, "DAT", "Oneida", "NY", "E", "Edic 345kV", "NM-NG", "1"],
	]),
});

const shared = columns("Date of IR, SP (MW), WP (MW), Type/ Fuel, County, State, Z");
const finished = [
	"Queue Pos.",
	"Owner/Developer",
	"Project Name",
	...shared,
	"Interconnection Point",
	"Utility",
	"S",
	"Last Update",
];
const dated = columns("Proposed In-Service/Initial Backfeed Date, Proposed Sync Date, Proposed COD");
const loads = columns(`Queue Number, Developer Name, Project: Project Name, IR Submission Date, Peak MW load, End-Use,
	Record Type Name, Type/Fuel, County, State, NYISO Zone, Points of Interconnection, CTO/Utility, Project Status #,
	Last Updated Date, Availability of Studies`);
const headers = {
	queue: [
		...[
			"Queue Pos.",
			"Developer/Interconnection Customer",
			"Project Name",
			...shared,
			"Points of Interconnection",
			"Utility",
		],
		...["S", "Last Updated Date", "Availability of Studies", "IA Tender Date", "CY/FS Complete Date", ...dated],
	],
	cluster: [
		...[
			"Queue Pos.",
			"Interconnection Customer Name",
			"Project Name",
			...shared,
			"Points of Interconnection",
			"Utility",
		],
		...[
			"Affected Transmission Owner (ATO)",
			"S",
			"Last Updated Date",
			"Availability of Studies",
			"IA Tender Date",
			...dated,
		],
	],
};
/** The header of the plants in service is wrapped over two rows. */
const wrapped = [
	[
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
		"Last Update",
		"Availability",
		"Proposed",
		"Proposed",
	],
	[
		"Pos.",
		"Owner/Developer",
		"Project Name",
		"of IR",
		"(MW)",
		"(MW)",
		"Fuel",
		"County",
		"State",
		null,
		"Point",
		"Utility",
		"S",
		null,
		"of Studies",
		"In-Service",
		"COD",
	],
];
const date = (cell: Cell) => day(typeof cell === "string" ? cell : null);

export const nyiso: SampleList = {
	feed: "nyiso",
	name: "NYISO-Interconnection-Queue.xlsx",
	yesterday,
	today,
	write(rows, { isToday }) {
		const record = (row: Row): Row => {
			const updated = date(row.updated ?? (isToday ? "2026-10-31" : "2026-09-30"));
			return {
				...Object.fromEntries(["Queue Pos.", "Queue Number"].map((name) => [name, row.number])),
				...Object.fromEntries(
					columns(
						"Developer/Interconnection Customer, Interconnection Customer Name, Owner/Developer, Developer Name",
					).map((name) => [name, row.developer]),
				),
				...{ "Project Name": row.name, "Project: Project Name": row.name },
				...{ "Date of IR": date(row.queued), "IR Submission Date": date(row.queued) },
				...{ "SP (MW)": row.MW, "WP (MW)": row.MW, "Peak MW load": row.MW },
				...{ "Type/ Fuel": row.type, "End-Use": row.use, "Record Type Name": "Load Interconnection", "Type/Fuel": "L" },
				...{ County: row.county, State: row.state, Z: row.zone, "NYISO Zone": row.zone },
				...{ "Points of Interconnection": row.point, "Interconnection Point": row.point },
				...{ Utility: row.utility, "CTO/Utility": row.utility, S: row.S, "Project Status #": row.S },
				...{ "Last Updated Date": updated, "Last Update": updated },
				...{ "Availability of Studies": "SRIS", "Proposed Sync Date": row.COD, "Proposed COD": row.COD },
				"Proposed In-Service/Initial Backfeed Date": row.COD,
			};
		};
		const of = (sheet: string) => rows.filter((row) => row.sheet === sheet).map(record);
		const legend: Cell[][] = [
			[],
			[null, "● The column labeled 'SP' refers to the maximum summer megawatt electrical output."],
		];
		const [, ...inService] = grid(
			[...finished, "Availability of Studies", ...dated.slice(0, 1), "Proposed COD"],
			of("in service"),
		);
		return workbook([
			{ name: "Interconnection Queue", rows: [...grid(headers.queue, of("queue")), ...legend] },
			{ name: " Cluster Projects", rows: [...grid(headers.cluster, of("cluster")), ...legend] },
			{ name: "Load Projects", rows: grid(loads, of("load")) },
			{ name: "Withdrawn", rows: grid(finished, of("withdrawn")) },
			{ name: "Cluster Projects-Withdrawn", rows: grid(finished, of("cluster-withdrawn")) },
			{ name: "In Service", rows: [...wrapped, ...inService] },
		]);
	},
};
