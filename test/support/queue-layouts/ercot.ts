import type { Table } from "#libs/files/table.ts";
import type { QueueRow, QueueStatus } from "../queue-files.ts";
import { day, type Layout, padded, type Record_, sheet, xlsx } from "./layout.ts";

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const ercotLarge = [
	...["INR", "Project Name", "GIM Study Phase", "Interconnecting Entity", "POI Location", "County"],
	...["CDR Reporting Zone", "Projected COD", "Fuel", "Technology", "Capacity (MW)", "", "Screening Study Started"],
	...["Screening Study Complete", "FIS Requested", "FIS Approved", "IA Signed", "", "Air Permit", "Construction Start"],
	...["Approved for Energization", "Approved for Synchronization", "Comment"],
];
const ercotSmall = ercotLarge
	.filter((_, at) => at < 12 || at === 16 || at > 19)
	.map((header) => (header === "GIM Study Phase" ? "Model Ready Date" : header));
const ercotCodes = { Solar: ["SOL", "PV"], Wind: ["WIN", "WT"], Storage: ["OTH", "BA"], Gas: ["GAS", "CC"] } as const;
const ercotUpdate = ["INR", "Size Category", "Project Name", "Fuel", "County"];

const ercotDetail = (row: QueueRow): Record_ => ({
	INR: row.number,
	"Project Name": row.name,
	"GIM Study Phase":
		row.agreement === undefined ? "SS Completed, FIS Started, No IA" : "SS Completed, FIS Completed, IA",
	"Interconnecting Entity": row.developer,
	"POI Location": row.poi,
	County: row.county,
	"CDR Reporting Zone": "WEST",
	"Projected COD": day(row.cod),
	Fuel: ercotCodes[row.fuel][0],
	Technology: ercotCodes[row.fuel][1],
	"Capacity (MW)": row.mw,
	"Screening Study Started": day(row.queueDate),
	"IA Signed": day(row.agreement ?? null),
	"Air Permit": "Not Required",
});

/** Rows that only an update sheet has are not in the details: cancelled or inactive requests. */
function ercotSheets(rows: readonly QueueRow[], publishedOn: string): Table[] {
	const [year = "", month = "", dayOfMonth = ""] = publishedOn.split("-");
	const date = `${months[Number(month) - 1]} ${dayOfMonth}, ${year}`;
	const of = (...statuses: QueueStatus[]) => rows.filter((row) => statuses.includes(row.status));
	const open = of("active", "operational");
	const update = (row: QueueRow, extra: Record_): Record_ => ({
		...{ INR: row.number, "Size Category": "Large", "Project Name": row.name, Fuel: row.fuel },
		...{ County: row.county, "MW **": row.mw, ...extra },
	});
	const small = (row: QueueRow) => row.mw < 20;
	return [
		{ name: "Contents", rows: [[`GIM Activity:  ${months[Number(month) - 1]} 01, ${year} to ${date}`]] },
		{
			name: "Summary",
			rows: [["Summary"], [`Currently tracking ${open.length} generation interconnection requests as of  ${date}`]],
		},
		sheet(
			"Project Details - Large Gen",
			[
				["GIM Project Details - Large Generators"],
				["NOTES:"],
				["Excludes projects that have a status of Inactive (status = INA)."],
				["Project Attributes"],
			],
			open.filter((row) => !small(row)).map(ercotDetail),
			ercotLarge,
		),
		sheet(
			"Project Details - Small Gen",
			[["GIM Project Details - Small Generators"]],
			open.filter(small).map(ercotDetail),
			ercotSmall,
		),
		sheet(
			"Commissioning Update",
			[[`Commissioning Approvals during ${publishedOn}`]],
			of("operational").map((row) =>
				update(row, {
					"Commissioning Category": "Commercial Operation Approved by ERCOT*",
					"Approval Date *": day(row.ended),
				}),
			),
			["Commissioning Category", ...ercotUpdate, "Approval Date *", "MW **"],
		),
		sheet(
			"Inactive Projects",
			[[`Inactive Projects as of end of ${publishedOn}*`]],
			of("suspended").map((row) => update(row, { "Inactive Date": day("2024-05-01") })),
			[...ercotUpdate, "Inactive Date", "MW **"],
		),
		sheet(
			"Cancellation Update",
			[[`Projects Cancelled by the Developer during ${publishedOn}*`]],
			of("withdrawn").map((row) => update(row, { "Cancel Date": day(row.ended) })),
			[...ercotUpdate, "Cancel Date", "MW **"],
		),
	];
}

export const ercot: Layout = {
	number: (n) => `24INR${padded(n, 4)}`,
	statuses: ["active", "suspended", "operational", "withdrawn"],
	places: [
		["Pecos", "TX"],
		["Webb", "TX"],
		["Bexar", "TX"],
		["Haskell", "TX"],
	],
	files: { xlsx: xlsx("GIS_Report_July2026.xlsx", ercotSheets) },
};
