import { json } from "../../../test/support/file-formats.ts";
import { grid, nextDay, type Row, rowsOf, type SampleList } from "./list.ts";

const keys = [
	...["id", "projectNumber", "queueDate", "inService", "transmissionOwner", "county", "state", "studyCycle"],
	...["studyGroup", "studyPhase", "svcType", "poiName", "summerNetMW", "winterNetMW", "dp1ErisMw", "dp1NrisMw"],
	...["dp2ErisMw", "dp2NrisMw", "fuelType", "facilityType", "applicationStatus", "sisPhase1", "postGIAStatus"],
	...["withdrawnDate", "negInService", "doneDate", "giaToExec"],
];

const base: Row = { svcType: "NRIS", applicationStatus: "Active", postGIAStatus: "Not Started", sisPhase1: "" };
const solar = ["Solar", "Photovoltaic"];
const battery = ["Battery Storage", "Battery Storage"];
const wind = ["Wind", "Wind Turbine"];
const hybrid = ["Hybrid", "Solar/Battery"];
const peaker = ["Gas", "Combustion Turbine (Simple Cycle)"];
const agreed = { applicationStatus: "Done", studyPhase: "GIA" };

// biome-ignore format: a table, one request a line.
const yesterday = [
	...rowsOf(
		base,
		"projectNumber queueDate inService transmissionOwner county state studyCycle studyGroup studyPhase poiName summerNetMW winterNetMW fuelType facilityType",
		[
			["J9102", "2021-07-22", "2027-06-01", "AMEREN ILLINOIS", "Logan", "IL", "DPP-2021", "Central", "Phase 3", "Larkspur 138kV Substation", 150, 150, ...solar],
			["J9107", "2021-07-22", "2027-09-30", "AMEREN ILLINOIS", "Sangamon County", "IL", "DPP-2021", "Central", "Phase 3", "Tallgrass - Interstate 345kV line", 250, 250, ...hybrid],
			["J9111", "2021-07-20", "2026-12-15", "DUKE ENERGY INDIANA, LLC", "Tippecanoe", "IN", "DPP-2021", "Central", "Phase 3", "Wea Creek 230kV Substation", 200, 200, ...wind],
			["J9118", "2022-09-14", "2028-05-15", "METC", "Gratiot", "MI", "DPP-2022", "East (ITC)", "Phase 2", "Nelson Road 345 kV Station", 175, 175, ...wind],
			["J9123", "2022-09-15", "2028-06-01", "METC", "Calhoun County,Branch County", "MI", "DPP-2022", "East (ITC)", "Phase 2", "Fawn River - Battle Creek 138 kV", 120, 120, ...solar],
			["J9126", "2022-09-15", "2028-08-01", "ITC MIDWEST", "Linn", "IA", "DPP-2022", "West", "Phase 2", "Prairie Rose 161 kV Switching Station", 225, 225, ...battery],
			["J9131", "2022-09-16", "2028-10-01", "NORTHERN STATES POWER COMPANY", "Renville", "MN", "DPP-2022", "West", "Phase 2", "Bird Island 115kV Substation", 100, 100, ...battery],
			["J9134", "2022-09-16", "2028-12-01", "NORTHERN STATES POWER COMPANY", "Nobles", "MN", "DPP-2022", "West", "Phase 1", "Ocheda 345kV Substation", 300, 300, ...wind],
			["J9140", "2022-09-16", "2028-03-31", "ENTERGY ARKANSAS, LLC", "Lonoke", "AR", "DPP-2022", "South", "Phase 1", "Bayou Meto 230kV", 180, 180, ...hybrid],
			["J9145", "2022-09-16", "2028-04-15", "ENTERGY LOUISIANA, LLC", "St. Landry Parish", "LA", "DPP-2022", "South", "Phase 1", "Cypress Cutoff 138kV", 90, 90, ...solar],
			["J9151", "2023-04-17", "2029-06-01", "ENTERGY MISSISSIPPI, LLC.", "Sunflower", "MS", "DPP-2023", "South", "Study Not Started", "Quiver River 230kV Substation", 200, 200, ...solar],
			["J9156", "2023-04-17", "2029-06-01", "AMERICAN TRANSMISSION COMPANY", "Rock", "WI", "DPP-2023", "East (ATC)", "Study Not Started", "Turtle Creek 138kV", 150, 150, ...hybrid],
			["J9160", "2023-04-17", "2029-09-01", "AMERICAN TRANSMISSION COMPANY", "Grant", "WI", "DPP-2023", "East (ATC)", "Study Not Started", "Platte Mound 161kV Substation", 85, 85, ...battery],
			["J9164", "2023-04-18", "2029-12-01", "NORTHERN INDIANA PUBLIC SERVICE COMPANY LLC", "Pulaski", "IN", "DPP-2023", "Central", "Study Not Started", "Tippecanoe Bend 345 kV", 260, 260, ...solar],
			["J9171", "2025-10-07", "2030-06-01", "CLECO POWER LLC", "Rapides", "LA", "DPP-2025", "South", "Study Not Started", "Kincaid Lake 230kV", 410, 430, ...peaker],
			["J9175", "2025-10-08", "2030-10-01", "ITC MIDWEST", "Story County", "IA", "DPP-2025", "West", "Study Not Started", "Skunk River 345 kV Substation", 500, 500, ...wind],
		],
	),
	...rowsOf(
		base,
		"projectNumber queueDate inService transmissionOwner county state studyCycle studyGroup poiName summerNetMW winterNetMW fuelType facilityType",
		[
			["J9011", "2018-03-12", "2024-10-15", "ITC MIDWEST", "Adair", "IA", "DPP-2018-APR", "West", "Middle River 161kV Substation", 140, 140, ...wind],
			["J9016", "2018-03-12", "2025-03-01", "METC", "Shiawassee", "MI", "DPP-2018-APR", "East (ITC)", "Owosso Plains 138 kV", 125, 125, ...solar],
			["J9023", "2019-04-29", "2026-06-30", "AMEREN ILLINOIS", "Fulton", "IL", "DPP-2019", "Central", "Spoon River 138kV", 160, 160, ...solar],
			["J9029", "2019-04-29", "2025-12-31", "ENTERGY ARKANSAS, LLC", "Jefferson", "AR", "DPP-2019", "South", "Arkansas Post 115kV", 100, 100, ...solar],
		],
	).map((row) => ({ ...row, ...agreed, doneDate: "2023-05-02", giaToExec: "2023-04-11" })),
	...rowsOf(
		{ ...base, applicationStatus: "Withdrawn", studyPhase: "Phase 1" },
		"projectNumber queueDate inService transmissionOwner county state studyCycle studyGroup poiName summerNetMW winterNetMW fuelType facilityType withdrawnDate",
		[
			["J9038", "2020-06-24", "2025-09-01", "DUKE ENERGY INDIANA, LLC", "Boone", "IN", "DPP-2020", "Central", "Sugar Creek East 345kV", 300, 300, ...solar, "2023-11-17"],
			["J9044", "2020-06-24", "2025-09-01", "CLECO POWER LLC", "Avoyelles Parish", "LA", "DPP-2020", "South", "Marksville Bend 138kV", 75, 75, ...battery, "2024-02-05"],
			["J9142", "2022-09-14", "2028-10-02", "ENTERGY MISSISSIPPI, LLC.", "Choctaw", "MS", "DPP-2022", "South", "Natchez Trace 500 kV", 900, 900, "High Voltage DC", "", "2025-07-31"],
		],
	),
].map((row: Row): Row => {
	const operating: Record<string, string> = { J9011: "In Service", J9016: "In Service (with Provisional GIA)" };
	return { ...row, postGIAStatus: operating[String(row.projectNumber)] ?? row.postGIAStatus };
});

// biome-ignore format: a table, one request a line.
const today = nextDay(yesterday, "projectNumber", {
	changed: {
		J9123: { applicationStatus: "Withdrawn", withdrawnDate: "2026-11-18" },
		J9126: { studyPhase: "Phase 3" },
		J9107: { summerNetMW: 200, winterNetMW: 200 },
		J9131: { negInService: "2029-12-01" },
		J9023: { postGIAStatus: "Under Construction" },
		// The next request names the same place in other letters.
		J9118: { poiName: "Nelson  Road 345 kV station" },
		J9145: { county: "St. Landry Parish,St. Landry" },
		J9156: { state: "Wisconsin" },
	},
	gone: ["J9160"],
	added: rowsOf(
		base,
		"projectNumber queueDate inService transmissionOwner county state studyCycle studyGroup studyPhase poiName summerNetMW winterNetMW fuelType facilityType",
		[
			["J9301", "2026-11-17", "2031-06-01", "AMEREN ILLINOIS", "McLean", "IL", "DPP-2026", "Central", "Study Not Started", "Mackinaw 345kV Substation", 220, 220, ...battery],
		],
	),
});

/** Eastern midnight, with the offset of summer time or without. */
function moment(iso: unknown): string | null {
	if (typeof iso !== "string" || iso === "") return null;
	return `${iso}T${Number(iso.slice(5, 7)) % 11 < 2 ? "05" : "04"}:00:00+00:00`;
}

export const miso: SampleList = {
	feed: "miso",
	name: "getprojects",
	yesterday,
	today,
	write(rows, { isToday }) {
		const dates = ["queueDate", "inService", "withdrawnDate", "negInService", "doneDate", "giaToExec"];
		const records = (isToday ? rows.toReversed() : rows).map(
			(row, at): Row => ({
				...row,
				// The API numbers its rows anew every day.
				id: (isToday ? 3_151_700 : 3_147_900) + at,
				dp1ErisMw: 0,
				dp1NrisMw: 0,
				dp2ErisMw: 0,
				dp2NrisMw: 0,
				...Object.fromEntries(dates.map((name) => [name, moment(row[name])])),
			}),
		);
		return json(grid(keys, records));
	},
};
