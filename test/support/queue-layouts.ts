/** How each operator lays its list out: headers, banners, words and numbers, as its newest real files have them. */
import type { Table } from "#libs/files/table.ts";
import type { Cell } from "#libs/files/values.ts";
import { csv, json, workbook, xml } from "./file-formats.ts";
import type { QueueFeed, QueueRow, QueueStatus } from "./queue-files.ts";

type Place = readonly [county: string, state: string];
type Writer = (rows: readonly QueueRow[], publishedOn: string) => Promise<{ name: string; bytes: Buffer }>;

interface Layout {
	number: (n: number) => string;
	statuses: readonly QueueStatus[];
	places: readonly [Place, ...Place[]];
	/** By the layout's name, the usual one first. */
	files: Record<string, Writer>;
}

type Record_ = Record<string, Cell>;

const padded = (n: number, width: number) => String(n).padStart(width, "0");
const day = (iso: string | null) => (iso === null ? null : new Date(`${iso}T00:00:00Z`));
/** `7/20/2026`. */
const slashed = (iso: string | null) => {
	const [year, month, dayOfMonth] = (iso ?? "").split("-").map(Number);
	return iso === null ? "" : `${month}/${dayOfMonth}/${year}`;
};
const when = (row: QueueRow, ...statuses: QueueStatus[]) => (statuses.includes(row.status) ? row.ended : null);

/** Header and rows; every record has the keys of the first. */
function grid(records: readonly Record_[], headers: readonly string[]): Cell[][] {
	return [[...headers], ...records.map((record) => headers.map((header) => record[header] ?? null))];
}

/** A sheet whose banner stands above the header. */
function sheet(name: string, banner: Cell[][], records: readonly Record_[], headers: readonly string[]): Table {
	return { name, rows: [...banner, ...grid(records, headers)] };
}

const list = (headers: string) => headers.split(/,\s+/);

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

/** Key of the JSON, header of the CSV. */
const misoNames: Record<string, string> = {
	projectNumber: "Project #",
	applicationStatus: "Request Status",
	queueDate: "Queue Date",
	withdrawnDate: "Withdrawn Date",
	doneDate: "Done Date",
	inService: "Appl In Service Date",
	transmissionOwner: "Transmission Owner",
	county: "County",
	state: "State",
	studyCycle: "Study Cycle",
	studyGroup: "Study Group",
	studyPhase: "Study Phase",
	svcType: "Service Type",
	poiName: "POI Name",
	summerNetMW: "Summer MW",
	winterNetMW: "Winter MW",
	fuelType: "Fuel",
	facilityType: "Generating Facility",
	postGIAStatus: "Post GIA Status",
	negInService: "Negotiated In Service Date",
};

function misoRecord(row: QueueRow): Record_ {
	const moment = (iso: string | null) => (iso === null ? null : `${iso}T04:00:00+00:00`);
	return {
		projectNumber: row.number,
		applicationStatus: row.status === "withdrawn" ? "Withdrawn" : row.status === "operational" ? "Done" : "Active",
		queueDate: moment(row.queueDate),
		withdrawnDate: moment(when(row, "withdrawn")),
		doneDate: moment(when(row, "operational")),
		inService: moment(row.cod),
		transmissionOwner: "American Transmission Co. LLC",
		county: `${row.county} County`,
		state: row.state,
		studyCycle: "DPP-2021",
		studyGroup: "East (ATC)",
		studyPhase: row.status === "operational" ? "GIA" : "Phase 2",
		svcType: "NRIS",
		poiName: row.poi,
		summerNetMW: row.mw,
		winterNetMW: row.mw,
		fuelType: row.fuel === "Storage" ? "Battery Storage" : row.fuel,
		facilityType: { Solar: "Photovoltaic", Wind: "Wind Turbine", Storage: "Battery", Gas: "Combined Cycle" }[row.fuel],
		postGIAStatus: row.status === "operational" ? "In Service" : "Not Started",
		negInService: null,
	};
}

const sppWords: Record<QueueStatus, string> = {
	active: "DISIS STAGE",
	suspended: "IA FULLY EXECUTED/ON SUSPENSION",
	operational: "IA FULLY EXECUTED/COMMERCIAL OPERATION",
	withdrawn: "WITHDRAWN",
};

const sppHeaders = list(`Generation Interconnection Number, IFS Queue Number, Current Cluster, Cluster Group,
	Nearest Town or County, State, TO at POI, In-Service Date, Commercial Operation Date, Cessation Date,
	Original Generator Commercial Op Date, Capacity, MAX Summer MW, MAX Winter MW, Service Type,
	Requested Maximum Injection Capability (MW), Requested Network Resource Deliverability (MW), Nameplate Capacity,
	Generation Type, Fuel Type, Substation or Line, Request Received, Date Withdrawn, Status, JTIQ Participant,
	JTIQ Commitment, Cause of Delay`);

const sppRecord = (row: QueueRow): Record_ => ({
	"Generation Interconnection Number": row.number,
	"Current Cluster": "DISIS-2020-001",
	"Cluster Group": "03 CENTRAL",
	"Nearest Town or County": `${row.county} County`,
	State: row.state,
	"TO at POI": "OKGE",
	"Commercial Operation Date": slashed(row.cod),
	Capacity: row.mw.toFixed(2),
	"MAX Summer MW": row.mw.toFixed(2),
	"MAX Winter MW": row.mw.toFixed(2),
	"Service Type": "ER/NR",
	"Requested Maximum Injection Capability (MW)": "0.00",
	"Generation Type": row.fuel === "Storage" ? "Battery/Storage" : row.fuel === "Gas" ? "Thermal" : row.fuel,
	"Fuel Type": row.fuel,
	"Substation or Line": row.poi,
	"Request Received": slashed(row.queueDate),
	"Date Withdrawn": slashed(when(row, "withdrawn")),
	Status: sppWords[row.status],
});

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
	"GIM Study Phase": "SS Completed, FIS Started, No IA",
	"Interconnecting Entity": row.developer,
	"POI Location": row.poi,
	County: row.county,
	"CDR Reporting Zone": "WEST",
	"Projected COD": day(row.cod),
	Fuel: ercotCodes[row.fuel][0],
	Technology: ercotCodes[row.fuel][1],
	"Capacity (MW)": row.mw,
	"Screening Study Started": day(row.queueDate),
	"Air Permit": "Not Required",
});

/** What stands only in an update sheet is not in the details: a request that was cancelled or is inactive. */
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

const cluster15Headers = [
	...[
		"Queue Number",
		"Project Number",
		"Project Name",
		"Generation/Fuel 1",
		"NET MW 1",
		"Generation/Fuel 2",
		"NET MW 2",
	],
	...["Generation/Fuel 3", "NET MW 3", "NET MW POI", "PROJECT COUNTY", "Project State", "Study Area", "PTO", "POI"],
	...["Voltage kV", "Requested COD", "Queue Date", "Application Date", "Service Type"],
];
const cluster15Fuels = {
	Solar: "Photovoltaic/Solar",
	Wind: "Wind Turbine/Wind",
	Storage: "Storage/Battery",
	Gas: "Gas",
};

const cluster15Record = (row: QueueRow): Record_ => ({
	"Queue Number": Number(row.number),
	"Project Number": Number(row.number) + 50_000,
	"Project Name": row.name,
	"Generation/Fuel 1": cluster15Fuels[row.fuel],
	"NET MW 1": row.mw + 5,
	"Generation/Fuel 2": "N/A",
	"NET MW 2": "N/A",
	"Generation/Fuel 3": "N/A",
	"NET MW 3": "N/A",
	"NET MW POI": row.mw,
	"PROJECT COUNTY": row.county,
	"Project State": row.state,
	"Study Area": "PG&E FRESNO",
	PTO: "PGAE",
	POI: row.poi,
	"Voltage kV": 230,
	"Requested COD": day(row.cod),
	"Queue Date": day("2025-02-12"),
	"Application Date": day("2024-11-18"),
	"Withdrawal Date": day(when(row, "withdrawn")),
	"Service Type": "Full Capacity Deliverability Status Requested",
});

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

const isoneHeaders = [
	...["Position", "Updated", "Type", "Requested", "Alternative Name", "Unit", "Fuel Type", "Net MW", "Summer MW"],
	...["Winter MW", "County", "State", "Op Date", "Sync Date", "W/ D Date", "Interconnection Location", "Serv"],
	...["SIS Complete", "I39", "TO Report", "Dev", "Zone", "FS", "SIS", "OS", "FAC", "IA", "Project Status"],
];
const isoneFuels = { Solar: "SUN", Wind: "WND", Storage: "BAT", Gas: "NG" };

const isoneRecord = (row: QueueRow): Record_ => ({
	Position: Number(row.number),
	Updated: day("2026-06-17"),
	Type: "G",
	Requested: day(row.queueDate),
	"Alternative Name": row.name,
	Unit: { Solar: "PV", Wind: "WT", Storage: "OT", Gas: "CC" }[row.fuel],
	"Fuel Type": isoneFuels[row.fuel],
	"Net MW": row.mw,
	"Summer MW": row.mw,
	"Winter MW": row.mw,
	County: row.county,
	State: row.state,
	"Op Date": day(row.status === "operational" ? row.ended : row.cod),
	"W/ D Date": day(when(row, "withdrawn")),
	"Interconnection Location": row.poi,
	Serv: "CNR",
	"SIS Complete": false,
	I39: false,
	Zone: "SEMA",
	SIS: "In Progress",
	"Project Status": {
		active: "Under Study",
		suspended: "Suspended",
		operational: "In Service",
		withdrawn: "Under Study",
	}[row.status],
});

const isoneBanner = (publishedOn: string): Cell[][] => [
	["Interconnection Requests for New England Control Area", null, null, `As of: ${slashed(publishedOn)} 12:00:00 AM`],
	["Generation, Elective Transmission Upgrade and Transmission Service Requests"],
	["Jurisdiction:", "All", "Status:", "All"],
	[],
];

/** The web page: shorter headers than the export's, and icons where it has words for the studies. */
function isonePage(rows: readonly QueueRow[], publishedOn: string): Buffer {
	const shorter: Record<string, string> = {
		...{
			Position: "QP",
			State: "ST",
			"W/ D Date": "W/D Date",
			"Interconnection Location": "POI",
			"SIS Complete": "SIS",
		},
	};
	const [header = [], ...body] = grid(rows.map(isoneRecord), isoneHeaders);
	const icons = new Set(
		["SIS Complete", "I39", "FS", "SIS", "OS", "FAC", "IA"].map((name) => isoneHeaders.indexOf(name)),
	);
	const escaped = (words: string) => words.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
	const cell = (value: Cell, at: number) => {
		const words = value instanceof Date ? slashed(value.toISOString().slice(0, 10)) : escaped(String(value ?? ""));
		if (!icons.has(at)) return `<td>${words}</td>`;
		return words === "" || words === "false" ? "<td></td>" : `<td><img src="/icon.png" title="${words}"></td>`;
	};
	const lines = body.map((row) => `<tr>${row.map(cell).join("")}</tr>\n`);
	return Buffer.from(`<!DOCTYPE html>
<html><head><title>Public Queue</title></head><body><h3>As of: ${slashed(publishedOn)} 12:00:00 AM</h3>
<table class="display" id="publicqueue"><thead><tr>
${header.map((name) => `<th>${shorter[String(name)] ?? name}</th>`).join("")}
</tr></thead><tbody>
${lines.join("")}</tbody></table>
</body></html>
`);
}

const xlsx =
	(name: string, sheets: (rows: readonly QueueRow[], publishedOn: string) => Table[]): Writer =>
	async (rows, publishedOn) => ({ name, bytes: await workbook(sheets(rows, publishedOn)) });
const plain =
	(name: string, write: (rows: readonly QueueRow[], publishedOn: string) => Buffer): Writer =>
	async (rows, publishedOn) => ({ name, bytes: write(rows, publishedOn) });

export const layouts: Record<QueueFeed, Layout> = {
	"pjm-cycle": {
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
	},
	"pjm-serial": {
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
	},
	miso: {
		number: (n) => `J${1000 + n}`,
		statuses: ["active", "operational", "withdrawn"],
		places: [
			["Polk", "IA"],
			["Grant", "WI"],
			["Lincoln", "MN"],
			["Will", "IL"],
		],
		files: {
			json: plain("getprojects", (rows) => json(grid(rows.map(misoRecord), Object.keys(misoNames)))),
			csv: plain("GI Interactive Queue.csv", (rows) => {
				const [, ...body] = grid(rows.map(misoRecord), Object.keys(misoNames));
				return csv([Object.values(misoNames), ...body], { quoteAll: true });
			}),
		},
	},
	ercot: {
		number: (n) => `24INR${padded(n, 4)}`,
		statuses: ["active", "suspended", "operational", "withdrawn"],
		places: [
			["Pecos", "TX"],
			["Webb", "TX"],
			["Bexar", "TX"],
			["Haskell", "TX"],
		],
		files: { xlsx: xlsx("GIS_Report_July2026.xlsx", ercotSheets) },
	},
	caiso: {
		number: (n) => String(1000 + n),
		statuses: ["active", "suspended", "operational", "withdrawn"],
		places: [
			["Solano", "CA"],
			["Kern", "CA"],
			["Fresno", "CA"],
			["San Diego", "CA"],
		],
		files: { xlsx: xlsx("publicqueuereport.xlsx", caisoSheets) },
	},
	"caiso-cluster-15": {
		number: (n) => String(2200 + n),
		statuses: ["active", "withdrawn"],
		places: [
			["Stanislaus", "CA"],
			["Merced", "CA"],
			["Monterey", "CA"],
			["Yuma", "AZ"],
		],
		files: {
			xlsx: xlsx("cluster-15-interconnection-requests.xlsx", (rows) => {
				const of = (status: QueueStatus) => rows.filter((row) => row.status === status).map(cluster15Record);
				return [
					sheet("Cluster 15 ", [], of("active"), cluster15Headers),
					sheet("Withdrawn", [], of("withdrawn"), [...cluster15Headers, "Withdrawal Date"]),
				];
			}),
		},
	},
	nyiso: {
		number: (n) => padded(n, 4),
		statuses: ["active", "operational", "withdrawn"],
		places: [
			["Cortland", "NY"],
			["Erie", "NY"],
			["Jefferson", "NY"],
			["Albany", "NY"],
		],
		files: { xlsx: xlsx("NYISO-Interconnection-Queue.xlsx", nyisoSheets) },
	},
	spp: {
		number: (n) => `GEN-2020-${padded(n, 3)}`,
		statuses: ["active", "suspended", "operational", "withdrawn"],
		places: [
			["Ford", "KS"],
			["Caddo", "OK"],
			["Lea", "NM"],
			["Holt", "NE"],
		],
		files: {
			csv: plain("raw_spp.csv", (rows, publishedOn) => {
				const body = csv(grid(rows.map(sppRecord), sppHeaders));
				return Buffer.concat([Buffer.from(`"Last Updated On",${slashed(publishedOn)}\r\n`), body]);
			}),
		},
	},
	isone: {
		number: (n) => String(1000 + n),
		statuses: ["active", "suspended", "operational", "withdrawn"],
		places: [
			["Essex", "MA"],
			["Kent", "RI"],
			["Hartford", "CT"],
			["York", "ME"],
		],
		files: {
			html: plain("external", isonePage),
			xlsx: xlsx("QueueReport.xlsx", (rows, publishedOn) => [
				sheet("Queue", isoneBanner(publishedOn), rows.map(isoneRecord), isoneHeaders),
			]),
			csv: plain("raw_isone.csv", (rows) => csv(grid(rows.map(isoneRecord), isoneHeaders))),
			json: plain("raw_isone.json", (rows) => json(grid(rows.map(isoneRecord), isoneHeaders))),
		},
	},
};
