/** Where each operator's file says what an answer says: headers, in the order in which a reader would take them. Pure. */
import type { Region, Status } from "../../libs/contract/vocabulary.ts";
import { dayIn, type FileRow } from "./files.ts";
import { dayOf } from "./verdict.ts";

export const fieldNames = [
	"name",
	"developer",
	"county",
	"state",
	"poi",
	"status",
	"capacity_mw",
	"queue_date",
	"cod",
	"withdrawn_date",
] as const;
export type FieldName = (typeof fieldNames)[number];

/** Undefined if the operator does not publish it. */
export const headersOf: Partial<Record<Region, Partial<Record<FieldName, readonly string[]>>>> = {
	CAISO: {
		name: ["Project Name", "Project Name - Confidential"],
		county: ["County", "Project County"],
		state: ["State", "Project State"],
		poi: ["Station or Transmission Line", "POI"],
		status: ["Application Status"],
		capacity_mw: ["Net MWs to Grid", "NET MW POI"],
		queue_date: ["Queue Date"],
		cod: ["Current On-line Date", "Requested COD"],
		withdrawn_date: ["Withdrawn Date", "Withdrawal Date"],
	},
	ERCOT: {
		name: ["Project Name"],
		developer: ["Interconnecting Entity"],
		county: ["County"],
		poi: ["POI Location"],
		capacity_mw: ["Capacity (MW)", "MW", "MW **"],
		queue_date: ["Screening Study Started"],
		cod: ["Projected COD"],
		withdrawn_date: ["Cancel Date", "Cancellation Date", "Cancelled Date"],
	},
	"ISO-NE": {
		name: ["Alternative Name"],
		county: ["County"],
		state: ["State"],
		poi: ["Interconnection Location"],
		status: ["Project Status"],
		capacity_mw: ["Net MW"],
		queue_date: ["Requested"],
		cod: ["Op Date"],
		withdrawn_date: ["W/ D Date"],
	},
	MISO: {
		name: ["poiName"],
		county: ["county"],
		state: ["state"],
		poi: ["poiName"],
		status: ["applicationStatus", "Request Status"],
		capacity_mw: ["summerNetMW", "winterNetMW"],
		queue_date: ["queueDate"],
		cod: ["negInService", "inService"],
		withdrawn_date: ["withdrawnDate", "Withdrawn Date"],
	},
	NYISO: {
		name: ["Project Name"],
		developer: [
			"Developer/Interconnection Customer",
			"Interconnection Customer Name",
			"Owner/Developer",
			"Developer Name",
		],
		county: ["County"],
		state: ["State"],
		poi: ["Points of Interconnection", "Interconnection Point", "Point"],
		status: ["S"],
		capacity_mw: ["SP (MW)", "(MW)", "WP (MW)"],
		queue_date: ["Date of IR", "of IR"],
		cod: ["Proposed COD", "COD"],
	},
	PJM: {
		name: ["Commercial Name", "Name"],
		developer: ["Developer"],
		county: ["County"],
		state: ["State"],
		poi: ["Name"],
		status: ["Status"],
		capacity_mw: ["MW Energy", "MFO", "MW Capacity"],
		queue_date: ["Submitted Date"],
		cod: [
			"Revised In Service Date",
			"Commercial Operation Milestone",
			"Projected In Service Date",
			"Requested In-Service Date",
		],
		withdrawn_date: ["Withdrawal Date", "Withdrawn Date"],
	},
	SPP: {
		county: ["Nearest Town or County"],
		state: ["State"],
		poi: ["Substation or Line"],
		status: ["Status"],
		capacity_mw: ["Requested Maximum Injection Capability (MW)", "Capacity"],
		queue_date: ["Request Received"],
		cod: ["Commercial Operation Date", "In-Service Date"],
		withdrawn_date: ["Date Withdrawn"],
	},
};

/**
 * The row's cells for a field, in the order in which a reader takes them. NYISO writes no day of withdrawal: its withdrawn row is last
 * touched by it. ISO-NE writes a withdrawal as a day beside the project status.
 */
export function cellsIn(region: Region, field: FieldName, { sheet, cells }: FileRow): string[] {
	const cell = (header: string) => cells.get(header.toLowerCase()) ?? "";
	if (region === "NYISO" && field === "withdrawn_date")
		return /withdrawn/i.test(sheet) ? [cell("Last Update"), cell("Last Updated Date")] : [];
	// A request of PJM's for no energy is of the size of its capacity rights: its output is the plant's.
	if (region === "PJM" && field === "capacity_mw" && Number(cell("MW Energy") || "none") === 0)
		return [cell("MW Capacity")];
	const found = (headersOf[region]?.[field] ?? []).map(cell);
	return region === "ISO-NE" && field === "status" && cell("W/ D Date") !== "" ? [...found, "Withdrawn"] : found;
}

const wordsOf: readonly [RegExp, Status][] = [
	[/in[- ]service|uc-isp|completed|commercial operation|deactivated|^1[45]c?$/i, "Operational"],
	[/withdrawn(?! - pending)|archived|terminated$|cancel|annulled|retracted|^0$/i, "Withdrawn"],
	[/suspen|inactive/i, "Suspended"],
];

/** ISO-NE writes no word of many a plant that runs: its row was last touched after its day of operation, and asks for a service. */
function isConfirmed(cell: (header: string) => string): boolean {
	const day = (header: string) => Date.parse(cell(header));
	const isSilent = ["Project Status", "W/ D Date", "W/D Date"].every((header) => cell(header) === "");
	const isServed = !["", "NA", "N/A"].includes(cell("Serv"));
	return isSilent && isServed && day("Updated") >= day("Op Date");
}

/** ISO-NE filed it ten years before the list, and states neither a status nor a study that is open. */
function isLapsed({ file, cells }: FileRow): boolean {
	const cell = (header: string) => cells.get(header.toLowerCase()) ?? "";
	const listed = dayIn(file);
	const earliest = `${Number(listed.slice(0, 4)) - 10}${listed.slice(4)}`;
	const requested = dayOf(cell("Requested"));
	const studies = ["FS", "SIS", "OS", "FAC", "IA"].map(cell);
	const isOpen = studies.some((word) => /not started|progress|study|interim/i.test(word));
	return cell("Project Status") === "" && !isOpen && requested !== null && requested < earliest;
}

/** The standard status that the rows say, read without the product's rules; a withdrawal's day outranks an open status. */
export function statusIn(region: Region, rows: readonly FileRow[]): Status {
	const statuses = rows.flatMap(({ sheet, cells }) => {
		const cell = (header: string) => cells.get(header.toLowerCase()) ?? "";
		const words = [
			...[cell("Commissioning Category"), cell("postGIAStatus"), cell("Post GIA Status")],
			cell("Suspension Status") && "suspended",
		];
		if (region !== "ERCOT") words.push(...(headersOf[region]?.status ?? []).map(cell));
		if (region !== "MISO" && region !== "PJM" && region !== "SPP" && region !== "ISO-NE") words.push(sheet);
		const days = (headersOf[region]?.withdrawn_date ?? []).map(cell);
		if (region === "ISO-NE" && isConfirmed(cell)) words.push("In Service");
		const last = words.map((word) => word.split(",").at(-1)?.trim() ?? "");
		const found = last.flatMap((word) => wordsOf.find(([pattern]) => pattern.test(word))?.[1] ?? []);
		return days.some((day) => day !== "") ? [...found, "Withdrawn" as const] : found;
	});
	const order: readonly Status[] =
		region === "MISO" ? ["Withdrawn", "Operational", "Suspended"] : ["Operational", "Withdrawn", "Suspended"];
	const lapsed = region === "ISO-NE" && rows.every(isLapsed);
	return order.find((status) => statuses.includes(status)) ?? (lapsed ? "Unknown" : "Active");
}
