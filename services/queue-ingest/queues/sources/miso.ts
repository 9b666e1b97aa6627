/** MISO's generator interconnection queue, as the JSON of its public API or as the CSV of its page. */
import type { RequestClass, RequestKind, Status, StatusBasis, StudyPhase } from "#libs/contract/vocabulary.ts";
import { csvHeaderNames, readCsv } from "#libs/files/csv.ts";
import { peek } from "#libs/files/decode.ts";
import { readJsonRecords } from "#libs/files/json.ts";
import { HeadedTable } from "#libs/files/table.ts";
import { type Cell, date, known } from "#libs/files/values.ts";
import { Collector, dataRows, type Extra, foldCase } from "../../sources/collector.ts";
import * as filed from "../../sources/filed-cells.ts";
import type { Operator, ParsedFile, RawFile, Source, StageEvidence } from "../../sources/source.ts";
import type { TableFields } from "../../sources/table-fields.ts";
import { standardTechnology } from "../../sources/technology.ts";
import type { MappedWord } from "../../sources/vocabulary.ts";

/** Columns for identity, status and the capacity that all totals use: the header of the CSV, then the key of the JSON. */
const required = [
	["Project #", "projectNumber"],
	["Request Status", "applicationStatus"],
	["Withdrawn Date", "withdrawnDate"],
	["Post GIA Status", "postGIAStatus"],
	["Study Phase", "studyPhase"],
	["Summer MW", "summerNetMW"],
];

const extras: Extra[] = [
	{ header: "Done Date", names: ["doneDate"], kind: "date" },
	{ header: "Appl In Service Date", names: ["inService"], kind: "date" },
	{ header: "Negotiated In Service Date", names: ["negInService"], kind: "date" },
	{ header: "Study Group", names: ["studyGroup"], kind: "text" },
	{ header: "Decision Point 1 ERIS MW", names: ["dp1ErisMw"], kind: "number" },
	{ header: "Decision Point 1 NRIS MW", names: ["dp1NrisMw"], kind: "number" },
	{ header: "Decision Point 2 ERIS MW", names: ["dp2ErisMw"], kind: "number" },
	{ header: "Decision Point 2 NRIS MW", names: ["dp2NrisMw"], kind: "number" },
	{ header: "GIA To Exec", names: ["giaToExec"], kind: "date" },
	{ header: "SIS Phase 1", names: ["sisPhase1"], kind: "text" },
];

/** Columns that are read for several fields; -1 for a column that the layout lacks. */
function columnsOf(table: HeadedTable) {
	// The API renumbers its rows every day.
	table.ignore("id");
	return {
		number: table.column("Project #", "projectNumber"),
		status: table.column("Request Status", "applicationStatus"),
		withdrawnDate: table.column("Withdrawn Date", "withdrawnDate"),
		cycle: table.column("Study Cycle", "studyCycle"),
		phase: table.column("Study Phase", "studyPhase"),
		poi: table.column("POI Name", "poiName"),
		summer: table.column("Summer MW", "summerNetMW"),
		winter: table.column("Winter MW", "winterNetMW"),
		fuel: table.column("Fuel", "fuelType"),
		facility: table.column("Generating Facility", "facilityType"),
		postAgreement: table.column("Post GIA Status", "postGIAStatus"),
	};
}
type Columns = ReturnType<typeof columnsOf>;

const fieldsOf = (table: HeadedTable, at: Columns, collector: Collector): TableFields<State> => ({
	queue_id: filed.by("number", filed.text(at.number)),
	kind: filed.from("miso.kind", [at.fuel], kindOf),
	// MISO publishes no project names.
	name: filed.by("miso.name", filed.text(at.poi)),
	county: filed.text(table.column("County", "county")),
	state: filed.text(table.column("State", "state")),
	poi: filed.text(at.poi),
	utility: filed.text(table.column("Transmission Owner", "transmissionOwner")),
	cluster: filed.text(at.cycle),
	service: filed.from("miso.service", [table.column("Service Type", "svcType")], serviceOf),
	type: filed.from("miso.type", [at.fuel, at.facility], typeFiled),
	type_std: filed.from("miso.technology", [at.facility, at.fuel, at.poi], (facility, fuel) =>
		kindOf(fuel) === "transmission" ? "Transmission" : typeOf(known(fuel), known(facility), collector),
	),
	status: filed.text(at.status),
	status_std: filed.fact("miso.status", [at.status, at.withdrawnDate, at.postAgreement], ({ std }) => std),
	status_basis: filed.fact(
		"miso.status",
		[at.status, at.withdrawnDate, at.postAgreement, at.phase],
		({ statusBasis }) => statusBasis,
	),
	request_class: filed.from("miso.request_class", [at.number], classOf),
	capacity_mw: filed.megawatts(at.summer, at.winter),
	summer_mw: filed.megawatts(at.summer),
	winter_mw: filed.megawatts(at.winter),
	queue_date: filed.day(table.column("Queue Date", "queueDate")),
	cod: filed.day(
		table.column("Negotiated In Service Date", "negInService"),
		table.column("Appl In Service Date", "inService"),
	),
	withdrawn_date: filed.day(at.withdrawnDate),
	study_phase_filed: filed.text(at.phase),
	study_phase: filed.fact(
		"miso.study_phase",
		[at.phase, at.status, at.postAgreement, at.withdrawnDate],
		({ phase }) => phase,
	),
	ia_status_filed: filed.text(at.postAgreement),
});

const kindOf = (fuel: Cell): RequestKind =>
	foldCase(known(fuel)) === "high voltage dc" ? "transmission" : "generation";

/** Replacement and surplus requests use the rights of an existing plant. */
function classOf(number: Cell): RequestClass {
	const [, letter] = /^([RS])\d/i.exec(known(number) ?? "") ?? [];
	if (letter === undefined) return "new";
	return letter.toUpperCase() === "R" ? "replacement" : "surplus";
}

const typeFiled = (...columns: Cell[]): string | null =>
	[...new Set(columns.map(known).filter((part) => part !== null))].join("; ") || null;

const activeStatuses = new Set([
	"",
	"active",
	"done",
	"confirmed",
	"in review",
	"correction",
	"withdrawn - pending cure",
	"pending transfer",
	"pending revision approval",
	"legacy: done",
]);
/** "Archived" rows count as withdrawn, with little certainty. */
const withdrawnStatuses = new Set(["withdrawn", "legacy: archived"]);
const postAgreementStatuses = new Set([
	"",
	"not started",
	"under construction",
	"in service",
	"in service (with provisional gia)",
	"withdrawn",
]);
const studyPhases: ReadonlyMap<string, StudyPhase> = new Map([
	["study not started", "Not Started"],
	["phase 1", "Feasibility"],
	["phase 2", "SIS"],
	["phase 3", "Facilities"],
	["post-phase 3", "Facilities"],
	["gia", "GIA"],
]);

/** Values of the phase column that are not phases. */
const otherPhases = new Set(["", "network upgrade"]);

const words = {
	status: activeStatuses.union(withdrawnStatuses),
	ia_status: postAgreementStatuses,
	study_phase: new Set([...studyPhases.keys(), ...otherPhases]),
	type: "technology",
} as const;

interface State {
	std: Status;
	statusBasis: StatusBasis | null;
	phase: StudyPhase | null;
	evidence: StageEvidence;
}

/** A withdrawal takes precedence over the status after the agreement, which takes precedence over the study phase. */
function stateOf(row: Cell[], at: Columns, collector: Collector): State {
	const status = foldCase(collector.word("status", known(row[at.status]), words.status));
	const postAgreement = foldCase(collector.word("ia_status", known(row[at.postAgreement]), words.ia_status));
	const filedPhase = foldCase(collector.word("study_phase", known(row[at.phase]), words.study_phase));
	const isFiledWithdrawn = withdrawnStatuses.has(status);
	const hasWithdrawalDate = date(row[at.withdrawnDate]) !== null;
	const isRunning = postAgreement.startsWith("in service");
	if (isFiledWithdrawn || hasWithdrawalDate || postAgreement === "withdrawn") {
		const contradictory =
			isRunning || postAgreement === "under construction" || (hasWithdrawalDate && !isFiledWithdrawn);
		const basis = status === "legacy: archived" ? "study-columns" : "published";
		const statusBasis = isFiledWithdrawn ? "filed" : postAgreement === "withdrawn" ? "milestone" : "date";
		return { std: "Withdrawn", statusBasis, phase: null, evidence: { stage: "early", basis, contradictory } };
	}
	const hasAgreement = status === "done" || isRunning || postAgreement === "under construction";
	const phase = hasAgreement ? "IA Executed" : (studyPhases.get(filedPhase) ?? null);
	return {
		std: isRunning ? "Operational" : "Active",
		// "Done" ends the studies: the status after the agreement states the plant's outcome.
		statusBasis: hasAgreement ? "milestone" : status !== "" ? "filed" : phase === null ? null : "milestone",
		phase,
		evidence: { ...stageOf(phase, status, postAgreement), contradictory: false },
	};
}

function stageOf(
	phase: StudyPhase | null,
	status: string,
	postAgreement: string,
): Omit<StageEvidence, "contradictory"> {
	if (postAgreement === "under construction") return { stage: "construction", basis: "published" };
	if (postAgreement.startsWith("in service")) return { stage: "late", basis: "published" };
	if (phase === "IA Executed") return { stage: "late", basis: "agreement" };
	const basis = phase === null || status === "legacy: done" ? "active-only" : "study-code";
	if (phase === "GIA") return { stage: "late", basis };
	return { stage: phase === "Facilities" ? "mid" : "early", basis };
}

/** The CSV has "Network Resource Interconnection Service (NRIS)" where the API has "NRIS". */
function serviceOf(cell: Cell): string | null {
	const service = known(cell);
	return /\(([^()]+)\)$/.exec(service ?? "")?.[1]?.trim() ?? service;
}

/** Machines that burn the fuel in the fuel column, each with its usual fuel in case that column names none. */
const machines: ReadonlyMap<string, string> = new Map([
	["combined cycle", "Gas"],
	["combined-cycle – steam plant", "Gas"],
	["combustion turbine (simple cycle)", "Gas"],
	["co-gen", "Gas"],
	["piston (engine), internal combustion (diesel)", "Oil"],
	["steam turbine (including nuclear, geothermal and solar steam)", "Other"],
]);

/** The facility names the parts of a hybrid ("Solar/Battery") if the fuel is only "Hybrid". */
function typeOf(fuel: string | null, facility: string | null, collector: Collector): string {
	const usualFuel = machines.get(foldCase(facility));
	const isFuelSpecific = fuel !== null && foldCase(fuel) !== "hybrid";
	if (usualFuel !== undefined && !isFuelSpecific) return usualFuel;
	const label = usualFuel !== undefined || facility === null ? fuel : facility;
	return collector.technology("type", (mapped) =>
		standardTechnology(label, { ...mapped, "compressed air storage": "Other Storage" }),
	);
}

async function parse(file: RawFile, mapped: readonly MappedWord[] = []): Promise<ParsedFile> {
	const isJson = /^\ufeff?\s*[[{]/.test(peek(file.bytes, 256));
	const records = (isJson ? readJsonRecords : readCsv)(file.bytes, file.name);
	const table = new HeadedTable(records, required, 1);
	const at = columnsOf(table);
	const rows = dataRows(table);
	const isUpgrade = (row: Cell[]) => foldCase(known(row[at.phase])) === "network upgrade";
	const requested = new Set(rows.filter((row) => !isUpgrade(row)).map((row) => misoKey(known(row[at.number]) ?? "")));
	const collector = new Collector(mapped);
	const fields = fieldsOf(table, at, collector);
	const read = collector.rowsOf(table, fields, { extras, sheet: false });
	for (const row of rows) {
		const number = fields.queue_id.read(row);
		// MISO leaves messages and test rows in its list: "MSG KEEP", "AA1234", "N/A".
		if (number === null || !/^[A-Z]\d{2,}/i.test(number)) {
			collector.drop("no request number", number ?? known(row[at.cycle]), "malformed");
		} else if (isUpgrade(row) && requested.has(misoKey(number))) {
			collector.drop("network upgrade of a request that has its own row", number);
		} else {
			const state = stateOf(row, at, collector);
			collector.keep({ ...read(row, state), number, evidence: state.evidence });
		}
	}
	return collector.parsed({ publishedOn: null });
}

function misoKey(number: string): string {
	return number.replace(/\s+/g, " ").trim().toUpperCase();
}

const url = "https://www.misoenergy.org/api/giqueue/getprojects";

export const miso: Source = {
	feed: "miso",
	region: "MISO",
	title: "MISO generator interconnection queue (getprojects)",
	layout: { formats: "JSON, CSV", verified: "2026-06-30" },
	publication: { title: "Generator interconnection queue", url },
	cadenceHours: 24,
	maxAgeHours: 48,
	maxBytes: 32 * 1024 * 1024,
	coverage: "all-status",
	firstList: { rows: [2_500, 10_000], states: 14, statuses: ["Active", "Withdrawn", "Operational"] },
	download: (http) => http.get(url, { headers: { accept: "application/json" }, conditional: true }),
	recognises(file) {
		const start = peek(file.bytes);
		if (/^\ufeff?\s*\[/.test(start)) return start.includes('"projectnumber"') && start.includes('"applicationstatus"');
		const headers = csvHeaderNames(file.bytes);
		if (headers.has("projectnumber")) return headers.has("applicationstatus");
		return headers.has("project #") && headers.has("request status");
	},
	words,
	parse,
	key: misoKey,
};

export const operator: Operator = {
	publisher: "Midcontinent ISO",
	states: ["AR", "IA", "IL", "IN", "LA", "MI", "MN", "MS", "MO", "ND", "SD", "WI", "KY", "TX", "MT"],
	lists: [miso],
};
