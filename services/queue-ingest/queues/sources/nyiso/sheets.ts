/** Reads the sheets of NYISO's workbook in any layout since 2020. Pure. */
import type { RequestClass, RequestKind } from "#libs/contract/vocabulary.ts";
import { HeadedTable, headerKey, type Table } from "#libs/files/table.ts";
import { type Cell, date, known, text } from "#libs/files/values.ts";
import { type Collector, type Extra, isListRow } from "../../../sources/collector.ts";
import * as filed from "../../../sources/filed-cells.ts";
import type { FiledRequest } from "../../../sources/source.ts";
import type { TableFields } from "../../../sources/table-fields.ts";
import { standardTechnology } from "../../../sources/technology.ts";
import { type CodeSheet, type CodeStatus, fuelTokens, interpretCode, isOffshore, knownCodes } from "./codes.ts";

export interface SheetSpec extends CodeSheet {
	/** Trimmed and lower-case, because NYISO has a sheet " Cluster Projects" with a leading space. */
	name: string;
	load?: boolean;
	/** Requests in other operators' queues whose effects on NYISO's system are studied. */
	affected?: boolean;
	/** Absent from some layouts. */
	optional?: boolean;
}

/** "0276", 517, "0396A", "C24-052-001", "CR24-1001". */
const numberPattern = /^(\d{1,4}[A-Z]?|CR?\d\d-\d{3,4}(-\d{3})?)$/i;
/** Number of a study of another operator's request. It may have that operator's format. */
const studyPattern = /^(?=.*\d)[\w-]{1,24}$/;

const names = {
	number: ["Queue Pos.", "Queue Number", "Queue Position"],
	developer: [
		"Developer/Interconnection Customer",
		"Interconnection Customer Name",
		"Owner/Developer",
		"Developer Name",
		"Interconnection Customer",
	],
	name: ["Project Name", "Project: Project Name"],
	queueDate: ["Date of IR", "IR Submission Date"],
	summer: ["SP (MW)"],
	winter: ["WP (MW)"],
	load: ["Peak MW load"],
	type: ["Type/ Fuel", "Type/Fuel"],
	endUse: ["End-Use"],
	county: ["County", "Location County"],
	state: ["State", "Location State"],
	poi: ["Points of Interconnection", "Interconnection Point"],
	utility: ["Utility", "CTO/Utility"],
	status: ["S", "Project Status #"],
	updated: ["Last Updated Date", "Last Update"],
	backfeed: [
		"Proposed In-Service/Initial Backfeed Date",
		"Proposed Initial Backfeed Date",
		"Proposed In-Service",
		"Proposed In-Service Date",
	],
	cod: ["Proposed COD"],
} as const;

const extras: Extra[] = [
	{ header: "Zone", names: ["Z", "NYISO Zone"], kind: "text" },
	{ header: "Affected Transmission Owner (ATO)", kind: "text" },
	{ header: "Availability of Studies", kind: "text" },
	{ header: "IA Tender Date", names: ["SGIA Tender Date"], kind: "date" },
	{
		header: "FS Complete Date",
		names: ["CY/FS Complete Date", "CY Complete Date", "FS Completion Date"],
		kind: "date",
	},
	{ header: "FS Complete/ SGIA Tender", kind: "date" },
	{ header: "Proposed Sync Date", names: ["Proposed Initial-Sync", "Proposed Initial-Sync Date"], kind: "text" },
	{ header: "Energy Storage Capability", kind: "text" },
	{ header: "Record Type Name", kind: "text" },
	{ header: "SIS Bundle", kind: "text" },
];

export function containsList(sheet: Table): boolean {
	const headers: readonly string[] = names.number.map(headerKey);
	return joinHeaderRows(sheet)
		.rows.slice(0, 60)
		.some((row) => row.some((cell) => headers.includes(headerKey(cell))));
}

/** Reads the requests of one sheet. Throws `StructureError` if a required column is missing. */
export function readSheet(sheet: Table, spec: SheetSpec, collector: Collector): FiledRequest[] {
	const table = new HeadedTable(joinHeaderRows(sheet), requiredOf(spec));
	const at = columnsOf(table);
	const read = collector.rowsOf(table, fieldsOf(table, at, spec), { extras });
	const requests: FiledRequest[] = [];
	for (const row of table.rows) {
		// Rows of the notes and the legend below the list have no number and few cells.
		const number = text(row[at.number]) ?? "";
		if ((spec.affected ? studyPattern : numberPattern).test(number)) {
			const facts = factsOf(row, at, spec, collector);
			requests.push({ ...read(row, facts), number, evidence: facts.evidence });
		} else if (isListRow(row)) {
			const fault = spec.affected ? undefined : "malformed";
			collector.drop("no queue number", number || text(row[at.name]), fault);
		}
	}
	return requests;
}

/** For studies, of which no sample exists, only the number is required; for a list, all columns that identify its requests. */
function requiredOf({ affected, load, status }: SheetSpec): (readonly string[])[] {
	if (affected) return [names.number];
	return [
		names.number,
		names.developer,
		names.name,
		names.queueDate,
		names.county,
		names.state,
		...(load ? [names.load] : [names.summer, names.type, names.poi]),
		...(status === "Active" ? [names.status] : []),
	];
}

function columnsOf(table: HeadedTable) {
	return {
		number: table.column(...names.number),
		name: table.column(...names.name),
		summer: table.column(...names.summer),
		winter: table.column(...names.winter),
		type: table.column(...names.type),
		endUse: table.column(...names.endUse),
		county: table.column(...names.county),
		status: table.column(...names.status),
		updated: table.column(...names.updated),
	};
}

/** Facts that follow from the sheet, the status code and the technology of a row. */
interface Facts extends CodeStatus {
	kind: RequestKind;
	typeStd: string;
}

function fieldsOf(table: HeadedTable, at: ReturnType<typeof columnsOf>, { load }: SheetSpec): TableFields<Facts> {
	return {
		queue_id: filed.by("number", filed.word(at.number)),
		kind: filed.fact("nyiso.kind", load ? [] : [at.type], ({ kind }) => kind),
		name: filed.text(at.name),
		developer: filed.text(table.column(...names.developer)),
		county: filed.text(at.county),
		state: filed.text(table.column(...names.state)),
		poi: filed.text(table.column(...names.poi)),
		utility: filed.text(table.column(...names.utility)),
		cluster: filed.from("nyiso.cluster", [at.number], clusterOf),
		// For a load, the end use (DAT is a data center) is the technology.
		type: load ? filed.from("nyiso.load", [at.type, at.endUse], filed.joined("; ")) : filed.text(at.type),
		type_std: load
			? filed.from("nyiso.load", [], () => "Load")
			: filed.fact("nyiso.technology", [at.type, at.county, at.name], ({ typeStd }: Facts) => typeStd),
		request_class: filed.from("nyiso.request_class", [at.number], classOf),
		status: filed.fact("nyiso.status", [at.status], ({ status }) => status),
		status_std: filed.fact("nyiso.status", [at.status], ({ statusStd }) => statusStd),
		capacity_mw: filed.megawatts(at.summer, at.winter, table.column(...names.load)),
		summer_mw: filed.megawatts(at.summer),
		winter_mw: filed.megawatts(at.winter),
		queue_date: filed.day(table.column(...names.queueDate)),
		cod: filed.day(table.column(...names.cod)),
		// No date of withdrawal is published, but the withdrawal is the last update of the row.
		withdrawn_date: filed.fact("nyiso.withdrawn", [at.updated, at.status], ({ statusStd }, row) =>
			statusStd === "Withdrawn" ? date(row[at.updated]) : null,
		),
		backfeed_date: filed.day(table.column(...names.backfeed)),
		study_phase_filed: filed.fact("nyiso.study_phase", [at.status], ({ studyPhaseFiled }) => studyPhaseFiled),
		study_phase: filed.fact("nyiso.study_phase", [at.status], ({ studyPhase }) => studyPhase),
		ia_status_filed: filed.fact("nyiso.study_phase", [at.status], ({ iaStatusFiled }) => iaStatusFiled),
	};
}

/** The sheet "In Service" wraps its header over two rows ("Queue" above "Pos."). Joined, they equal the headers of the other sheets. */
function joinHeaderRows(sheet: Table): Table {
	const [upper = [], lower = [], ...rows] = sheet.rows;
	if (headerKey(upper[0]) !== "queue" || headerKey(lower[0]) !== "pos.") return sheet;
	const joined = upper.map((cell, column) => text(`${text(cell) ?? ""} ${text(lower[column]) ?? ""}`));
	return { name: sheet.name, rows: [joined, ...rows], firstRow: 2 };
}

function factsOf(row: Cell[], at: ReturnType<typeof columnsOf>, spec: SheetSpec, collector: Collector): Facts {
	return {
		...readStatus(text(row[at.status]), spec, collector),
		...(spec.load ? { kind: "load", typeStd: "Load" } : technologyOf(row, at, collector)),
		...(spec.affected && { kind: "affected_system" }),
	};
}

const clusterOf = (number: Cell): string | null =>
	/^CR?\d\d(?=-)/i.exec(text(number) ?? "")?.[0]?.toUpperCase() ?? null;

/** A number such as "CR24-1002" is a request for deliverability (CRIS) only, for a unit that operates or has a separate energy request. */
const classOf = (number: Cell): RequestClass =>
	clusterOf(number)?.startsWith("CR") === true ? "capacity_rights" : "new";

/** Keeps the code as filed. A code that is not in the legend gets the meaning of the code that it is mapped to. */
function readStatus(filedCode: string | null, spec: SheetSpec, collector: Collector): CodeStatus {
	const { unknown, ...status } = interpretCode(filedCode, spec);
	if (unknown === null) return status;
	const { unknown: _, ...mappedStatus } = interpretCode(collector.word("status", filedCode, knownCodes), spec);
	return { ...mappedStatus, status: status.status };
}

function technologyOf(
	row: Cell[],
	at: ReturnType<typeof columnsOf>,
	collector: Collector,
): Pick<Facts, "kind" | "typeStd"> {
	const type = known(row[at.type]);
	const typeStd = collector.technology("fuel", (mapped) => standardTechnology(type, { ...mapped, ...fuelTokens }));
	const kinds = new Map(Object.entries<RequestKind>({ Transmission: "transmission", Load: "load" }));
	return {
		kind: kinds.get(typeStd) ?? "generation",
		typeStd: isOffshore(typeStd, known(row[at.county])) ? "Offshore Wind" : typeStd,
	};
}
