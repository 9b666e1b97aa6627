import { workbook } from "../../../test/support/file-formats.ts";
import { columns, day, grid, nextDay, type Row, rowsOf, type SampleList } from "./list.ts";

const headers =
	columns(`Queue Number, Project Number, Project Name, Generation/Fuel 1, NET MW 1, Generation/Fuel 2, NET MW 2,
	Generation/Fuel 3, NET MW 3, NET MW POI, PROJECT COUNTY, Project State, Study Area, PTO, POI, Voltage kV, Requested COD,
	Queue Date, Application Date, Service Type`);
const names = "number name first second net county state area pto poi kv cod";
const solar = "Photovoltaic/Solar";
const battery = "Storage/Battery";

// biome-ignore format: a table, one request a line.
const yesterday = [
	...rowsOf({}, names, [
		[2801, "Westlands Crossing", solar, battery, 400, "Fresno", "CA", "PG&E FRESNO", "PGAE", "MANNING 500 kV", 500, "2030-10-01"],
		[2804, "Kern River Storage", battery, null, 250, "Kern", "CA", "SCE NORTHERN", "SCE", "WINDHUB 230 kV", 230, "2029-12-01"],
		[2807, "Merced Grove", solar, battery, 300, "Merced", "CA", "PG&E FRESNO", "PGAE", "LOS BANOS 230 kV", 230, "2030-06-01"],
		[2810, "Tule Elk Solar", solar, null, 150, "Kern", "CA", "SCE NORTHERN", "SCE", "WHIRLWIND 230 kV", 230, "2030-04-30"],
		[2813, "Mojave Sands", solar, battery, 500, "San Bernardino", "CA", "SCE NORTH OF LUGO", "SCE", "LUGO 500 kV", 500, "2031-06-01"],
		[2816, "Gila Bend Energy Center", solar, battery, 450, "Maricopa", "AZ", "SAN DIEGO", "SDGE", "HASSAYAMPA 500 kV", 500, "2031-03-31"],
		[2819, "Amargosa Storage", battery, null, 200, "Nye", "NV", "EAST OF PISGAH", "GLW", "JOHNNIE CORNER 230 kV", 230, "2030-01-31"],
		[2822, "Delta Pumps BESS", battery, null, 350, "Alameda", "CA", "PG&E BAY AREA", "PGAE", "TESLA 500 kV", 500, "2030-08-01"],
		[2825, "Salinas Valley Storage", battery, null, 120, "Monterey", "CA", "PG&E BAY AREA", "PGAE", "SOLEDAD 115 kV", 115, "2029-10-15"],
		[2828, "Otay Ranch Battery", battery, null, 180, "San Diego", "CA", "SAN DIEGO", "SDGE", "MIGUEL 230 kV", 230, "2030-05-01"],
		[2831, "Humboldt Floating Wind", "Wind Turbine/Wind", null, 160, "Humboldt", "CA", "PG&E NORTH", "PGAE", "HUMBOLDT 115 kV", 115, "2033-12-31"],
		[2834, "Lassen Foothills Solar", solar, battery, 220, "Lassen", "CA", "PG&E NORTH", "PGAE", "ROUND MOUNTAIN 230 kV", 230, "2031-01-31"],
	]),
	...rowsOf({ withdrawn: "2025-04-23" }, names, [
		[2841, "Clay Bottoms", battery, null, 425, "Kings", "CA", "PG&E FRESNO", "LSPC", "GATES 500 kV", 500, "2030-10-01"],
		[2844, "Panamint Solar", solar, null, 300, "Inyo", "CA", "SCE NORTH OF LUGO", "SCE", "KRAMER 230 kV", 230, "2030-12-01"],
		[2847, "Yuma Mesa", solar, battery, 260, "Yuma", "AZ", "SAN DIEGO", "SDGE", "NORTH GILA 500 kV", 500, "2030-06-01"],
	]),
];

// biome-ignore format: a table, one request a line.
const today = nextDay(yesterday, "number", {
	changed: {
		2825: { withdrawn: "2026-11-16" },
		2810: { net: 140 },
		2819: { cod: "2030-12-31" },
		// Says the same in other letters.
		2822: { poi: "Tesla  500 kV", county: "ALAMEDA" },
	},
	gone: ["2834"],
	added: rowsOf({}, names, [
		[2851, "Pinnacles Storage", battery, null, 175, "San Benito", "CA", "PG&E BAY AREA", "PGAE", "METCALF 230 kV", 230, "2031-06-01"],
	]),
});

export const caisoCluster15: SampleList = {
	feed: "caiso-cluster-15",
	name: "cluster-15-interconnection-requests.xlsx",
	yesterday,
	today,
	write(rows) {
		const record = (row: Row): Row => ({
			"Queue Number": row.number,
			"Project Number": Number(row.number) + 52_100,
			"Project Name": row.name,
			"Generation/Fuel 1": row.first,
			"NET MW 1": Number(row.net) + 5,
			"Generation/Fuel 2": row.second ?? "N/A",
			"NET MW 2": row.second === null ? "N/A" : Number(row.net) + 2,
			"Generation/Fuel 3": "N/A",
			"NET MW 3": "N/A",
			"NET MW POI": row.net,
			"PROJECT COUNTY": row.county,
			"Project State": row.state,
			"Study Area": row.area,
			PTO: row.pto,
			POI: row.poi,
			"Voltage kV": row.kv,
			"Requested COD": day(String(row.cod)),
			"Queue Date": day("2025-02-12"),
			"Application Date": day("2024-11-20"),
			"Withdrawal Date": row.withdrawn === undefined ? null : day(String(row.withdrawn)),
			"Service Type": "Full Capacity Deliverability Status Requested",
		});
		const withDate = headers.toSpliced(headers.indexOf("Service Type"), 0, "Withdrawal Date");
		return workbook([
			{ name: "Cluster 15 ", rows: grid(headers, rows.filter((row) => row.withdrawn === undefined).map(record)) },
			{ name: "Withdrawn", rows: grid(withDate, rows.filter((row) => row.withdrawn !== undefined).map(record)) },
		]);
	},
};
