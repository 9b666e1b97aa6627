/** CAISO: the public queue report, one sheet each for active, completed and withdrawn requests. Cluster 15 is a separate feed. */
import type { Status, StudyPhase } from "#libs/contract/vocabulary.ts";
import { isZip } from "#libs/files/archive.ts";
import { HeadedTable, hasSheets, type Table } from "#libs/files/table.ts";
import { type Cell, date, known, megawatts, text } from "#libs/files/values.ts";
import { readWorkbook } from "#libs/files/workbook.ts";
import { Collector, type Extra, foldCase, isListRow, sheetNamed } from "../../../sources/collector.ts";
import * as filed from "../../../sources/filed-cells.ts";
import type { Component, FiledRequest, ParsedFile, Source, StageEvidence } from "../../../sources/source.ts";
import type { TableFields } from "../../../sources/table-fields.ts";
import { standardTechnology } from "../../../sources/technology.ts";
import type { MappedWord } from "../../../sources/vocabulary.ts";

const url = "https://www.caiso.com/PublishedDocuments/PublicQueueReport.xlsx";

const statuses: ReadonlyMap<string, Status> = new Map([
	["active", "Active"],
	["completed", "Operational"],
	["withdrawn", "Withdrawn"],
]);
const agreements = new Set(["executed", "in progress", "released for execution", "terminated", "filed unexecuted"]);

export const caiso: Source = {
	feed: "caiso",
	region: "CAISO",
	title: "CAISO public queue report (PublicQueueReport.xlsx)",
	layout: { formats: "xlsx", verified: "2026-07-20" },
	publication: { title: "Public queue report", url: "https://www.caiso.com/documents/publicqueuereport.xlsx" },
	cadenceHours: 24,
	maxAgeHours: 48,
	maxBytes: 16 * 1024 * 1024,
	coverage: "all-status",
	firstList: { rows: [1_500, 6_000], states: 3, statuses: ["Active", "Withdrawn", "Operational"] },
	reopens: true,
	download: (http) => http.get(url, { conditional: true }),
	recognises: (file) => /^public\W?queue\W?report[\w-]*\.xlsx$/i.test(file.name) && isZip(file.bytes),
	isWorkbook: (sheets) => hasSheets(sheets, "grid generationqueue"),
	words: { "application status": statuses, "agreement status": agreements, fuel: "technology" },
	parse: async (file, mapped) => parseCaiso(await readWorkbook(file.bytes), mapped),
	key: caisoKey,
};

/** Queue positions are numbers or "643AB"; some exports write 517 as "517.0". */
export function caisoKey(number: string): string {
	return number.trim().replace(/\.0+$/, "").toUpperCase();
}

/** In order of precedence, in case a request is in several sheets. */
const sheetStatuses: { sheet: string; status: Status }[] = [
	{ sheet: "completed generation projects", status: "Operational" },
	{ sheet: "withdrawn generation projects", status: "Withdrawn" },
	{ sheet: "grid generationqueue", status: "Active" },
];

/** Reads the requests of a report in any layout since 2024 (with and without MWh). Throws `StructureError` if a sheet or column is missing. */
export function parseCaiso(sheets: Table[], mapped: readonly MappedWord[] = []): ParsedFile {
	const collector = new Collector(mapped);
	keepOnce(sheets, sheetStatuses, collector, readSheet);
	return collector.parsed({ publishedOn: reportDate(sheets) });
}

/** Keeps the requests of these sheets, in order of precedence. Drops a request that is already in an earlier sheet. */
export function keepOnce<S extends Status>(
	sheets: readonly Table[],
	order: readonly { sheet: string; status: S }[],
	collector: Collector,
	read: (sheet: Table, status: S, collector: Collector) => FiledRequest[],
): void {
	const seen = new Set<string>();
	for (const { sheet: name, status } of order) {
		const sheet = sheetNamed(sheets, name);
		for (const request of read(sheet, status, collector)) {
			if (seen.has(request.number)) collector.drop(`same request in ${sheet.name.trim()}`, request.number);
			else collector.keep(request);
			seen.add(request.number);
		}
	}
}

/** "Report Run Date: 07/20/2026" is above the headers of every sheet. */
function reportDate(sheets: Table[]): string | null {
	for (const cell of sheets.flatMap((sheet) => sheet.rows.slice(0, 4).flat())) {
		const [, stated] = /Report Run Date:\s*(\S+)/i.exec(text(cell) ?? "") ?? [];
		if (stated !== undefined) return date(stated);
	}
	return null;
}

const extras: Extra[] = [
	{ header: "Interconnection Request Receive Date", kind: "date" },
	{ header: "MW-1", kind: "number" },
	{ header: "MW-2", kind: "number" },
	{ header: "MW-3", kind: "number" },
	{ header: "MWh-1", kind: "number" },
	{ header: "MWh-2", kind: "number" },
	{ header: "MWh-3", kind: "number" },
	{ header: "TPD Allocation Percentage", kind: "number" },
	{ header: "Off-Peak Deliverability and Economic Only", kind: "text" },
	{ header: "TPD Allocation Group", kind: "text" },
	{ header: "PTO Study Region", kind: "text" },
	{ header: "Proposed On-line Date (as filed with IR)", kind: "date" },
	{ header: "Optional Study (OS)", kind: "text" },
	{ header: "Reason for Withdrawal", kind: "text" },
];

function columnsOf(table: HeadedTable) {
	return {
		number: table.column("Queue Position"),
		name: table.column("Project Name", "Project Name - Confidential"),
		status: table.column("Application Status"),
		withdrawn: table.column("Withdrawn Date"),
		types: [1, 2, 3].map((n) => table.column(`Type-${n}`)),
		fuels: [1, 2, 3].map((n) => table.column(`Fuel-${n}`)),
		megawatts: [1, 2, 3].map((n) => table.column(`MW-${n}`)),
		actual: table.column("Actual On-line Date"),
		suspension: table.column("Suspension Status"),
		feasibility: table.column("Feasibility Study or Supplemental Review"),
		impact: table.column("System Impact Study or Phase I Cluster Study"),
		facilities: table.column("Facilities Study (FAS) or Phase II Cluster Study"),
		agreement: table.column("Interconnection Agreement Status"),
	};
}
type Columns = ReturnType<typeof columnsOf>;

/** Facts that follow from several columns of a row. */
type Facts = Pick<FiledRequest, "type" | "typeStd" | "components" | "statusStd" | "studyPhase" | "evidence">;

const fieldsOf = (table: HeadedTable, at: Columns): TableFields<Facts> => ({
	queue_id: filed.by("number", filed.word(at.number), (number) => number && caisoKey(number)),
	name: filed.text(at.name),
	county: filed.text(table.column("County")),
	state: filed.text(table.column("State")),
	poi: filed.text(table.column("Station or Transmission Line")),
	utility: filed.text(table.column("Utility")),
	cluster: filed.text(table.column("Study Process")),
	service: filed.text(table.column("Full Capacity, Partial or Energy Only (FC/P/EO)")),
	type: filed.fact("caiso.type", [...at.types, ...at.fuels], ({ type }) => type),
	type_std: filed.fact("caiso.technology", [...at.fuels, ...at.types, at.name], ({ typeStd }) => typeStd),
	status: filed.word(at.status),
	status_std: filed.fact("caiso.status", [at.status, at.suspension], ({ statusStd }) => statusStd),
	capacity_mw: filed.megawatts(table.column("Net MWs to Grid")),
	components: filed.fact(
		"caiso.components",
		[...at.megawatts, ...at.fuels, ...at.types],
		({ components }) => components,
	),
	queue_date: filed.day(table.column("Queue Date")),
	cod: filed.day(table.column("Current On-line Date")),
	actual_cod: filed.day(at.actual),
	withdrawn_date: filed.day(at.withdrawn),
	study_phase: filed.fact(
		"caiso.study_phase",
		[at.agreement, at.facilities, at.impact, at.feasibility, at.status],
		({ studyPhase }) => studyPhase,
	),
	ia_status_filed: filed.text(at.agreement),
});

function readSheet(sheet: Table, sheetStatus: Status, collector: Collector): FiledRequest[] {
	const table = new HeadedTable(sheet, [
		["Queue Position"],
		["Project Name", "Project Name - Confidential"],
		["Application Status"],
		["Queue Date"],
		["Type-1"],
		["Fuel-1"],
		["Net MWs to Grid"],
		["County"],
		["State"],
		["Station or Transmission Line"],
		["Interconnection Agreement Status"],
		...(sheetStatus === "Withdrawn" ? [["Withdrawn Date"]] : []),
		...(sheetStatus === "Operational" ? [["Actual On-line Date"]] : []),
		...(sheetStatus === "Active" ? [["Current On-line Date"], ["Suspension Status"]] : []),
	]);
	const at = columnsOf(table);
	const fields = fieldsOf(table, at);
	const read = collector.rowsOf(table, fields, { extras });
	const requests: FiledRequest[] = [];
	for (const row of table.rows) {
		// Below the list are a legend and a disclaimer, with one or two cells per row.
		if (!isListRow(row)) continue;
		const number = fields.queue_id.read(row);
		if (number === null || text(row[at.status]) === null) {
			const label = text(row[at.number]) ?? text(row[at.name]);
			collector.drop("no queue position or application status", label, "malformed");
			continue;
		}
		const facts = factsOf(row, at, sheetStatus, collector);
		const request = read(row, facts);
		requests.push({ ...request, number, evidence: facts.evidence, raw: { ...request.raw, ...fuelsOf(row, at) } });
	}
	return requests;
}

function factsOf(row: Cell[], at: Columns, sheetStatus: Status, collector: Collector): Facts {
	const { statusStd, contradictory } = statusOf(row, at, sheetStatus, collector);
	const agreement = known(row[at.agreement]);
	const agreementWord = agreement === null ? null : collector.word("agreement status", agreement, agreements);
	const studyPhase = statusStd === "Withdrawn" ? null : studyPhaseOf(row, at, foldCase(agreementWord));
	const evidence = evidenceOf(statusStd, studyPhase, agreement, contradictory);
	return { statusStd, studyPhase, evidence, ...technologyOf(row, at, collector) };
}

/** Returns the filed status, or that of the sheet if the filed value is unknown. The row is contradictory if the two differ. */
function statusOf(row: Cell[], at: Columns, sheetStatus: Status, collector: Collector) {
	const word = text(row[at.status]) ?? "";
	const filedStatus = statuses.get(foldCase(collector.word("application status", word, statuses)));
	const status = filedStatus ?? sheetStatus;
	const isFinished = date(row[at.actual]) !== null || date(row[at.withdrawn]) !== null;
	const isSuspended = status === "Active" && known(row[at.suspension]) !== null;
	return {
		statusStd: isSuspended ? ("Suspended" as const) : status,
		contradictory: status !== sheetStatus || (status === "Active" && isFinished),
	};
}

const caisoTokens = { "steam turbine": "Other" };
const technology = (filed: string | null) => (mapped: Record<string, string>) =>
	standardTechnology(filed, { ...mapped, ...caisoTokens });

/**
 * The fuel determines the technology unless it is missing or "Other": a "Steam Turbine" burns gas, biofuel or nothing. `type` contains CAISO's
 * type names; the fuels are kept in `raw`.
 */
function technologyOf(
	row: Cell[],
	at: Columns,
	collector: Collector,
): Pick<FiledRequest, "type" | "typeStd" | "components"> {
	const types: string[] = [];
	const decisiveNames: string[] = [];
	const components: Component[] = [];
	for (const [n, column] of at.types.entries()) {
		const type = known(row[column]);
		const fuel = known(row[at.fuels[n] ?? -1]);
		const typeName = [type, fuel].find((word) => word !== null && foldCase(word) !== "other") ?? type ?? fuel;
		const decisiveName = [fuel, type].find((word) => word !== null && foldCase(word) !== "other") ?? fuel ?? type;
		if (typeName !== null) types.push(typeName);
		if (decisiveName !== null) decisiveNames.push(decisiveName);
		const capacityMw = megawatts(row[at.megawatts[n] ?? -1]);
		if (decisiveName !== null || capacityMw !== null)
			components.push({ typeStd: collector.technologyOf("fuel", technology(decisiveName)).typeStd, capacityMw });
	}
	const typeStd = collector.technology("fuel", technology(decisiveNames.join("; ") || null));
	return { type: types.join("; ") || null, typeStd, components };
}

function fuelsOf(row: Cell[], at: Columns): Record<string, string> {
	const fuels = at.fuels.map((column, n) => [`Fuel-${n + 1}`, known(row[column])] as const);
	return Object.fromEntries(fuels.flatMap(([header, fuel]) => (fuel === null ? [] : [[header, fuel]])));
}

/** Expects `agreement` as returned by `foldCase`. */
function studyPhaseOf(row: Cell[], at: Columns, agreement: string): StudyPhase | null {
	if (agreement === "executed" || agreement === "filed unexecuted") return "IA Executed";
	// A re-study repeats a study that had been completed.
	const isDone = (column: number) => /^(complete|re-study)$/.test(foldCase(known(row[column])));
	if (isDone(at.facilities)) return /^(in progress|released for execution)$/.test(agreement) ? "GIA" : "Facilities";
	if (isDone(at.impact)) return "SIS";
	return isDone(at.feasibility) ? "Feasibility" : null;
}

function evidenceOf(
	status: Status,
	phase: StudyPhase | null,
	agreement: string | null,
	contradictory: boolean,
): StageEvidence {
	const isLate = phase === "IA Executed" || phase === "GIA";
	const stage = isLate ? "late" : phase === "Facilities" || phase === "SIS" ? "mid" : "early";
	if (status === "Operational" || status === "Withdrawn") return { stage, basis: "published", contradictory };
	if (phase === "IA Executed" && agreement !== null) return { stage, basis: "agreement", contradictory };
	return { stage, basis: phase === null ? "active-only" : "study-columns", contradictory };
}
