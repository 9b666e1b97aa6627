/** PJM's cycle queue: requests that moved to the transition cycles TC1 and TC2, and all later requests (Cycle 1), as XML, xlsx or CSV. */
import type { StudyPhase } from "#libs/contract/vocabulary.ts";
import { isZip } from "#libs/files/archive.ts";
import type { HeadedTable } from "#libs/files/table.ts";
import { type Cell, known } from "#libs/files/values.ts";
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
	{ header: "Test Energy Date", kind: "date" },
	{ header: "Withdrawn Remarks", kind: "text" },
	{ header: "Phase 1 SIS Report Status", kind: "text" },
	{ header: "Phase 2 SIS Report Status", kind: "text" },
	{ header: "Phase 3 SIS Report Status", kind: "text" },
	{ header: "Final SIS Report Status", kind: "text" },
	{ header: "CSA/USCA Report Status", kind: "text" },
	{ header: "Transmission Type", kind: "text" },
	{ header: "Rights (MW)", kind: "text" },
	{ header: "Long-Term Firm Service Start Date", names: ["TSR Start Date"], kind: "date" },
	{ header: "Long-Term Firm Service End Date", names: ["TSR End Date"], kind: "date" },
	{ header: "TSR ID", kind: "text" },
	{ header: "LTF MW", kind: "number" },
];

/** Headers of columns that are not read: links to reports, and a date that changes even if the request does not. */
const ignoredHeaders =
	`Last Updated, Phase 1 SIS Report, Phase 2 SIS Report, Phase 3 SIS Report, Final SIS Report, GIA/WMPA Report,
	EPA/GIA/WMPA Report, CSA/USCA Report`.split(/,\s+/);

const headers = [
	...commonHeaders,
	..."Cycle, Stage, Developer, GIA/WMPA Report Status, EPA/GIA/WMPA Report Status".split(", "),
	...extras.flatMap((extra) => [extra.header, ...(extra.names ?? [])]),
	...ignoredHeaders,
];

function columnsOf(table: HeadedTable) {
	table.ignore(...ignoredHeaders);
	return {
		...commonColumns(table),
		stage: table.column("Stage"),
	};
}
type Columns = ReturnType<typeof columnsOf>;

const fieldsOf = (table: HeadedTable, at: Columns, collector: Collector): TableFields<Facts> => ({
	...commonFields(table, at, collector),
	developer: filed.text(table.column("Developer")),
	cluster: filed.text(table.column("Cycle")),
	study_phase_filed: filed.text(at.stage),
	study_phase: filed.fact("pjm.cycle_phase", [at.stage, at.status], toShownPhase),
	ia_status_filed: filed.text(table.column("EPA/GIA/WMPA Report Status", "GIA/WMPA Report Status")),
});

/** Returns the study phase: IA Executed if the status implies an agreement, otherwise the phase of the cycle's stage. */
function phaseOf(row: Cell[], at: Columns, { agreement }: StatusMeaning, collector: Collector): StudyPhase | null {
	const stage = known(row[at.stage]);
	const word = stage === null ? null : collector.word("study_phase", stage, stagePhases);
	return agreement ? "IA Executed" : (stagePhases.get(foldCase(word)) ?? null);
}

/** Stages of a cycle, each with the decision point that ends it, in the spellings of 2025 and 2026. */
const stagePhases: ReadonlyMap<string, StudyPhase> = new Map([
	["application phase", "Not Started"],
	["application submission", "Not Started"],
	["application review", "Not Started"],
	["rri application review", "Not Started"],
	["phase 1", "SIS"],
	["dp1", "SIS"],
	["decision point 1", "SIS"],
	["phase 2", "SIS"],
	["dp2", "SIS"],
	["decision point 2", "SIS"],
	["phase 3", "Facilities"],
	["dp3", "Facilities"],
	["decision point 3", "Facilities"],
	["final agreement", "GIA"],
]);

function toStageEvidence(phase: StudyPhase | null): Pick<StageEvidence, "stage" | "basis"> {
	if (phase === "IA Executed") return { stage: "late", basis: "agreement" };
	if (phase === "GIA") return { stage: "late", basis: "study-code" };
	if (phase === "Facilities") return { stage: "mid", basis: "study-code" };
	return { stage: "early", basis: phase === null ? "active-only" : "study-code" };
}

async function parse(file: RawFile, mapped: readonly MappedWord[] = []): Promise<ParsedFile> {
	const table = await readProjects(file, headers, ["Cycle", "Stage"]);
	const at = columnsOf(table);
	const collector = new Collector(mapped);
	const fields = fieldsOf(table, at, collector);
	const read = collector.rowsOf(table, fields, { extras, sheet: isZip(file.bytes) });
	for (const row of dataRows(table)) {
		const number = fields.queue_id.read(row);
		if (number === null) collector.drop("no request number", known(row[at.name]), "malformed");
		else {
			const facts = factsOf(row, at, collector);
			const phase = phaseOf(row, at, facts.meaning, collector);
			const request = read(row, { ...facts, phase });
			const evidence = evidenceOf(request, facts.meaning, toStageEvidence(phase));
			collector.keep({ ...request, number, evidence, raw: { ...request.raw, ...outputOf(row, at) } });
		}
	}
	return collector.parsed({ publishedOn: null });
}

const url = "https://www.pjm.com/m/ProjectTransition/GenerateXMLTransitionProjectsAll";

export const pjmCycle: Source = {
	feed: "pjm-cycle",
	region: "PJM",
	title: "PJM cycle queue (transition cycles and Cycle 1)",
	layout: { formats: "XML, xlsx, CSV", verified: "2026-06-29" },
	publication: {
		title: "Cycle and transition requests",
		url: "https://www.pjm.com/planning/m/cycle-service-request-status",
	},
	cadenceHours: 24,
	maxAgeHours: 48,
	maxBytes: 16 * 1024 * 1024,
	coverage: "all-status",
	firstList: { rows: [500, 5_000], states: 10, statuses: ["Active", "Withdrawn"] },
	// Sends an empty form, like the "Full Export: XML" button of the page. A POST cannot be conditional.
	download: (http) =>
		http.get(url, {
			method: "POST",
			headers: { "content-type": "application/x-www-form-urlencoded" },
			body: "",
			timeoutMs: 120_000,
		}),
	isWorkbook: (sheets) => findQueueOfWorkbook(sheets) === "cycle",
	recognises(file) {
		if (isZip(file.bytes)) return /transition|cycle/i.test(file.name) && !/planning[ _-]?queues/i.test(file.name);
		return findQueueOfText(file) === "cycle";
	},
	words: { ...commonWords, study_phase: stagePhases },
	parse,
	key: pjmKey,
};
