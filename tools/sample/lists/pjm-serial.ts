import type { Cell } from "#libs/files/values.ts";
import { xml } from "../../../test/support/file-formats.ts";
import { columns, grid, nextDay, type Row, rowsOf, type SampleList, slashed } from "./list.ts";

const agreement = "Interim/Interconnection Service/Generation Interconnection Agreement";
const headers = [
	...columns(`Project ID, Name, Commercial Name, State, County, Status, Transmission Owner, MFO, MW Energy, MW Capacity,
		MW In Service, Capacity or Energy, Project Type, Fuel, Project (AC/DC), Rights (MW), Initial Study, Feasibility Study,
		Feasibility Study Status, System Impact Study, System Impact Study Status, Facilities Study, Facilities Study Status`),
	agreement,
	`${agreement} Status`,
	...columns(`Wholesale Market Participation Agreement, Construction Service Agreement, Construction Service Agreement Status,
		Upgrade Construction Service Agreement, Upgrade Construction Service Agreement Status, Backfeed Date, Submitted Date,
		Long-Term Firm Service Start Date, Long-Term Firm Service End Date, Test Energy Date, Withdrawal Date, Withdrawn Remarks,
		Commercial Operation Milestone, Revised In Service Date, Actual In Service Date, Attachment Type, Alternate Project,
		Sliding Project`),
];
/** The elements of the XML are the headers in CamelCase, but for these. */
const elements: Record<string, string> = { "Project ID": "ProjectNumber", MFO: "MaximumFacilityOutput" };

const base: Row = {
	"Project Type": "Generation Interconnection",
	"Capacity or Energy": "Capacity",
	"Feasibility Study Status": "Document Posted",
	"System Impact Study Status": "Document Posted",
	"Attachment Type": "N",
};
const studied: Row = { ...base, Status: "Active", "Facilities Study Status": "In Progress" };
const agreed: Row = {
	...base,
	"Facilities Study Status": "Document Posted",
	[`${agreement} Status`]: "Document Posted",
};
const names =
	"Project_ID Name Commercial_Name State County Transmission_Owner MW Fuel Submitted_Date Revised_In_Service_Date";

// biome-ignore format: a table, one request a line.
const yesterday = [
	...rowsOf({ ...agreed, Status: "Engineering and Procurement" }, names, [
		["AB2-971", "Church - Oil City 138kV", "Tuckahoe Solar Project", "MD", "Caroline", "DPL", 92, "Solar", "2016-02-26", "2027-06-30"],
		["AC1-974", "Carson - Rawlings 230 kV", "Nottoway River Solar", "VA", "Dinwiddie", "Dominion", 100, "Solar", "2016-09-12", "2027-03-31"],
		["AC2-976", "Marysville Gap 345 kV", "Darby Plains Solar", "OH", "Union", "AEP", 205, "Solar; Storage", "2017-03-29", "2027-12-31"],
		["AD1-979", "Logtown 138 kV", "Wabash Bottoms Wind", "IN", "White", "AEP", 150, "Wind", "2017-09-22", "2026-12-31"],
		["AD2-972", "Sandy Point 138 kV", "Fishing Bay Storage", "MD", "Dorchester", "DPL", 40, "Storage", "2018-04-12", "2027-09-30"],
	]),
	...rowsOf({ ...agreed, Status: "Under Construction" }, names, [
		["AB1-973", "Grovertown 345 kV", "Kankakee Marsh Solar", "IN", "Starke", "NIPSCO", 90, "Solar", "2015-10-30", "2026-12-15"],
		["AC2-978", "Birdsboro West 230 kV", "Hopewell Furnace Storage", "PA", "Berks", "ME", 60, "Storage", "2017-04-03", "2026-12-31"],
	]),
	...rowsOf({ ...agreed, Status: "Suspended" }, names, [
		["AD1-985", "Meadow Bluff 138 kV", "Greenbrier Ridge Wind", "WV", "Greenbrier", "AEP", 80, "Wind", "2017-10-20", "2028-12-31"],
	]),
	...rowsOf(studied, names, [
		["AE1-981", "Loretto 138 kV", "Pocomoke Sound Solar", "MD", "Somerset", "DPL", 75, "Solar", "2018-06-28", "2028-06-01"],
		["AE1-986", "Smith Mountain 138 kV", "Staunton River Storage", "VA", "Pittsylvania", "AEP", 85, "Storage", "2018-07-30", "2028-12-01"],
		["AE2-983", "Dixon Crossing 345 kV", "Rock River Wind", "IL", "Lee", "ComEd", 210, "Wind", "2018-11-15", "2028-10-31"],
	]),
	...rowsOf({ ...agreed, Status: "In Service", "Actual In Service Date": "2022-06-15" }, names, [
		["Y2-971", "Tioga Summit 115 kV", "Armenia Heights Wind", "PA", "Tioga", "PENELEC", 99, "Wind", "2012-11-21", "2021-12-31"],
		["Z1-975", "Cedar Creek 230 kV", "Delmar Solar Farm", "DE", "Sussex", "DPL", 50, "Solar", "2013-04-25", "2021-12-31"],
		["AA1-977", "Lordstown South 345 kV", "Mahoning Energy Center", "OH", "Trumbull", "ATSI", 940, "Natural Gas", "2014-07-11", "2022-06-01"],
	]),
	...rowsOf(
		{
			...base,
			Status: "Withdrawn",
			"Withdrawal Date": "2024-12-18",
			"Withdrawn Remarks": "Customer Milestone Not Met",
		},
		names,
		[
			["AD2-988", "Tangier 69 kV", "", "VA", "Accomack", "DPL", 20, "Solar", "2018-04-26", "2023-12-31"],
			["AE1-989", "Kanawha Falls 138 kV", "", "WV", "Fayette", "AEP", 60, "Solar", "2018-09-27", "2024-06-30"],
		],
	),
	// The cycle list states this one; its row here reads like a withdrawal, and is none.
	...rowsOf({ ...studied, Status: "Withdrawn" }, names, [
		["AF2-918 - moved to TC1", "Clinton Prairie 345 kV", "Salt Fork Energy Center", "IL", "De Witt", "ComEd", 250, "Solar; Storage", "2020-03-27", "2028-06-01"],
	]),
	...rowsOf(
		{ "Project Type": "Long-Term Firm Transmission Service", Status: "Confirmed", Fuel: "N/A" },
		"Project_ID Name State MW Submitted_Date Long-Term_Firm_Service_Start_Date",
		[["9917402", "MISO to PJM", "N/A", 100, "2021-05-14", "2027-06-01"]],
	),
];

// biome-ignore format: a table, one request a line.
const today = nextDay(yesterday, "Project ID", {
	changed: {
		"AE1-981": {
			Status: "Withdrawn",
			"Withdrawal Date": "2026-11-19",
			"Withdrawn Remarks": "Customer Initiated Withdrawal",
		},
		"AC1-974": { Status: "Under Construction" },
		"AB1-973": { Status: "In Service", "Actual In Service Date": "2026-11-16" },
		"AC2-976": { MW: 180 },
		"AD1-979": { "Revised In Service Date": "2027-12-31" },
		"AE1-986": { "Commercial Name": "Leesville Lake Storage" },
		// Says the same in other letters.
		"AE2-983": { Name: "Dixon  Crossing 345 kV", County: "LEE" },
		"AD2-972": { Fuel: "Storage " },
	},
	gone: ["AD2-988"],
});

export const pjmSerial: SampleList = {
	feed: "pjm-serial",
	name: "PlanningQueues.xml",
	yesterday,
	today,
	write(rows, { isToday }) {
		const dates = [
			"Submitted Date",
			"Withdrawal Date",
			"Revised In Service Date",
			"Actual In Service Date",
			"Long-Term Firm Service Start Date",
		];
		const records = rows.map((row): Row => {
			const mw = (share: number) => (isToday ? String(Number(row.MW) * share) : (Number(row.MW) * share).toFixed(1));
			return {
				...row,
				MFO: mw(1),
				"MW Energy": mw(1),
				"MW Capacity": mw(0.5),
				...Object.fromEntries(dates.map((name) => [name, slashed(row[name])])),
			};
		});
		const [, ...body] = grid(headers, records);
		const tags: Cell[] = headers.map((header) => elements[header] ?? header.replace(/[^A-Za-z0-9]/g, ""));
		const whole = xml("Projects", "Project", [tags, ...body]).toString();
		// An element without content is left out.
		return Buffer.from(whole.replaceAll(/^ *<(\w+)><\/\1>\n/gm, ""));
	},
};
