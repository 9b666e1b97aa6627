import type { Table } from "#libs/files/table.ts";
import type { QueueRow, QueueStatus } from "../queue-files.ts";
import { day, type Layout, type Record_, sheet, when, xlsx } from "./layout.ts";

const caisoHeaders = (...dates: string[]) => [
	...["Project Name", "Queue Position", "Interconnection Request\r\nReceive Date", "Queue Date", "Application Status"],
	...["Study\r\nProcess", "Type-1", "Type-2", "Type-3", "Fuel-1", "Fuel-2", "Fuel-3", "MW-1", "MW-2", "MW-3"],
	...["Net MWs to Grid", "Full Capacity, Partial or Energy Only (FC/P/EO)", "County", "State", "Utility"],
	...["Station or Transmission Line", "Proposed\r\nOn-line Date\r\n(as filed with IR)", ...dates],
	...["Feasibility Study or Supplemental Review", "System Impact Study or \r\nPhase I Cluster Study"],
	...["Facilities Study (FAS) or \r\nPhase II Cluster Study", "Optional Study\r\n(OS)"],
	"Interconnection Agreement \r\nStatus",
];

const caisoTypes = {
	Solar: ["Photovoltaic", "Solar"],
	Wind: ["Wind Turbine", "Wind Turbine"],
	Storage: ["Storage", "Battery"],
	Gas: ["Combined Cycle", "Natural Gas"],
} as const;

function caisoRecord(row: QueueRow): Record_ {
	const words = { active: "ACTIVE", suspended: "ACTIVE", operational: "COMPLETED", withdrawn: "WITHDRAWN" };
	return {
		"Project Name": row.name.toUpperCase(),
		// Numbers where they are nothing but digits, as the operator's workbook has them.
		"Queue Position": /^\d+$/.test(row.number) ? Number(row.number) : row.number,
		"Interconnection Request\r\nReceive Date": day(row.queueDate),
		"Queue Date": day(row.queueDate),
		"Application Status": words[row.status],
		"Study\r\nProcess": "C10",
		"Type-1": caisoTypes[row.fuel][0],
		"Fuel-1": caisoTypes[row.fuel][1],
		"MW-1": row.mw,
		...(row.battery !== undefined && { "Type-2": "Storage", "Fuel-2": "Battery", "MW-2": row.battery }),
		"Net MWs to Grid": row.mw,
		"Full Capacity, Partial or Energy Only (FC/P/EO)": "Full Capacity",
		County: row.county.toUpperCase(),
		State: row.state,
		Utility: "PGAE",
		"Station or Transmission Line": row.poi,
		"Proposed\r\nOn-line Date\r\n(as filed with IR)": day(row.cod),
		"Current\r\nOn-line Date": day(row.cod),
		"Actual\r\nOn-line Date": day(when(row, "operational")),
		"Withdrawn Date": day(when(row, "withdrawn")),
		"Suspension Status": row.status === "suspended" ? "Suspended" : null,
		"System Impact Study or \r\nPhase I Cluster Study": "Complete",
		"Interconnection Agreement \r\nStatus": row.status === "operational" ? "Executed" : "In Progress",
	};
}

function caisoSheets(rows: readonly QueueRow[], publishedOn: string): Table[] {
	const [year, month, dayOfMonth] = publishedOn.split("-");
	const queue = (name: string, words: string, statuses: QueueStatus[], ...dates: string[]) =>
		sheet(
			name,
			[
				[...Array(20).fill(null), `Report Run Date: ${month}/${dayOfMonth}/${year}`],
				[null, null, null, `The California ISO Controlled Grid Generation Queue for All: ${words}`],
				[...Array(6).fill(null), "Generating Facility", null, null, null, null, null, "MWs"],
			],
			rows.filter((row) => statuses.includes(row.status)).map(caisoRecord),
			caisoHeaders(...dates),
		);
	const active = ["Current\r\nOn-line Date", "Suspension Status"];
	return [
		queue("Grid GenerationQueue", "Active", ["active", "suspended"], ...active),
		queue("Completed Generation Projects", "Completed", ["operational"], "Actual\r\nOn-line Date"),
		queue("Withdrawn Generation Projects", "Withdrawn", ["withdrawn"], "Current\r\nOn-line Date", "Withdrawn Date"),
	];
}

export const caiso: Layout = {
	number: (n) => String(1000 + n),
	statuses: ["active", "suspended", "operational", "withdrawn"],
	places: [
		["Solano", "CA"],
		["Kern", "CA"],
		["Fresno", "CA"],
		["San Diego", "CA"],
	],
	files: { xlsx: xlsx("publicqueuereport.xlsx", caisoSheets) },
};
