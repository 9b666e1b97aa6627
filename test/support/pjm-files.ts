/** Small lists in PJM's layouts, written by hand for the tests. */
import type { Cell } from "#libs/files/values.ts";
import type { FiledRequest, RawFile, Source } from "../../services/queue-ingest/sources/source.ts";

export type Row = Record<string, string>;

export const file = (source: string, name: string): RawFile => ({ name, bytes: new TextEncoder().encode(source) });
const quoted = (cell: Cell) => `"${String(cell ?? "").replaceAll('"', '""')}"`;
export const csvOf = (rows: Cell[][]) =>
	file(rows.map((row) => `${row.map(quoted).join(",")}\n`).join(""), "PlanningQueues.csv");

/** PJM's XML: the headers in CamelCase, with two differently named elements. */
export function xmlOf([headers = [], ...rows]: Cell[][]): RawFile {
	const renamed: Row = { "Project ID": "ProjectNumber", MFO: "MaximumFacilityOutput" };
	const escaped = (cell: Cell) => String(cell ?? "").replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
	const element = (header: Cell, cell: Cell) => {
		const name = renamed[String(header)] ?? String(header).replace(/[^A-Za-z0-9]/g, "");
		return `<${name}>${escaped(cell)}</${name}>`;
	};
	const projects = rows.map(
		(row) => `<Project>${headers.map((header, at) => element(header, row[at])).join("")}</Project>`,
	);
	return file(
		`<?xml version="1.0" encoding="utf-8"?>\n<Projects>\n${projects.join("\n")}\n</Projects>`,
		"PlanningQueues.xml",
	);
}

export const serialExample: Row = {
	"Project ID": "AB2-901",
	Name: "Church - Oil City 138kV",
	"Commercial Name": "Heron Solar Project",
	State: "MD",
	County: "Caroline",
	Status: "Engineering and Procurement",
	"Transmission Owner": "DPL",
	MFO: "92.0",
	"MW Energy": "90",
	"MW Capacity": "34.9",
	"MW In Service": "",
	"Capacity or Energy": "Capacity",
	"Project Type": "Generation Interconnection",
	Fuel: "Solar; Storage",
	"Feasibility Study": "https://www.pjm.com/ab2901_fea.pdf",
	"Feasibility Study Status": "Document Posted",
	"System Impact Study Status": "",
	"Facilities Study Status": "",
	"Interim/Interconnection Service/Generation Interconnection Agreement": "https://www.pjm.com/ab2901_isa.pdf",
	"Interim/Interconnection Service/Generation Interconnection Agreement Status": "",
	"Backfeed Date": "6/20/2026",
	"Submitted Date": "2/26/2016",
	"Withdrawal Date": "",
	"Commercial Operation Milestone": "12/31/2026",
	"Revised In Service Date": "",
	"Actual In Service Date": "",
	"Attachment Type": "N",
};

export const cycleExample: Row = {
	"Project ID": "AG2-901",
	Cycle: "TC2",
	Stage: "PHASE 1",
	Name: "Dequine 345 kV",
	"Commercial Name": "",
	Developer: "Brook Trout Solar LLC",
	State: "-",
	County: "Not Specified",
	Status: "Active",
	"Project Type": "Generation Interconnection",
	"Transmission Owner": "AEP",
	MFO: "100.00",
	"MW Energy": "100.00",
	"MW Capacity": "78.00",
	"Capacity or Energy": "CAPACITY_RESOURCE",
	Fuel: "Solar,Storage,Hybrid",
	"Submitted Date": "3/26/2021",
	"Requested In-Service Date": "12/2/2024",
	"Last Updated": "6/2/2026",
	"Withdrawn Date": "",
	"Phase 1 SIS Report": "https://www.pjm.com/AG2-901.htm",
	"Phase 1 SIS Report Status": "Posted",
	"GIA/WMPA Report Status": "Not Started",
	"Rights (MW)": "",
};

/** The example with changes, one row each, as header and rows. */
export function rowsOf(base: Row, changes: Row[]): string[][] {
	const headers = [...new Set([base, ...changes].flatMap(Object.keys))];
	return [headers, ...changes.map((change) => headers.map((header) => ({ ...base, ...change })[header] ?? ""))];
}

export async function one(source: Source, base: Row, change: Row = {}): Promise<FiledRequest> {
	const { requests } = await source.parse(csvOf(rowsOf(base, [change])));
	if (!requests[0]) throw new Error("no request");
	return requests[0];
}
