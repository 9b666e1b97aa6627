import { csv, xml } from "../file-formats.ts";
import type { QueueRow, QueueStatus } from "../queue-files.ts";
import { grid, type Layout, list, padded, plain, type Record_, slashed, when } from "./layout.ts";

const pjmWords: Record<QueueStatus, string> = {
	active: "Active",
	suspended: "Suspended",
	operational: "In Service",
	withdrawn: "Withdrawn",
};

const pjmSerialHeaders = [
	...list(`Project ID, Name, Commercial Name, State, County, Status, Transmission Owner, MFO, MW Energy, MW Capacity,
		MW In Service, Capacity or Energy, Project Type, Fuel, Feasibility Study, Feasibility Study Status,
		System Impact Study, System Impact Study Status, Facilities Study, Facilities Study Status`),
	"Interim/Interconnection Service/Generation Interconnection Agreement",
	"Interim/Interconnection Service/Generation Interconnection Agreement Status",
	...list(`Backfeed Date, Submitted Date, Withdrawal Date, Withdrawn Remarks, Projected In Service Date,
		Commercial Operation Milestone, Actual In Service Date, Attachment Type`),
];

const pjmSerialRecord = (row: QueueRow): Record_ => ({
	"Project ID": row.number,
	Name: row.poi,
	"Commercial Name": row.name,
	State: row.state,
	County: row.county,
	Status: pjmWords[row.status],
	"Transmission Owner": "PPL",
	MFO: row.mw.toFixed(1),
	"MW Energy": row.mw.toFixed(1),
	"MW Capacity": (row.mw * 0.6).toFixed(1),
	"Capacity or Energy": "Capacity",
	"Project Type": "Generation Interconnection",
	Fuel: row.fuel === "Gas" ? "Natural Gas" : row.fuel,
	"Feasibility Study": `https://www.pjm.com/${row.number}_fea.pdf`,
	"Feasibility Study Status": "Document Posted",
	"System Impact Study Status": "In Progress",
	"Submitted Date": slashed(row.queueDate),
	"Withdrawal Date": slashed(when(row, "withdrawn")),
	"Projected In Service Date": slashed(row.cod),
	"Actual In Service Date": slashed(when(row, "operational")),
	"Attachment Type": "N",
});

/** The two elements that are not named like the columns of the other layouts. */
const pjmElements: Record<string, string> = { "Project ID": "ProjectNumber", MFO: "MaximumFacilityOutput" };

const pjmCycleHeaders = list(`Project ID, Cycle, Stage, Name, Commercial Name, Developer, State, County, Status,
	Project Type, Transmission Owner, MFO, MW Energy, MW Capacity, MW In Service, Capacity or Energy, Fuel, Submitted Date,
	Requested In-Service Date, Actual In-Service Date, Commercial Operation Milestone, Backfeed Date, Test Energy Date,
	Last Updated, Withdrawn Date, Withdrawn Remarks, Phase 1 SIS Report, Phase 1 SIS Report Status,
	EPA/GIA/WMPA Report Status, Rights (MW)`);

const pjmCycleRecord = (row: QueueRow): Record_ => ({
	"Project ID": row.number,
	Cycle: "TC2",
	Stage: "PHASE 2",
	Name: row.poi,
	"Commercial Name": row.name,
	Developer: row.developer,
	State: row.state,
	County: row.county,
	Status: pjmWords[row.status],
	"Project Type": "Generation Interconnection",
	"Transmission Owner": "AEP",
	MFO: row.mw.toFixed(2),
	"MW Energy": row.mw.toFixed(2),
	"MW Capacity": (row.mw * 0.6).toFixed(2),
	"Capacity or Energy": "Capacity",
	Fuel: row.fuel,
	"Submitted Date": slashed(row.queueDate),
	"Requested In-Service Date": slashed(row.cod),
	"Actual In-Service Date": slashed(when(row, "operational")),
	"Last Updated": "6/2/2026",
	"Withdrawn Date": slashed(when(row, "withdrawn")),
	"Phase 1 SIS Report": `https://www.pjm.com/${row.number}_imp_PHASE_1.htm`,
	"Phase 1 SIS Report Status": "Posted",
	"EPA/GIA/WMPA Report Status": "Not Started",
});

export const pjmCycle: Layout = {
	number: (n) => `AH1-${padded(n, 3)}`,
	statuses: ["active", "suspended", "operational", "withdrawn"],
	places: [
		["Franklin", "OH"],
		["Lebanon", "PA"],
		["Caroline", "MD"],
		["Sussex", "DE"],
	],
	files: {
		csv: plain("raw_pjm_cycle_transition.csv", (rows) => csv(grid(rows.map(pjmCycleRecord), pjmCycleHeaders))),
	},
};

export const pjmSerial: Layout = {
	number: (n) => `AE2-${padded(n, 3)}`,
	statuses: ["active", "suspended", "operational", "withdrawn"],
	places: [
		["Lebanon", "PA"],
		["Franklin", "OH"],
		["Caroline", "MD"],
		["Sussex", "DE"],
	],
	files: {
		xml: plain("PlanningQueues.xml", (rows) => {
			const [headers = [], ...body] = grid(rows.map(pjmSerialRecord), pjmSerialHeaders);
			const elements = headers.map((name) => pjmElements[String(name)] ?? String(name).replace(/[^A-Za-z0-9]/g, ""));
			return xml("Projects", "Project", [elements, ...body]);
		}),
		csv: plain("PlanningQueues.csv", (rows) => csv(grid(rows.map(pjmSerialRecord), pjmSerialHeaders))),
	},
};
