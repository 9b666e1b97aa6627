/** SPP's generator interconnection requests: the list of active requests and the summary of all requests, in one layout, as CSV or saved as xlsx. */
import type { RequestClass, Status, StudyPhase } from "#libs/contract/vocabulary.ts";
import { isZip } from "#libs/files/archive.ts";
import { csvHeaderNames, readCsv } from "#libs/files/csv.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { HeadedTable, headerKey, isHeaded, type Table } from "#libs/files/table.ts";
import { type Cell, date, known, text } from "#libs/files/values.ts";
import { readWorkbook } from "#libs/files/workbook.ts";
import { Collector, dataRows, type Extra, foldCase } from "../../sources/collector.ts";
import * as filed from "../../sources/filed-cells.ts";
import type { Operator, ParsedFile, RawFile, Source, StageEvidence } from "../../sources/source.ts";
import type { TableFields } from "../../sources/table-fields.ts";
import { standardTechnology } from "../../sources/technology.ts";
import type { MappedWord } from "../../sources/vocabulary.ts";

/** Columns for identity, status and the capacity that all totals use. */
const required = [["Generation Interconnection Number"], ["Current Cluster"], ["Status"], ["Capacity"]];

const extras: Extra[] = [
	{ header: "IFS Queue Number", kind: "text" },
	{ header: "Cluster Group", kind: "text" },
	{ header: "In-Service Date", kind: "date" },
	{ header: "Cessation Date", kind: "date" },
	{
		header: "Original Generator Commercial Op Date",
		names: ["Replacement Generator Commercial Op Date"],
		kind: "date",
	},
	{ header: "Requested Network Resource Deliverability (MW)", kind: "number" },
	{ header: "Nameplate Capacity", kind: "number" },
	{ header: "JTIQ Participant", kind: "text" },
	{ header: "JTIQ Commitment", kind: "text" },
	{ header: "Cause of Delay", kind: "text" },
];

/** Columns that are read for several fields; -1 for a column that the layout of 2025 lacks. */
function columnsOf(table: HeadedTable) {
	return {
		commercial: table.column("Commercial Operation Date"),
		cluster: table.column("Current Cluster"),
		summer: table.column("MAX Summer MW"),
		winter: table.column("MAX Winter MW"),
		generation: table.column("Generation Type"),
		fuel: table.column("Fuel Type"),
		poi: table.column("Substation or Line"),
		status: table.column("Status"),
		withdrawn: table.column("Date Withdrawn"),
	};
}
type Columns = ReturnType<typeof columnsOf>;

interface StatusMeaning {
	std: Status;
	phase: StudyPhase | null;
	stage: StageEvidence["stage"];
	basis: StageEvidence["basis"];
}

const notStudied: StatusMeaning = { std: "Active", phase: "Not Started", stage: "early", basis: "active-only" };
const withdrawn: StatusMeaning = { std: "Withdrawn", phase: null, stage: "early", basis: "published" };
const agreed = { phase: "IA Executed", stage: "late" } as const;

/** SPP's status is its study stage. A blank status means that no study has begun. */
const statusMeanings: ReadonlyMap<string, StatusMeaning> = new Map([
	["", notStudied],
	["eras", { ...notStudied, basis: "study-code" }],
	["disis stage", { std: "Active", phase: "SIS", stage: "early", basis: "study-code" }],
	["facility study stage", { std: "Active", phase: "Facilities", stage: "mid", basis: "study-code" }],
	["ia pending", { std: "Active", phase: "GIA", stage: "late", basis: "study-code" }],
	["ia fully executed/on schedule", { std: "Active", ...agreed, basis: "agreement" }],
	["ia fully executed/on suspension", { std: "Suspended", ...agreed, basis: "published" }],
	["ia fully executed/commercial operation", { std: "Operational", ...agreed, basis: "published" }],
	["withdrawn", withdrawn],
	["terminated", withdrawn],
]);

const fieldsOf = (table: HeadedTable, at: Columns, collector: Collector): TableFields<StatusMeaning> => ({
	queue_id: filed.by("number", filed.text(table.column("Generation Interconnection Number"))),
	county: filed.text(table.column("Nearest Town or County")),
	state: filed.text(table.column("State")),
	poi: filed.text(at.poi),
	utility: filed.text(table.column("TO at POI")),
	cluster: filed.text(at.cluster),
	request_class: filed.from("spp.request_class", [at.cluster], classOf),
	service: filed.text(table.column("Service Type")),
	type: filed.from("spp.type", [at.generation, at.fuel], typeFiled),
	type_std: filed.from("spp.technology", [at.generation, at.fuel], (generation, fuel) =>
		typeOf(known(generation), known(fuel), collector),
	),
	status: filed.text(at.status),
	status_std: filed.fact("spp.status", [at.status, at.withdrawn], ({ std }) => std),
	// The injection limit has a column since 2026, in which older requests have zero.
	capacity_mw: filed.by(
		"spp.capacity",
		filed.megawatts(
			table.column("Requested Maximum Injection Capability (MW)"),
			table.column("Capacity"),
			at.summer,
			at.winter,
		),
	),
	summer_mw: filed.megawatts(at.summer),
	winter_mw: filed.megawatts(at.winter),
	queue_date: filed.day(table.column("Request Received")),
	// Requests that came from other systems have only the day on which they are connected.
	cod: filed.day(at.commercial, table.column("In-Service Date")),
	// This date is only a plan until the status is commercial operation.
	actual_cod: filed.fact("spp.actual_cod", [at.commercial, at.status], ({ std }, row) =>
		std === "Operational" ? date(row[at.commercial]) : null,
	),
	withdrawn_date: filed.day(at.withdrawn),
	study_phase_filed: filed.text(at.status),
	study_phase: filed.fact("spp.status", [at.status], ({ phase }) => phase),
	ia_status_filed: filed.from(
		"spp.agreement",
		[at.status],
		(status) => /^IA .*/i.exec(known(status) ?? "")?.[0] ?? null,
	),
});

/** Surplus and replacement requests use the rights of an existing plant. Their clusters have these names. */
function classOf(cluster: Cell): RequestClass {
	const name = foldCase(known(cluster));
	return name === "surplus" || name === "replacement" ? name : "new";
}

function meaningOf(status: string | null, collector: Collector): StatusMeaning {
	return (
		statusMeanings.get(foldCase(collector.word("status", status, statusMeanings))) ?? { ...notStudied, phase: null }
	);
}

function typeFiled(...columns: Cell[]): string | null {
	const [generation, fuel] = columns.map(known);
	const parts = [generation, foldCase(fuel ?? null) === foldCase(generation ?? null) ? null : fuel];
	return parts.filter((part) => part !== null).join("; ") || null;
}

/** SPP's own terms. A thermal plant without a fuel, or known only as a steam turbine, counts as gas. */
const tokens = {
	thermal: "Gas",
	st: "Gas",
	steam: "Gas",
	"steam turbine": "Gas",
	"solar\\recip gas": "Solar + Gas",
};

/** "Hybrid" and "Thermal" are less specific than the fuel. */
function typeOf(generation: string | null, fuel: string | null, collector: Collector): string {
	const isVague = generation === null || ["hybrid", "thermal"].includes(foldCase(generation));
	const label = isVague ? (fuel ?? generation) : generation;
	return collector.technology("type", (mapped) => standardTechnology(label, { ...mapped, ...tokens }));
}

async function parse(file: RawFile, mapped: readonly MappedWord[] = []): Promise<ParsedFile> {
	const list = await readList(file);
	const table = new HeadedTable(list, required, 5);
	const at = columnsOf(table);
	const collector = new Collector(mapped);
	const fields = fieldsOf(table, at, collector);
	const read = collector.rowsOf(table, fields, { extras, sheet: isZip(file.bytes) });
	for (const row of dataRows(table)) {
		const number = fields.queue_id.read(row);
		if (number === null) collector.drop("no request number", known(row[at.poi]), "malformed");
		else {
			const status = known(row[at.status]);
			const meaning = status === null && date(row[at.withdrawn]) !== null ? withdrawn : meaningOf(status, collector);
			const request = read(row, meaning);
			const { std, stage, basis } = meaning;
			const evidence = { stage, basis, contradictory: request.withdrawnDate !== null && std !== "Withdrawn" };
			collector.keep({ ...request, number, evidence });
		}
	}
	const publishedOn = publicationDate(list.rows.slice(0, table.headerIndex));
	return collector.parsed({ publishedOn });
}

async function readList(file: RawFile): Promise<Table> {
	if (!isZip(file.bytes)) return readCsv(file.bytes, file.name, { isPreamble: isDateLine });
	const [sheet] = await readWorkbook(file.bytes);
	if (!sheet) throw new StructureError(`${file.name}: the workbook has no sheet`);
	return sheet;
}

/** The line `"Last Updated On",8/14/2026,...` above the header; some copies have lost it. */
function isDateLine(record: Cell[]): boolean {
	return headerKey(record[0]).startsWith("last updated");
}

function publicationDate(rowsAboveHeader: Cell[][]): string | null {
	const cells = rowsAboveHeader.find(isDateLine) ?? [];
	return cells.map(date).find((day) => day !== null) ?? null;
}

function sppKey(number: string): string {
	return (text(number) ?? "").toUpperCase();
}

const portal = "https://opsportal.spp.org/Studies";

function sppList(
	feed: string,
	listKind: "Active" | "Summary",
	facts: Pick<Source, "title" | "coverage" | "firstList">,
): Source {
	const isSummary = listKind === "Summary";
	return {
		...facts,
		feed,
		region: "SPP",
		layout: { formats: "CSV, xlsx", verified: "2026-06-30" },
		publication: {
			title: `Generation interconnection requests, ${isSummary ? "all statuses" : "active"}`,
			url: `${portal}/GI${listKind}`,
		},
		cadenceHours: 24,
		maxAgeHours: 48,
		maxBytes: 8 * 1024 * 1024,
		phaseIsStatus: true,
		download: (http) => http.get(`${portal}/Generate${listKind}CSV`, { conditional: true }),
		isWorkbook: ([sheet]) =>
			sheet !== undefined &&
			isHeaded(sheet, required) &&
			listsWithdrawn(sheet.rows.map((row) => row.map(text))) === isSummary,
		recognises({ name, bytes }) {
			if (isZip(bytes)) return (isSummary ? /gi[ _-]?summary/i : /gi[ _-]?active|(^|[^a-z])spp([^a-z]|$)/i).test(name);
			if (!csvHeaderNames(bytes).has("generation interconnection number")) return false;
			const [nameMatch] = /active|summary/i.exec(name) ?? [];
			if (nameMatch !== undefined) return nameMatch.toLowerCase() === listKind.toLowerCase();
			const lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1").split("\n");
			return listsWithdrawn(lines.map((line) => line.split(/[",\r]/))) === isSummary;
		},
		words: { status: statusMeanings, type: "technology" },
		parse,
		key: sppKey,
	};
}

/** Minimum share of withdrawn requests in the summary; the list of active requests has none. */
const minWithdrawnShare = 0.05;
const listsWithdrawn = (rows: (string | null)[][]): boolean =>
	rows.filter((cells) => cells.some((cell) => /^(withdrawn|terminated)$/i.test(cell ?? ""))).length >=
	minWithdrawnShare * rows.length;

export const spp = sppList("spp", "Active", {
	title: "SPP active generation interconnection requests (GenerateActiveCSV)",
	coverage: "active-only",
	firstList: { rows: [500, 3_000], states: 8, statuses: ["Active"] },
});
/** Contains the outcomes of requests that are no longer in the list of active requests. */
export const sppSummary = sppList("spp-summary", "Summary", {
	title: "SPP generation interconnection requests of all statuses (GenerateSummaryCSV)",
	coverage: "all-status",
});

export const operator: Operator = {
	publisher: "Southwest Power Pool",
	states: ["KS", "NE", "OK", "AR", "LA", "MO", "MN", "IA", "ND", "SD", "MT", "NM", "TX", "WY", "CO", "UT", "AZ"],
	filesTowns: true,
	joinsByHyphen: true,
	lists: [spp, sppSummary],
};
