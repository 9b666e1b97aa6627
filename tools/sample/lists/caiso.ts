import type { Cell } from "#libs/files/values.ts";
import { workbook } from "../../../test/support/file-formats.ts";
import { day, grid, nextDay, type Row, rowsOf, type SampleList } from "./list.ts";

const names =
	"position name queued process type fuel MW net service county state utility region station proposed current";
const solar = ["Photovoltaic", "Solar"];
const battery = ["Storage", "Battery"];
const wind = ["Wind Turbine", "Wind Turbine"];
const both = ["Photovoltaic/Storage", "Solar/Battery"];
const full = "Full Capacity";
const executed: Row = { sheet: "ACTIVE", impact: "Complete", facilities: "Complete", agreement: "Executed" };

// biome-ignore format: a table, one request a line.
const yesterday = [
	...rowsOf(executed, names, [
		[2511, "TULARE PLAIN SOLAR", "2015-04-30", "C08", ...solar, 152, 150, full, "TULARE", "CA", "SCE", "Northern", "Vestal 230 kV", "2018-12-31", "2027-06-01"],
		[2514, "PANOCHE VALLEY STORAGE", "2017-04-17", "C10", ...battery, 205, 200, full, "FRESNO", "CA", "PGAE", "Fresno", "Panoche 230 kV bus", "2020-06-01", "2026-12-15"],
		[2518, "TEHACHAPI CREST WIND", "2018-04-16", "C11", ...wind, 98, 96, "Energy Only", "KERN", "CA", "SCE", "Northern", "Windhub Substation 230 kV", "2021-12-31", "2027-10-31"],
		[2523, "EAST COUNTY BATTERY", "2019-04-15", "C12", ...battery, 128, 125, full, "SAN DIEGO", "CA", "SDGE", "SDGE", "Suncrest 230 kV", "2022-12-01", "2028-01-31"],
		[2527, "PAHRUMP VALLEY SOLAR", "2019-04-15", "C12", ...both, 310, 300, "Partial Capacity", "NYE", "NV", "VEA", "East of Pisgah", "Trout Canyon 230 kV", "2023-06-01", "2028-06-01"],
	]),
	...rowsOf({ ...executed, suspension: "Suspended" }, names, [
		[2531, "MONTEZUMA HILLS REPOWER", "2016-05-02", "C09", ...wind, 62, 60, full, "SOLANO", "CA", "PGAE", "Northern", "Birds Landing 230 kV", "2019-12-01", "2028-12-01"],
	]),
	...rowsOf({ sheet: "ACTIVE", impact: "Complete", facilities: "Complete", agreement: "In Progress" }, names, [
		[2538, "KETTLEMAN HILLS BESS", "2020-04-15", "C13", ...battery, 204, 200, full, "KINGS", "CA", "PGAE", "Fresno", "Gates 500 kV", "2024-12-31", "2028-12-31"],
		[2541, "LUCERNE DRY LAKE SOLAR", "2020-04-15", "C13", ...both, 255, 250, full, "SAN BERNADINO", "CA", "SCE", "North of Lugo", "Pisgah 230 kV", "2024-10-31", "2029-04-30"],
		[2544, "HARQUAHALA FLATS SOLAR", "2020-04-15", "C13", ...solar, 402, 400, full, "MARICOPA", "AZ", "DCRT", "SDGE", "Delaney - Colorado River 500 kV", "2025-03-31", "2029-06-30"],
	]),
	...rowsOf({ sheet: "ACTIVE", impact: "Complete", facilities: null, agreement: null }, names, [
		[2552, "MOSS CREEK ENERGY STORAGE", "2021-04-15", "C14", ...battery, 306, 300, full, "MONTEREY", "CA", "PGAE", "Bay Area", "Moss Landing 230 kV", "2025-06-01", "2030-06-01"],
		[2555, "COACHELLA SANDS SOLAR", "2021-04-15", "C14", ...both, 204, 200, full, "RIVERSIDE", "CA", "SCE", "Eastern", "Devers 220 kV", "2025-12-01", "2030-12-01"],
		[2558, "CARRIZO GAP BATTERY", "2021-04-15", "C14", ...battery, 102, 100, "Energy Only", "SAN LUIS OBISPO", "CA", "PGAE", "Fresno", "Carrizo Plain 230 kV", "2025-04-15", "2030-04-15"],
		[2561, "GEYSERS NORTH BINARY", "2021-04-15", "C14", "Steam Turbine", "Geothermal", 36, 35, full, "SONOMA", "CA", "PGAE", "Northern", "Eagle Rock 115 kV", "2026-01-31", "2029-01-31"],
	]),
	...rowsOf(
		{ sheet: "COMPLETED", impact: "Complete", facilities: "Complete", agreement: "Executed" },
		`${names} ended`,
		[
			[2401, "ANTELOPE ACRES SOLAR", "2010-05-04", "Serial LGIP", ...solar, 60, 60, full, "LOS ANGELES", "CA", "SCE", "Northern", "Antelope 230 kV", "2013-12-31", null, "2016-08-19"],
			[2407, "MESA VERDE PEAKER", "2006-10-12", "Serial LGIP", "Combustion Turbine", "Natural Gas", 49, 48, full, "IMPERIAL", "CA", "SDGE", "SDGE", "Imperial Valley 230 kV", "2009-06-01", null, "2010-07-02"],
			[2412, "SAN JOAQUIN BEND STORAGE", "2018-04-16", "C11", ...battery, 82, 80, full, "SAN JOAQUIN", "CA", "PGAE", "Northern", "Weber 115 kV", "2021-12-01", null, "2025-03-28"],
		],
	),
	...rowsOf({ sheet: "WITHDRAWN", impact: "Complete", reason: "IC Request" }, `${names} ended`, [
		[2446, "OWENS LAKE SOLAR", "2012-04-02", "C05", ...solar, 200, 200, full, "INYO", "CA", "SCE", null, "Inyokern 230 kV", "2015-12-31", "2017-12-31", "2014-05-23"],
		[2459, "PACHECO PASS STORAGE", "2021-04-15", "C14", ...battery, 152, 150, full, "MERCED", "CA", "PGAE", null, "Los Banos 230 kV", "2025-06-01", "2030-06-01", "2025-02-04"],
		[2463, "CALIENTE WASH WIND", "2021-04-15", "C14", ...wind, 250, 250, "Energy Only", "LINCOLN", "NV", "GLW", null, "Harry Allen 500 kV", "2026-12-31", "2031-12-31", "2025-08-14"],
	]),
];

// biome-ignore format: a table, one request a line.
const today = nextDay(yesterday, "position", {
	changed: {
		2558: { sheet: "WITHDRAWN", ended: "2026-11-18", reason: "IC Request" },
		2514: { sheet: "COMPLETED", ended: "2026-11-13" },
		2538: { agreement: "Executed" },
		2523: { current: "2029-01-31" },
		2541: { net: 225 },
		2552: { facilities: "Complete", agreement: "In Progress" },
		// Says the same in other letters.
		2527: { name: "Pahrump Valley Solar", county: "NYE COUNTY" },
		2544: { station: "Delaney  - Colorado River 500 kV" },
	},
	gone: ["2463"],
	added: rowsOf({ sheet: "ACTIVE" }, names, [
		[2590, "DELTA BREEZE STORAGE", "2026-11-12", "ISP", ...battery, 51, 50, full, "CONTRA COSTA", "CA", "PGAE", "Bay Area", "Pittsburg 115 kV", "2029-06-01", "2029-06-01"],
	]),
});

const generator = [
	"Type-1",
	"Type-2",
	"Type-3",
	"Fuel-1",
	"Fuel-2",
	"Fuel-3",
	"MW-1",
	"MW-2",
	"MW-3",
	"Net MWs to Grid",
];
const service = "Full Capacity, Partial or Energy Only (FC/P/EO)";
const received = "Interconnection Request\r\nReceive Date";
const proposed = "Proposed\r\nOn-line Date\r\n(as filed with IR)";
const current = "Current\r\nOn-line Date";
const studies = [
	...["Feasibility Study or Supplemental Review", "System Impact Study or \r\nPhase I Cluster Study"],
	...["Facilities Study (FAS) or \r\nPhase II Cluster Study", "Optional Study\r\n(OS)"],
	"Interconnection Agreement \r\nStatus",
];
const deliverability = [
	"TPD Allocation Percentage",
	"Off-Peak Deliverability and Economic Only",
	"TPD Allocation Group",
];
const location = ["County", "State", "Utility", "PTO Study Region", "Station or Transmission Line"];
const begin = ["Queue Position", received, "Queue Date", "Application Status"];

const sheets = [
	{
		status: "ACTIVE",
		name: "Grid GenerationQueue",
		headers: [
			...["Project Name", ...begin, "Study\r\nProcess", ...generator, service, ...deliverability, ...location],
			...[proposed, current, "Suspension Status", ...studies],
		],
	},
	{
		status: "COMPLETED",
		name: "Completed Generation Projects",
		headers: [
			...["Project Name", ...begin, "Study\r\nProcess", ...generator, service, ...deliverability, ...location],
			...[proposed, "Actual\r\nOn-line Date", ...studies],
		],
	},
	{
		status: "WITHDRAWN",
		name: "Withdrawn Generation Projects",
		headers: [
			...["Project Name - Confidential", ...begin, "Withdrawn Date", "Study\r\nProcess", ...generator, service],
			...["Off-Peak Deliverability and Economic Only", "County", "State", "Utility", "Station or Transmission Line"],
			...[proposed, current, ...studies, "Reason for Withdrawal"],
		],
	},
];

const date = (cell: Cell) => day(typeof cell === "string" ? cell : null);

function record(row: Row): Row {
	const parts = (cell: Cell) => String(cell ?? "").split("/");
	const mw = parts(row.type).map(() => Number(row.MW) / parts(row.type).length);
	const numbered = (name: string, cells: Cell[]) =>
		Object.fromEntries(cells.map((cell, at) => [`${name}-${at + 1}`, cell]));
	return {
		"Project Name": row.name,
		"Project Name - Confidential": row.name,
		"Queue Position": row.position,
		[received]: date(row.queued),
		"Queue Date": date(row.queued),
		"Application Status": row.sheet,
		"Withdrawn Date": date(row.ended),
		"Study\r\nProcess": row.process,
		...numbered("Type", parts(row.type)),
		...numbered("Fuel", parts(row.fuel)),
		...numbered("MW", mw),
		"Net MWs to Grid": row.net,
		[service]: row.service,
		County: row.county,
		State: row.state,
		Utility: row.utility,
		"PTO Study Region": row.region,
		"Station or Transmission Line": row.station,
		[proposed]: date(row.proposed),
		[current]: date(row.current),
		"Actual\r\nOn-line Date": date(row.ended),
		"Suspension Status": row.suspension,
		"Feasibility Study or Supplemental Review": "NA",
		"System Impact Study or \r\nPhase I Cluster Study": row.impact,
		"Facilities Study (FAS) or \r\nPhase II Cluster Study": row.facilities,
		"Optional Study\r\n(OS)": "NA",
		"Interconnection Agreement \r\nStatus": row.agreement,
		"Reason for Withdrawal": row.reason,
	};
}

export const caiso: SampleList = {
	feed: "caiso",
	name: "PublicQueueReport.xlsx",
	yesterday,
	today,
	write(rows, { iso }) {
		const [year, month, dayOfMonth] = iso.split("-");
		return workbook(
			sheets.map(({ status, name, headers }) => {
				const at = (column: number, words: string) => headers.map((_, index) => (index === column ? words : null));
				const own = rows.filter((row) => row.sheet === status).map(record);
				return {
					name,
					rows: [
						at(headers.length - 2, `Report Run Date: ${month}/${dayOfMonth}/${year}`),
						at(
							5,
							`The California ISO Controlled Grid Generation Queue for All: ${status[0]}${status.slice(1).toLowerCase()}`,
						),
						at(6, "Generating Facility"),
						...grid(headers, own),
						[],
						[null, null, "Legend:", "● Study Process Key:  Active=project is in study through Construction phases"],
						["The contents of these pages are subject to change without notice."],
					],
				};
			}),
		);
	},
};
