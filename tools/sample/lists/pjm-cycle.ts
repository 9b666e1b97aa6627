import { csv } from "../../../test/support/file-formats.ts";
import { columns, grid, nextDay, type Row, rowsOf, type SampleList, slashed } from "./list.ts";

const headers =
	columns(`Project ID, Cycle, Stage, Name, Commercial Name, Developer, State, County, Status, Project Type,
	Transmission Owner, MFO, MW Energy, MW Capacity, MW In Service, Capacity or Energy, Fuel, Submitted Date,
	Requested In-Service Date, Actual In-Service Date, Commercial Operation Milestone, Backfeed Date, Test Energy Date,
	Last Updated, Withdrawn Date, Withdrawn Remarks, Phase 1 SIS Report, Phase 1 SIS Report Status, Phase 2 SIS Report,
	Phase 2 SIS Report Status, Phase 3 SIS Report, Phase 3 SIS Report Status, Final SIS Report, Final SIS Report Status,
	EPA/GIA/WMPA Report, EPA/GIA/WMPA Report Status, CSA/USCA Report, CSA/USCA Report Status, Transmission Type, Rights (MW),
	TSR ID, TSR Start Date, TSR End Date, LTF MW`);

const base: Row = {
	Status: "Active",
	"Project Type": "Generation Interconnection",
	"Capacity or Energy": "Capacity",
	"Phase 1 SIS Report Status": "Posted",
	"Phase 2 SIS Report Status": "Not Started",
	"Phase 3 SIS Report Status": "Not Started",
	"Final SIS Report Status": "Not Started",
	"EPA/GIA/WMPA Report Status": "Not Started",
	"CSA/USCA Report Status": "Not Started",
};
const names =
	"Project_ID Name Commercial_Name Developer State County Transmission_Owner MW Fuel Submitted_Date Requested_In-Service_Date";

// biome-ignore format: a table, one request a line.
const yesterday = [
	...rowsOf(
		{ ...base, Cycle: "TC1", Stage: "FINAL AGREEMENT", Status: "EP", "EPA/GIA/WMPA Report Status": "Posted" },
		names,
		[
			["AE2-901", "Kewanna 138 kV", "Tippecanoe Fields Solar", "Tippecanoe Fields Solar LLC", "IN", "Fulton", "AEP", 150, "Solar", "2018-10-31", "2027-06-01"],
			["AF1-912", "Roanoke Rapids 115 kV", "Weldon Bend Solar", "Weldon Bend Solar, LLC", "NC", "Halifax", "Dominion", 80, "Solar", "2019-09-12", "2027-12-01"],
			["AF2-904", "Mountaineer Ridge 138 kV", "Allegheny Crest Wind", "Allegheny Crest Wind LLC", "WV", "Grant", "APS", 95, "Wind", "2020-03-24", "2027-10-15"],
		],
	),
	...rowsOf(
		{
			...base,
			Cycle: "TC1",
			Stage: "PHASE 3",
			"Phase 2 SIS Report Status": "Posted",
			"Phase 3 SIS Report Status": "In Progress",
		},
		names,
		[
			["AF2-918", "Clinton Prairie 345 kV", "Salt Fork Energy Center", "Salt Fork Energy Center LLC", "IL", "De Witt", "ComEd", 250, "Solar,Storage,Hybrid", "2020-03-27", "2028-06-01"],
			["AG1-907", "Harvest Lane 138 kV", "Stillwater River Solar", "Stillwater River Solar LLC", "OH", "Darke", "Dayton", 175, "Solar", "2020-09-18", "2028-12-31"],
		],
	),
	...rowsOf({ ...base, Cycle: "TC2", Stage: "PHASE 2", "Phase 2 SIS Report Status": "In Progress" }, names, [
		["AG2-903", "Rocky Fork 345 kV", "Paint Creek Storage", "Paint Creek Storage LLC", "OH", "Highland", "AEP", 200, "Storage", "2021-03-26", "2028-12-02"],
		["AG2-909", "Church Hill 138 kV", "Chester River Solar", "Chester River Solar, LLC", "MD", "Queen Anne's", "DPL", 65, "Solar", "2021-03-29", "2028-06-01"],
		["AG2-915", "Emporia - Lawrenceville 230 kV", "Fontaine Creek Solar", "Fontaine Creek Solar LLC", "VA", "Greensville", "Dominion", 140, "Solar,Storage,Hybrid", "2021-03-30", "2029-03-01"],
		["AH1-902", "Juniata Gap 230 kV", "Juniata Gap Storage", "Blue Knob Storage LLC", "PA", "Huntingdon", "PENELEC", 100, "Storage", "2021-09-08", "2029-06-01"],
		["AH1-908", "Kincaid Prairie 345 kV", "Flat Branch Wind", "Flat Branch Wind Energy LLC", "IL", "Christian", "ComEd", 300, "Wind", "2021-09-10", "2029-12-31"],
		["AH1-914", "Northern Neck 115 kV", "", "Rappahannock Sun LLC", "VA", "King and Queen", "Dominion", 50, "Solar", "2021-09-10", "2029-06-01"],
		["AH1-921", "Salem Pike 138 kV", "", "Wills Creek Energy Storage LLC", "OH", "Guernsey", "AEP", 125, "Storage", "2021-09-10", "2029-06-01"],
	]),
	...rowsOf(
		{
			...base,
			Cycle: "TC2",
			Stage: "PHASE 2",
			Status: "Withdrawn",
			"Withdrawn Date": "2026-03-31",
			"Withdrawn Remarks": "Customer Initiated Withdrawal",
		},
		names,
		[
			["AG2-922", "Cumberland 230 kV", "", "Maurice River Battery LLC", "NJ", "Cumberland", "AEC", 110, "Storage", "2021-03-31", "2028-06-01"],
			["AH1-929", "Big Sandy 138 kV", "", "Levisa Fork Solar LLC", "KY", "Lawrence", "AEP", 90, "Solar", "2021-09-10", "2028-12-01"],
		],
	),
	...rowsOf(
		{ ...base, Cycle: "C01", Stage: "Application Submission", "Phase 1 SIS Report Status": "Not Started" },
		names,
		[
			["AK1-901", "Susquehanna Bend 500 kV", "Susquehanna Bend Energy Center", "Susquehanna Bend Power LLC", "PA", "Luzerne", "PPL", 650, "Natural Gas", "2026-04-21", "2031-06-01"],
			["AK1-904", "Possum Hollow 230 kV", "Occoquan Storage", "Occoquan Storage Project LLC", "VA", "Prince William", "Dominion", 180, "Storage", "2026-04-24", "2030-12-01"],
		],
	),
	...rowsOf(
		{
			...base,
			Cycle: "TC1",
			Stage: "PHASE 2",
			"Project Type": "Merchant Transmission",
			Fuel: "Not Specified",
			"Transmission Type": "DC",
		},
		"Project_ID Name Commercial_Name Developer State County Transmission_Owner MW Submitted_Date Requested_In-Service_Date",
		[
			["AF1-930", "Byron Junction 345 kV", "Illini Link", "Illini Link HVDC LLC", "IL", "Ogle", "ComEd", 1000, "2019-09-25", "2031-12-31"],
		],
	),
];

// biome-ignore format: a table, one request a line.
const today = nextDay(yesterday, "Project ID", {
	changed: {
		"AG2-915": {
			Status: "Withdrawn",
			"Withdrawn Date": "2026-11-18",
			"Withdrawn Remarks": "Customer Initiated Withdrawal",
		},
		"AH1-902": { Developer: "Raystown Energy Storage LLC" },
		"AG1-907": { Stage: "FINAL AGREEMENT", "Phase 3 SIS Report Status": "Posted" },
		"AF1-912": { Status: "UC" },
		"AG2-909": { MW: 60 },
		"AF2-904": { "Commercial Operation Milestone": "2028-10-15" },
		"AH1-914": { "Commercial Name": "Rappahannock Sun" },
		// Says the same in other letters.
		"AE2-901": { Developer: "TIPPECANOE FIELDS SOLAR, LLC" },
		"AG2-903": { Name: "Rocky  Fork 345 kV" },
	},
	gone: ["AH1-921"],
	added: rowsOf(
		{ ...base, Cycle: "C01", Stage: "Application Submission", "Phase 1 SIS Report Status": "Not Started" },
		names,
		[
			["AK1-917", "Brandywine Forge 230 kV", "Brandywine Forge Storage", "Brandywine Forge Storage LLC", "DE", "New Castle", "DPL", 120, "Storage", "2026-11-12", "2031-03-01"],
		],
	),
});

export const pjmCycle: SampleList = {
	feed: "pjm-cycle",
	name: "TransitionProjects.csv",
	yesterday,
	today,
	write(rows, { iso, isToday }) {
		const records = rows.map((row): Row => {
			const dates = ["Submitted Date", "Requested In-Service Date", "Commercial Operation Milestone", "Withdrawn Date"];
			const mw = (share: number) => (Number(row.MW) * share).toFixed(isToday ? 1 : 2);
			return {
				...row,
				MFO: mw(1),
				"MW Energy": mw(1),
				"MW Capacity": mw(0.6),
				"Last Updated": slashed(isToday ? iso : "2026-11-02"),
				...Object.fromEntries(dates.map((name) => [name, slashed(row[name])])),
			};
		});
		return csv(grid(headers, records));
	},
};
