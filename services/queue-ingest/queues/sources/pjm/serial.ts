/** PJM's serial queue: every request up to 2023, as one XML, xlsx or CSV list. Requests that moved to a cycle are still listed. */
import type { StudyPhase } from "#libs/contract/vocabulary.ts";
import { isZip } from "#libs/files/archive.ts";
import type { HeadedTable } from "#libs/files/table.ts";
import { type Cell, known, text } from "#libs/files/values.ts";
import { Collector, dataRows, type Extra, foldCase } from "../../../sources/collector.ts";
import * as filed from "../../../sources/filed-cells.ts";
import type { ParsedFile, RawFile, Source, StageEvidence } from "../../../sources/source.ts";
import type { TableFields } from "../../../sources/table-fields.ts";
import type { MappedWord } from "../../../sources/vocabulary.ts";
import { findQueueOfText, findQueueOfWorkbook, readProjects } from "./layout.ts";
import {
	commonColumns,
	commonFields,
	commonHeaders,
	commonWords,
	evidenceOf,
	type Facts,
	factsOf,
	outputOf,
	pjmKey,
	type StatusMeaning,
	toShownPhase,
} from "./request.ts";

const extras: Extra[] = [
	{ header: "MW In Service", kind: "number" },
	{ header: "Project (AC/DC)", kind: "text" },
	{ header: "Rights (MW)", kind: "text" },
	{ header: "Construction Service Agreement Status", kind: "text" },
	{ header: "Upgrade Construction Service Agreement Status", kind: "text" },
	{ header: "Long-Term Firm Service Start Date", kind: "date" },
	{ header: "Long-Term Firm Service End Date", kind: "date" },
	{ header: "Test Energy Date", kind: "date" },
	{ header: "Withdrawn Remarks", kind: "text" },
	{ header: "Attachment Type", kind: "text" },
	{ header: "Alternate Project", kind: "text" },
	{ header: "Sliding Project", kind: "text" },
];

/** Headers of columns that are not read: links to documents, and two columns that one exporter computed. */
const ignoredHeaders =
	`Initial Study, Feasibility Study, System Impact Study, Facilities Study, Construction Service Agreement,
	Wholesale Market Participation Agreement, Upgrade Construction Service Agreement, Position, Year`.split(/,\s+/);

const headers = [
	...commonHeaders,
	..."Feasibility Study Status, System Impact Study Status, Facilities Study Status".split(", "),
	...extras.map((extra) => extra.header),
	...ignoredHeaders,
];

function columnsOf(table: HeadedTable) {
	table.ignore(...ignoredHeaders);
	// The agreement was renamed in 2024 ("Interim/Interconnection Service/Generation Interconnection Agreement").
	const agreement = table.columnWhere((key) => key.startsWith("interim") && key.endsWith("status"));
	table.ignoreWhere((key) => key.startsWith("interim") && !key.endsWith("status"));
	return {
		...commonColumns(table),
		agreement,
		feasibility: table.column("Feasibility Study Status"),
		impact: table.column("System Impact Study Status"),
		facilities: table.column("Facilities Study Status"),
	};
}
type Columns = ReturnType<typeof columnsOf>;

const fieldsOf = (table: HeadedTable, at: Columns, collector: Collector): TableFields<Facts> => ({
	...commonFields(table, at, collector),
	study_phase: filed.fact(
		"pjm.study_phase",
		[at.agreement, at.facilities, at.impact, at.feasibility, at.status],
		toShownPhase,
	),
	ia_status_filed: filed.text(at.agreement),
});

/** Values for an executed agreement. A wholesale market participation agreement is used where a state, not FERC, has jurisdiction. */
const executedValues = new Set([
	"document posted",
	"executed agreement and/or study",
	"wholesale market participation agreement",
]);
/** Values for a study that has neither been made nor begun. */
const noStudyValues = new Set(["", "withdrawn", "not required", "not started", "not applicable"]);
const completeValues = new Set(["document posted", "executed agreement and/or study", "issued", "revised"]);

/** Finds the furthest study that the columns show. */
function findStudyState(
	row: Cell[],
	at: Columns,
	meaning: StatusMeaning,
): { phase: StudyPhase | null } & Pick<StageEvidence, "stage" | "basis"> {
	if (meaning.agreement || executedValues.has(foldCase(known(row[at.agreement])))) {
		return { phase: "IA Executed", stage: "late", basis: "agreement" };
	}
	const basis = "study-columns";
	if (!noStudyValues.has(foldCase(known(row[at.facilities])))) return { phase: "Facilities", stage: "mid", basis };
	const impact = foldCase(known(row[at.impact]));
	if (!noStudyValues.has(impact)) return { phase: "SIS", stage: completeValues.has(impact) ? "mid" : "early", basis };
	if (!noStudyValues.has(foldCase(known(row[at.feasibility])))) return { phase: "Feasibility", stage: "early", basis };
	return { phase: null, stage: "early", basis: "active-only" };
}

async function parse(file: RawFile, mapped: readonly MappedWord[] = []): Promise<ParsedFile> {
	const table = await readProjects(file, headers, []);
	const at = columnsOf(table);
	const collector = new Collector(mapped);
	const fields = fieldsOf(table, at, collector);
	const read = collector.rowsOf(table, fields, { extras, sheet: isZip(file.bytes) });
	const stillListed: string[] = [];
	for (const row of dataRows(table)) {
		const number = fields.queue_id.read(row);
		const filedNumber = text(row[at.number]) ?? "";
		if (number === null) {
			collector.drop("no request number", known(row[at.name]), "malformed");
		} else if (/\s-\s*moved to\b/i.test(filedNumber)) {
			// The request is now in the cycle queue. This row has the status "Withdrawn", although the request was not withdrawn.
			stillListed.push(number);
			collector.drop("moved to the cycle queue", filedNumber);
		} else {
			const facts = factsOf(row, at, collector);
			const { phase, ...studies } = findStudyState(row, at, facts.meaning);
			const request = read(row, { ...facts, phase });
			const evidence = evidenceOf(request, facts.meaning, studies);
			collector.keep({ ...request, number, evidence, raw: { ...request.raw, ...outputOf(row, at) } });
		}
	}
	return collector.parsed({ publishedOn: null, stillListed });
}

const url = "https://www.pjm.com/pjmfiles/media/planning/queues-data/PlanningQueues.xml";

export const pjmSerial: Source = {
	feed: "pjm-serial",
	region: "PJM",
	title: "PJM serial queue (PlanningQueues.xml)",
	layout: { formats: "XML, xlsx, CSV", verified: "2026-05-05" },
	publication: {
		title: "Serial service requests",
		url: "https://www.pjm.com/planning/service-requests/serial-service-request-status",
	},
	cadenceHours: 24,
	maxAgeHours: 48,
	maxBytes: 64 * 1024 * 1024,
	coverage: "all-status",
	firstList: { rows: [2_500, 15_000], states: 12, statuses: ["Active", "Operational"] },
	download: (http) => http.get(url, { conditional: true }),
	isWorkbook: (sheets) => findQueueOfWorkbook(sheets) === "serial",
	recognises(file) {
		if (isZip(file.bytes)) return /planning[ _-]?queues|pjm[ _-]?queue/i.test(file.name);
		return findQueueOfText(file) === "serial";
	},
	words: commonWords,
	parse,
	key: pjmKey,
};
