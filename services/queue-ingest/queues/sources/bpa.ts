/**
 * Bonneville Power Administration: the line and load requests of its queue. They are read from Bonneville's workbook, without its generation
 * requests, or from a third party's list. Only the name of a request shows whether it is for a line or a load. Pure.
 */
import type { RequestKind, Status, StudyPhase } from "#libs/contract/vocabulary.ts";
import { isZip } from "#libs/files/archive.ts";
import { csvHeaderNames, readCsv } from "#libs/files/csv.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { HeadedTable, isHeaded, type Table } from "#libs/files/table.ts";
import { type Cell, date, known, text } from "#libs/files/values.ts";
import { readWorkbook } from "#libs/files/workbook.ts";
import { Collector, foldCase, isListRow } from "../../sources/collector.ts";
import * as filed from "../../sources/filed-cells.ts";
import type { Operator, ParsedFile, RawFile, Source, StageEvidence } from "../../sources/source.ts";
import type { TableFields } from "../../sources/table-fields.ts";
import type { MappedWord } from "../../sources/vocabulary.ts";

const publisher = "Bonneville Power Administration";

/** Headers by column, of the workbook and of the third party's list. */
const names = {
	number: ["Request Number", "queue_id"],
	poi: ["Point Of Interconnection", "poi_substation"],
	status: ["Status"],
	name: ["Project Name", "project_name"],
	county: ["County", "location"],
	summer: ["Max Summer Interconnection Service MW", "Max Summer MW", "Max Outputs Summer"],
	winter: ["Max Winter Interconnection Service MW", "Max Winter MW", "Max Outputs Winter"],
} as const;
const required = [names.number, names.poi, names.status, names.name];
const derivedHeaders = [names.number[1], names.poi[1], "source_row"] as const;

interface Meaning {
	/** `Unknown` for filed values that Bonneville does not explain. */
	status: Status;
	phase: StudyPhase | null;
	stage: StageEvidence["stage"];
}

const completed: Meaning = { status: "Unknown", phase: null, stage: "early" };
const meanings: ReadonlyMap<string, Meaning> = new Map([
	["received", { status: "Active", phase: "Not Started", stage: "early" }],
	["study", { status: "Active", phase: "SIS", stage: "early" }],
	["study completed", { status: "Active", phase: "Facilities", stage: "mid" }],
	["e&p executed", { status: "Active", phase: "GIA", stage: "late" }],
	["const agrmt exe", { status: "Active", phase: "IA Executed", stage: "late" }],
	["energized", { status: "Operational", phase: "IA Executed", stage: "construction" }],
	["withdrawn", { status: "Withdrawn", phase: null, stage: "early" }],
	["bpa completed", completed],
	["completed", completed],
	["confirmed", completed],
]);

const bpa: Source = {
	feed: "bpa-line-load",
	region: "BPA",
	utility: "load",
	title: "BPA line and load requests (InterconnectionQueueOutput xlsx, or a list derived from it)",
	publication: {
		title: "Interconnection request queue: line and load requests",
		url: "https://www.bpa.gov/energy-and-services/transmission/interconnection",
		cadence: "daily, loaded by hand",
	},
	layout: { formats: "CSV, xlsx", verified: "2026-09" },
	cadenceHours: 720,
	maxAgeHours: 9600,
	maxBytes: 8 * 1024 * 1024,
	coverage: "all-status",
	phaseIsStatus: true,
	recognises({ name, bytes }) {
		if (isZip(bytes)) return /^InterconnectionQueueOutput\w*\.xlsx$/i.test(name);
		const headers = csvHeaderNames(bytes);
		return derivedHeaders.every((header) => headers.has(header));
	},
	isWorkbook: (sheets) => sheets.some((sheet) => isHeaded(sheet, [...required, ["Connection Type"]])),
	words: { status: meanings },
	parse: async (file, mapped) => parseBpa(await tableOf(file), mapped),
	key: (number) => number.trim().toUpperCase(),
};

export const operator: Operator = {
	publisher,
	licence: "A work of the United States government: public domain",
	states: ["WA", "OR", "ID", "MT", "NV", "CA", "WY", "UT"],
	publishesLoads: true,
	lists: [bpa],
};

async function tableOf({ name, bytes }: RawFile): Promise<Table> {
	if (!isZip(bytes)) return readCsv(bytes, name);
	const sheet = (await readWorkbook(bytes)).find((each) => isHeaded(each, required));
	if (sheet === undefined) throw new StructureError(`${name}: no sheet has the columns of the queue`);
	return sheet;
}

/** Facts that follow from the status and the name of a row. */
interface Facts extends Meaning {
	kind: RequestKind;
}

/** Reads the line and load requests of a table. Throws `StructureError` if a required column is missing. */
function parseBpa(sheet: Table, mapped: readonly MappedWord[] = []): ParsedFile {
	const table = new HeadedTable(sheet, required);
	const at = columnsOf(table);
	const collector = new Collector(mapped);
	const fields = fieldsOf(table, at);
	const read = collector.rowsOf(table, fields, {
		extras: [{ header: "Comments", kind: "text" }],
		sheet: table.headerIndex > 0,
	});
	for (const row of table.rows) {
		if (!isListRow(row)) continue;
		const number = fields.queue_id.read(row);
		if (number === null) collector.drop("no request number", text(row[at.number]), "malformed");
		else if (number.startsWith("G")) collector.drop("a generation request", number);
		else {
			const word = collector.word("status", known(row[at.status]), meanings);
			const facts: Facts = { ...(meanings.get(foldCase(word)) ?? completed), kind: kindOf(known(row[at.name])) };
			const basis = facts.phase === "IA Executed" ? "agreement" : facts.phase === null ? "active-only" : "study-code";
			const evidence = { stage: facts.stage, basis, contradictory: false } as const;
			collector.keep({ ...read(row, facts), number, evidence });
		}
	}
	const publishedOn = sheet.rows
		.slice(0, table.headerIndex)
		.flat()
		.map(date)
		.find((day) => day !== null);
	return collector.parsed({ publishedOn: publishedOn ?? null });
}

function columnsOf(table: HeadedTable) {
	// The third party's id and row number carry no information, and the type is the same in every row that is read.
	table.ignore("id");
	table.ignore("source_row");
	table.ignore("Connection Type");
	return {
		number: table.column(...names.number),
		name: table.column(...names.name),
		status: table.column(...names.status),
		summer: table.column(...names.summer),
		winter: table.column(...names.winter),
	};
}

const fieldsOf = (table: HeadedTable, at: ReturnType<typeof columnsOf>): TableFields<Facts> => ({
	queue_id: filed.by(
		"number",
		filed.word(at.number),
		(number) => /^[LG]\d{3,6}$/i.exec(number ?? "")?.[0].toUpperCase() ?? null,
	),
	kind: filed.fact("bpa.kind", [at.name], ({ kind }) => kind),
	name: filed.text(at.name),
	developer: filed.text(table.column("Requestor")),
	county: filed.text(table.column(...names.county)),
	state: filed.text(table.column("State")),
	poi: filed.from("bpa.poi", [table.column(...names.poi)], pointsOf),
	utility: filed.from("list.constant", [], () => publisher),
	type_std: filed.fact("bpa.kind", [at.name], ({ kind }) => (kind === "load" ? "Load" : "Transmission")),
	status: filed.text(at.status),
	status_std: filed.fact("bpa.status", [at.status], ({ status }) => status),
	capacity_mw: filed.megawatts(at.summer, at.winter, table.column("capacity_mw")),
	summer_mw: filed.megawatts(at.summer),
	winter_mw: filed.megawatts(at.winter),
	queue_date: filed.day(table.column("Request Date")),
	cod: filed.day(
		table.column("Agreed To: (Blank=TBD)"),
		table.column("Original Requested In-Service Date", "Requested In-Service Date"),
	),
	study_phase_filed: filed.fact("bpa.status", [at.status], ({ phase }, row) =>
		phase === null ? null : known(row[at.status]),
	),
	study_phase: filed.fact("bpa.status", [at.status], ({ phase }) => phase),
});

/** "Longhorn-McNary 230 kV Loop" and "Juan de Fuca HVDC" move power, but "Tap Line for a data center" is a load. */
function kindOf(name: string | null): RequestKind {
	const words = name ?? "";
	const isLoad = /\bloads?\b|\bdata ?cent(er|re)s?\b/i.test(words);
	return !isLoad && /\b(hvdc|dc tie|intertie|line|loop)\b/i.test(words) ? "transmission" : "load";
}

/** A cell with several points has each on a separate line. */
const pointsOf = (cell: Cell): string | null =>
	(typeof cell === "string" ? cell.split(/[\r\n]+/) : [cell])
		.map(known)
		.filter((line) => line !== null)
		.join("; ") || null;
