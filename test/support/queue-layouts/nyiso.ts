import type { Table } from "#libs/files/table.ts";
import type { Cell } from "#libs/files/values.ts";
import type { QueueRow, QueueStatus } from "../queue-files.ts";
import { day, grid, type Layout, padded, type Record_, xlsx } from "./layout.ts";

const nyisoQueue = [
	...["Queue Pos.", "Developer/Interconnection Customer", "Project Name", "Date of IR", "SP (MW)", "WP (MW)"],
	...["Type/ Fuel", "County", "State", "Z", "Points of Interconnection", "Utility", "S", "Last Updated Date"],
	...["Availability of Studies", "IA Tender Date", "CY/FS Complete Date", "Proposed In-Service/Initial Backfeed Date"],
	...["Proposed Sync Date", "Proposed COD"],
];
const nyisoWithdrawn = [
	...["Queue Pos.", "Owner/Developer", "Project Name", "Date of IR", "SP (MW)", "WP (MW)", "Type/ Fuel", "County"],
	...["State", "Z", "Interconnection Point", "Utility", "S", "Last Update"],
];
/** The header of "In Service" is wrapped over two rows. */
const nyisoInService = [
	["Queue", "Pos."],
	["", "Owner/Developer"],
	["", "Project Name"],
	["Date", "of IR"],
	["SP", "(MW)"],
	["WP", "(MW)"],
	["Type/", "Fuel"],
	["Location", "County"],
	["", "State"],
	["Z", ""],
	["Interconnection", "Point"],
	["", "Utility"],
	["", "S"],
	["Last Update", ""],
	["Availability", "of Studies"],
	["Proposed", "In-Service"],
	["Proposed", "COD"],
] as const;
const nyisoNotes: Cell[][] = [[], ["NOTES:", "● The column labeled 'SP' refers to the maximum summer output."]];

function nyisoRecord(row: QueueRow): Record_ {
	const [year, month] = row.cod.split("-");
	const updated = day(row.ended ?? "2024-11-30");
	const cod = `${month}-${year}`;
	return {
		"Queue Pos.": row.number,
		"Developer/Interconnection Customer": row.developer,
		"Owner/Developer": row.developer,
		"Interconnection Customer Name": row.developer,
		"Project Name": row.name,
		"Date of IR": day(row.queueDate),
		"SP (MW)": row.mw,
		"WP (MW)": row.mw,
		"Type/ Fuel": { Solar: "S", Wind: "W", Storage: "ES", Gas: "NG" }[row.fuel],
		County: row.county,
		State: row.state,
		Z: "C",
		"Points of Interconnection": row.poi,
		"Interconnection Point": row.poi,
		Utility: "NM-NG",
		S: { active: "6", suspended: "6", operational: "14", withdrawn: "0" }[row.status],
		"Last Updated Date": updated,
		"Last Update": updated,
		"Availability of Studies": "FES, SRIS",
		"Proposed In-Service/Initial Backfeed Date": cod,
		"Proposed COD": cod,
	};
}

function nyisoSheets(rows: readonly QueueRow[]): Table[] {
	const of = (status: QueueStatus) => rows.filter((row) => row.status === status).map(nyisoRecord);
	const joined = nyisoInService.map(([upper, lower]) => `${upper} ${lower}`.trim());
	// Their header, joined, reads like those of the other sheets; the file has it in two rows.
	const [, ...inService] = grid(
		of("operational").map((record) => ({ ...record, "Date of IR": record["Date of IR"] ?? null })),
		joined.map((header) => (header === "Location County" ? "County" : header)),
	);
	return [
		{ name: "Interconnection Queue", rows: [...grid(of("active"), nyisoQueue), ...nyisoNotes] },
		{ name: "Withdrawn", rows: [...grid(of("withdrawn"), nyisoWithdrawn), ...nyisoNotes] },
		{
			name: "In Service",
			rows: [
				nyisoInService.map(([upper]) => upper || null),
				nyisoInService.map(([, lower]) => lower || null),
				...inService,
			],
		},
	];
}

export const nyiso: Layout = {
	number: (n) => padded(n, 4),
	statuses: ["active", "operational", "withdrawn"],
	places: [
		["Cortland", "NY"],
		["Erie", "NY"],
		["Jefferson", "NY"],
		["Albany", "NY"],
	],
	files: { xlsx: xlsx("NYISO-Interconnection-Queue.xlsx", nyisoSheets) },
};
