import type { Cell } from "#libs/files/values.ts";
import { workbook } from "../../../test/support/file-formats.ts";
import { day, grid, nextDay, type Row, rowsOf, type SampleList } from "./list.ts";

const names = "INR Name Phase Entity POI County Zone COD Fuel Technology MW Started IA Security";
const agreed = "SS Completed, FIS Completed, IA";
const studying = "SS Completed, FIS Started, No IA";
const studied = "SS Completed, FIS Completed, No IA";
const solar = ["SOL", "PV"];
const wind = ["WIN", "WT"];
const battery = ["OTH", "BA"];

// biome-ignore format: a table, one request a line.
const yesterday = [
	...rowsOf({ sheet: "large" }, names, [
		["22INR0911", "Caprock Mesa Wind", agreed, "Caprock Mesa Wind, LLC", "79012 Yellow House 345kV", "Floyd", "PANHANDLE", "2026-12-31", ...wind, 260.4, "2020-06-18", "2023-02-14", "Yes"],
		["23INR0907", "Frio Bend Solar", agreed, "Alder Grove Renewables, LLC", "8417 Leona River 138kV", "Zavala", "SOUTH", "2027-03-31", ...solar, 180, "2021-02-09", "2023-11-30", "Yes"],
		["23INR0923", "Brazos Crossing BESS", agreed, "Brazos Crossing Storage LLC", "1687 Granbury South 138kV", "Hood", "NORTH", "2026-12-15", ...battery, 150.8, "2021-04-22", "2024-01-19", "Yes"],
		["24INR0902", "Matagorda Dunes BESS", agreed, "Matagorda Dunes Energy Storage, LLC", "42530 Bay Prairie 138kV", "Matagorda", "COASTAL", "2027-06-01", ...battery, 200.6, "2022-01-13", "2024-08-27", "Yes"],
		["24INR0914", "Pecos Flats Solar", studied, "Alder Grove Renewables LLC", "11037 Toyah Draw 138kV", "Reeves", "WEST", "2027-12-31", ...solar, 250, "2022-03-03", null, "No"],
		["24INR0928", "Edwards Plateau Wind II", studied, "Edwards Plateau Wind II LLC", "6444 Bear Den 345kV", "Schleicher", "WEST", "2027-10-15", ...wind, 300.2, "2022-05-26", null, "No"],
		["25INR0903", "Lampasas Storage", studying, "Sulphur Creek Storage LLC", "3430 Lometa 138kV", "Lampasas", "NORTH", "2028-02-29", ...battery, 100.4, "2023-01-17", null, "No"],
		["25INR0917", "Goliad Prairie Solar", studying, "Sedgewater Flats Clean Energy, LLC", "8163 Coleto Creek East 345kV", "Goliad", "SOUTH", "2028-06-30", ...solar, 400, "2023-03-14", null, "No"],
		["25INR0931", "Wichita Falls Storage", studying, "Red River Storage Holdings LLC", "1434 Fisher Road 345kV", "Wichita", "NORTH", "2028-05-31", ...battery, 175.2, "2023-06-08", null, "No"],
		["26INR0905", "Cibolo Storage", studying, "Quillback Harbor Energy Partners, LLC", "5339 Marion South 138kV", "Guadalupe", "SOUTH", "2028-12-01", ...battery, 120, "2023-10-19", null, "No"],
		["26INR0912", "Sabine Pass Peaker", studying, "Neches Power Partners, LLC", "40920 Dayton Bayou 138kV", "Liberty", "HOUSTON", "2029-05-01", "GAS", "GT", 480, "2024-01-30", null, "No"],
		["26INR0926", "Nolan Divide Wind Repower", studying, "Nolan Divide Wind, LLC", "1039 Bluff Creek 345kV", "Nolan", "WEST", "2028-03-31", ...wind, 45.5, "2024-04-11", null, "No"],
		["27INR0908", "Bastrop Lake Gas", studying, "Colorado Bend Generation LLC", "7310 Sim Gideon West 138kV", "Bastrop", "SOUTH", "2030-06-01", "GAS", "IC", 226, "2025-07-29", null, "No"],
		["27INR0919", "Hill Country Storage", "SS Completed, FIS Not Started, No IA", "QUILLBACK HARBOR ENERGY PARTNERS LLC", "7046 Llano Uplift 138kV", "Llano", "SOUTH", "2029-09-30", ...battery, 150, "2025-08-21", null, "No"],
		["28INR0904", "Panhandle Green Hydrogen", "SS Completed, FIS Not Started, No IA", "Quitaque Hydrogen LLC", "79500 Tule Canyon 345kV", "Briscoe", "PANHANDLE", "2030-12-31", "HYD", "OT", 90, "2025-11-06", null, "No"],
	]),
	...rowsOf(
		{ sheet: "small", Phase: "2025-04-02", Security: "Yes" },
		"INR Name Entity POI County Zone COD Fuel Technology MW IA",
		[
			["24INR0991", "Cotulla East BESS", "Nueces Plain Storage LLC", "Station Name: COTULLA EAST 138 kV", "La Salle", "SOUTH", "2026-12-20", ...battery, 9.9, "2024-04-15"],
			["25INR0994", "Utopia Road BESS", "Sabinal Canyon Storage, LLC", "Station Name: SABINAL 69 kV", "Uvalde", "SOUTH", "2027-02-28", ...battery, 9.8, "2024-11-18"],
		],
	),
	...rowsOf({ sheet: "inactive", size: "Large" }, "INR Name Fuel County on MW", [
		["21INR0933", "Concho Bluff Solar", "Solar", "Tom Green", "2025-03-17", 150],
		["22INR0938", "Palo Duro Breaks Wind", "Wind", "Armstrong", "2025-08-04", 220],
	]),
	...rowsOf({ sheet: "commissioning", size: "Large" }, "INR category Name Fuel County on MW", [
		["21INR0902", "Commercial Operation Approved by ERCOT", "Refugio Bay Wind", "Wind", "Refugio", "2026-10-14", 199],
	]),
];

// biome-ignore format: a table, one request a line.
const today = nextDay(yesterday, "INR", {
	changed: {
		// Leaves the details for the sheet of cancellations.
		"25INR0931": { sheet: "cancelled", size: "Large", Fuel: "Battery Storage", on: "2026-11-12" },
		"24INR0914": { Phase: agreed, IA: "2026-11-09", Security: "Yes" },
		"25INR0903": { Entity: "Lometa Energy Storage LLC" },
		// From one sponsor to another.
		"26INR0905": { Entity: "Alder Grove Renewables, LLC" },
		"23INR0907": { COD: "2027-12-31" },
		"25INR0917": { MW: 350 },
		"24INR0902": { energized: "2026-11-10" },
		// Says the same in other letters.
		"23INR0923": { POI: "1687 Granbury  South\r\n138kV", Entity: "Brazos Crossing Storage, L.L.C." },
		"24INR0928": { County: "SCHLEICHER" },
		"27INR0919": { Entity: "Quillback Harbor Energy Partners, L.L.C." },
	},
	gone: ["26INR0926"],
	added: rowsOf({ sheet: "large" }, names, [
		["29INR0906", "Llano Estacado Storage", studying, "Llano Estacado Storage LLC", "79301 Tierra Blanca 345kV", "Deaf Smith", "PANHANDLE", "2030-05-31", ...battery, 200, "2026-08-25", null, "No"],
	]),
});

const largeHeaders = [
	...[
		"INR",
		"Project Name",
		"GIM Study Phase",
		"Interconnecting Entity",
		"POI Location",
		"County",
		"CDR Reporting Zone",
	],
	...[
		"Projected COD",
		"Fuel",
		"Technology",
		"Capacity (MW)",
		"",
		"",
		"Screening Study Started",
		"Screening Study Complete",
	],
	...["FIS Requested", "FIS Approved", "Economic Study Required", "IA Signed", "", "Air Permit", "GHG Permit"],
	...["Water Availability", "Meets Planning", "Meets All Planning", "", "Construction Start", "Construction End"],
	...["Approved for Energization", "Approved for Synchronization", "Comment"],
];
const smallHeaders = [
	...[
		"INR",
		"Project Name",
		"Model Ready Date",
		"Interconnecting Entity",
		"POI Location",
		"County",
		"CDR Reporting Zone",
	],
	...["Projected COD", "Fuel", "Technology", "Capacity (MW)", "Change indicators: Proj Name, MW", "IA Signed"],
	...["Financial Security", "Approved for Energization", "Approved for Synchronization", "Comment"],
];
const updateHeaders = ["INR", "Size Category", "Project Name", "Fuel", "County"];

const date = (cell: Cell) => day(typeof cell === "string" ? cell : null);

function detail(row: Row, isLarge: boolean): Row {
	return {
		INR: row.INR,
		"Project Name": row.Name,
		...(isLarge ? { "GIM Study Phase": row.Phase } : { "Model Ready Date": date(row.Phase) }),
		"Interconnecting Entity": row.Entity,
		"POI Location": row.POI,
		County: row.County,
		"CDR Reporting Zone": row.Zone,
		"Projected COD": date(row.COD),
		Fuel: row.Fuel,
		Technology: row.Technology,
		"Capacity (MW)": row.MW,
		"Screening Study Started": date(row.Started),
		"IA Signed": date(row.IA),
		...(!isLarge && { "Financial Security": row.Security }),
		"Approved for Energization": date(row.energized),
	};
}

/** The header of one column of the large generators' sheet stands below the others: it is known by its Yes and No. */
function largeRows(rows: Row[]): Cell[][] {
	const [header = [], ...body] = grid(
		largeHeaders,
		rows.map((row) => detail(row, true)),
	);
	const security = largeHeaders.indexOf("IA Signed") + 1;
	const wrapped = largeHeaders.map((_, at) =>
		at === security ? "and Notice to" : at === 11 ? "Change indicators: Proj Name, MW" : null,
	);
	return [
		header.map((cell) => cell || null),
		wrapped,
		...body.map((cells, at) => cells.with(security, rows[at]?.Security)),
	];
}

function update(rows: Row[], dateHeader: string, first: string[] = []): Cell[][] {
	const records = rows.map((row) => ({
		"Commissioning Category": row.category,
		INR: row.INR,
		"Size Category": row.size,
		"Project Name": row.Name,
		Fuel: row.Fuel,
		County: row.County,
		[dateHeader]: date(row.on),
		"MW **": row.MW,
	}));
	return grid([...first, ...updateHeaders, dateHeader, "MW **"], records);
}

export const ercot: SampleList = {
	feed: "ercot",
	name: "GIS_Report_October2026.xlsx",
	yesterday,
	today,
	write(rows) {
		const of = (sheet: string) => rows.filter((row) => row.sheet === sheet);
		return workbook([
			{ name: "Contents", rows: [["GIM Activity:  Oct 01, 2026 to Oct 31, 2026"], ["Table of Contents"]] },
			{
				name: "Summary",
				rows: [
					["Summary"],
					["Currently tracking 17 generation interconnection or  change requests as of  Oct 31, 2026"],
				],
			},
			{
				name: "Project Details - Large Gen",
				rows: [
					["GIM Project Details - Large Generators"],
					[],
					["NOTES:"],
					["Excludes projects that have a status of Inactive (status = INA)."],
					[],
					...largeRows(of("large")),
				],
			},
			{
				name: "Project Details - Small Gen",
				rows: [
					["GIM Project Details - Small Generators"],
					[],
					["NOTES:"],
					[],
					...grid(
						smallHeaders,
						of("small").map((row) => detail(row, false)),
					),
				],
			},
			{
				name: "Commissioning Update",
				rows: [
					["Commissioning Milestones"],
					[],
					...update(of("commissioning"), "Approval Date *", ["Commissioning Category"]),
				],
			},
			{ name: "Inactive Projects", rows: [["Inactive Projects"], [], ...update(of("inactive"), "Inactive Date")] },
			{ name: "Cancellation Update", rows: [["Cancelled Projects"], [], ...update(of("cancelled"), "Cancel Date")] },
		]);
	},
};
