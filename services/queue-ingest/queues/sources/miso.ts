/** MISO's generator interconnection queue, as the JSON of its public API or as the CSV of its page. */
import type { RequestKind, Status, StatusBasis, StudyPhase } from "#libs/contract/vocabulary.ts";
import { csvHeaderNames, readCsv } from "#libs/files/csv.ts";
import { peek } from "#libs/files/decode.ts";
import { readJsonRecords } from "#libs/files/json.ts";
import { HeadedTable } from "#libs/files/table.ts";
import { type Cell, date, known, megawatts } from "#libs/files/values.ts";
import { Collector, dataRows, type Extra, fold, rawReader } from "../../sources/collector.ts";
import * as cells from "../../sources/filed-cells.ts";
import type { FiledRequest, Operator, ParsedFile, RawFile, Source, StageEvidence } from "../../sources/source.ts";
import { standardTechnology } from "../../sources/technology.ts";
import { unfiled } from "../../sources/unfiled.ts";
import type { MappedWord } from "../../sources/vocabulary.ts";

/** Header of the CSV, key of the JSON. Identity, what decides the status, and the capacity that every total rests on. */
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

/** Where the columns stand; -1 for one that the layout lacks. */
function columnsOf(table: HeadedTable) {
	// The API numbers its rows anew every day.
	table.ignore("id");
	return {
		number: table.column("Project #", "projectNumber"),
		status: table.column("Request Status", "applicationStatus"),
		queueDate: table.column("Queue Date", "queueDate"),
		withdrawnDate: table.column("Withdrawn Date", "withdrawnDate"),
		applied: table.column("Appl In Service Date", "inService"),
		negotiated: table.column("Negotiated In Service Date", "negInService"),
		owner: table.column("Transmission Owner", "transmissionOwner"),
		county: table.column("County", "county"),
		state: table.column("State", "state"),
		cycle: table.column("Study Cycle", "studyCycle"),
		phase: table.column("Study Phase", "studyPhase"),
		service: table.column("Service Type", "svcType"),
		poi: table.column("POI Name", "poiName"),
		summer: table.column("Summer MW", "summerNetMW"),
		winter: table.column("Winter MW", "winterNetMW"),
		fuel: table.column("Fuel", "fuelType"),
		facility: table.column("Generating Facility", "facilityType"),
		afterAgreement: table.column("Post GIA Status", "postGIAStatus"),
	};
}
type Columns = ReturnType<typeof columnsOf>;

const cellsOf = (at: Columns): cells.FieldsOfTable => ({
	queue_id: cells.by("number", cells.text(at.number)),
	kind: cells.together("miso.kind", at.fuel),
	name: cells.by("miso.name", cells.text(at.poi)),
	county: cells.text(at.county),
	state: cells.text(at.state),
	poi: cells.text(at.poi),
	utility: cells.text(at.owner),
	cluster: cells.text(at.cycle),
	service: cells.together("miso.service", at.service),
	type: cells.together("miso.type", at.fuel, at.facility),
	type_std: cells.together("miso.technology", at.facility, at.fuel, at.poi),
	status: cells.text(at.status),
	status_std: cells.together("miso.status", at.status, at.withdrawnDate, at.afterAgreement),
	status_basis: cells.together("miso.status", at.status, at.withdrawnDate, at.afterAgreement, at.phase),
	capacity_mw: cells.megawatts(at.summer, at.winter),
	summer_mw: cells.megawatts(at.summer),
	winter_mw: cells.megawatts(at.winter),
	queue_date: cells.day(at.queueDate),
	cod: cells.day(at.negotiated, at.applied),
	withdrawn_date: cells.day(at.withdrawnDate),
	study_phase_filed: cells.text(at.phase),
	study_phase: cells.together("miso.study_phase", at.phase, at.status, at.afterAgreement, at.withdrawnDate),
	ia_status_filed: cells.text(at.afterAgreement),
});

function toRequest(row: Cell[], at: Columns, number: string, collector: Collector): FiledRequest {
	const state = stateOf(row, at, collector);
	const fuel = known(row[at.fuel]);
	const facility = known(row[at.facility]);
	const kind: RequestKind = fold(fuel) === "high voltage dc" ? "transmission" : "generation";
	const poi = known(row[at.poi]);
	const summerMw = megawatts(row[at.summer]);
	const winterMw = megawatts(row[at.winter]);
	return {
		...unfiled,
		number,
		kind,
		// MISO publishes no project names.
		name: poi,
		county: known(row[at.county]),
		state: known(row[at.state]),
		poi,
		utility: known(row[at.owner]),
		cluster: known(row[at.cycle]),
		service: serviceOf(known(row[at.service])),
		type: [...new Set([fuel, facility].filter((part) => part !== null))].join("; ") || null,
		typeStd: kind === "transmission" ? "Transmission" : typeOf(fuel, facility, collector),
		status: known(row[at.status]),
		statusStd: state.std,
		statusBasis: state.rests,
		capacityMw: summerMw ?? winterMw,
		summerMw,
		winterMw,
		queueDate: date(row[at.queueDate]),
		cod: date(row[at.negotiated]) ?? date(row[at.applied]),
		withdrawnDate: date(row[at.withdrawnDate]),
		studyPhaseFiled: known(row[at.phase]),
		studyPhase: state.phase,
		iaStatusFiled: known(row[at.afterAgreement]),
		evidence: state.evidence,
		raw: {},
	};
}

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
/** "Archived" rows are taken for withdrawn ones, with little certainty (queues.md 2.1). */
const withdrawnStatuses = new Set(["withdrawn", "legacy: archived"]);
const afterAgreementStatuses = new Set([
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

/** Values of the phase column that are no phase. */
const otherPhases = new Set(["", "network upgrade"]);

const words = {
	status: activeStatuses.union(withdrawnStatuses),
	ia_status: afterAgreementStatuses,
	study_phase: new Set([...studyPhases.keys(), ...otherPhases]),
	type: "technology",
} as const;

/** Status, phase and stage. Withdrawn outranks the state after the agreement, which outranks the study phase. */
function stateOf(
	row: Cell[],
	at: Columns,
	collector: Collector,
): { std: Status; rests: StatusBasis | null; phase: StudyPhase | null; evidence: StageEvidence } {
	const filed = { status: known(row[at.status]), after: known(row[at.afterAgreement]), phase: known(row[at.phase]) };
	const status = fold(collector.word("status", filed.status, words.status));
	const after = fold(collector.word("ia_status", filed.after, words.ia_status));
	const filedPhase = fold(collector.word("study_phase", filed.phase, words.study_phase));
	const hasWithdrawn = withdrawnStatuses.has(status);
	const dated = date(row[at.withdrawnDate]) !== null;
	const running = after.startsWith("in service");
	if (hasWithdrawn || dated || after === "withdrawn") {
		const contradictory = running || after === "under construction" || (dated && !hasWithdrawn);
		const basis = status === "legacy: archived" ? "study-columns" : "published";
		const rests = hasWithdrawn ? "filed" : after === "withdrawn" ? "milestone" : "date";
		return { std: "Withdrawn", rests, phase: null, evidence: { stage: "early", basis, contradictory } };
	}
	const agreed = status === "done" || running || after === "under construction";
	const phase = agreed ? "IA Executed" : (studyPhases.get(filedPhase) ?? null);
	return {
		std: running ? "Operational" : "Active",
		// "Done" ends the studies: what became of the plant stands in the status after the agreement.
		rests: agreed ? "milestone" : status !== "" ? "filed" : phase === null ? null : "milestone",
		phase,
		evidence: { ...stageOf(phase, status, after), contradictory: false },
	};
}

function stageOf(phase: StudyPhase | null, status: string, after: string): Omit<StageEvidence, "contradictory"> {
	if (after === "under construction") return { stage: "construction", basis: "published" };
	if (after.startsWith("in service")) return { stage: "late", basis: "published" };
	if (phase === "IA Executed") return { stage: "late", basis: "agreement" };
	const basis = phase === null || status === "legacy: done" ? "active-only" : "study-code";
	if (phase === "GIA") return { stage: "late", basis };
	return { stage: phase === "Facilities" ? "mid" : "early", basis };
}

/** "Network Resource Interconnection Service (NRIS)" of the CSV is "NRIS" of the API. */
function serviceOf(filed: string | null): string | null {
	return /\(([^()]+)\)$/.exec(filed ?? "")?.[1]?.trim() ?? filed;
}

/** Machines that burn whatever the fuel column says; what they usually burn where it says nothing. */
const machines: ReadonlyMap<string, string> = new Map([
	["combined cycle", "Gas"],
	["combined-cycle – steam plant", "Gas"],
	["combustion turbine (simple cycle)", "Gas"],
	["co-gen", "Gas"],
	["piston (engine), internal combustion (diesel)", "Oil"],
	["steam turbine (including nuclear, geothermal and solar steam)", "Other"],
]);

/** The facility names the parts of a hybrid ("Solar/Battery"), where the fuel only says "Hybrid". */
function typeOf(fuel: string | null, facility: string | null, collector: Collector): string {
	const usual = machines.get(fold(facility));
	const fuelTells = fuel !== null && fold(fuel) !== "hybrid";
	if (usual !== undefined && !fuelTells) return usual;
	const filed = usual !== undefined || facility === null ? fuel : facility;
	return collector.technology("type", (mapped) =>
		standardTechnology(filed, { ...mapped, "compressed air storage": "Other Storage" }),
	);
}

async function parse(file: RawFile, mapped: readonly MappedWord[] = []): Promise<ParsedFile> {
	const isJson = /^\ufeff?\s*[[{]/.test(peek(file.bytes, 256));
	const read = isJson ? readJsonRecords : readCsv;
	const table = new HeadedTable(read(file.bytes, file.name), required, 1);
	const at = columnsOf(table);
	const raw = rawReader(table, extras);
	const rows = dataRows(table);
	const isUpgrade = (row: Cell[]) => fold(known(row[at.phase])) === "network upgrade";
	const requested = new Set(rows.filter((row) => !isUpgrade(row)).map((row) => misoKey(known(row[at.number]) ?? "")));
	const collector = new Collector(mapped);
	const origins = collector.rowsOf(table, cellsOf(at), { sheet: false });
	for (const row of rows) {
		const number = known(row[at.number]);
		// MISO leaves messages and test rows in its list: "MSG KEEP", "AA1234", "N/A".
		if (number === null || !/^[A-Z]\d{2,}/i.test(number)) {
			collector.drop("no request number", number ?? known(row[at.cycle]), "malformed");
		} else if (isUpgrade(row) && requested.has(misoKey(number))) {
			collector.drop("network upgrade of a request that has its own row", number);
		} else {
			collector.keep({ ...toRequest(row, at, number, collector), raw: raw(row), origins: origins(row) });
		}
	}
	return collector.parsed({ publishedOn: null, rowsIn: rows.length, unknownColumns: table.leftovers() });
}

function misoKey(number: string): string {
	return number.replace(/\s+/g, " ").trim().toUpperCase();
}

const url = "https://www.misoenergy.org/api/giqueue/getprojects";
const maxBytes = 32 * 1024 * 1024;

export const miso: Source = {
	feed: "miso",
	region: "MISO",
	title: "MISO generator interconnection queue (getprojects)",
	publication: { title: "Generator interconnection queue", url },
	cadenceHours: 24,
	maxAgeHours: 48,
	maxBytes,
	coverage: "all-status",
	download: (http) => http.get(url, { headers: { accept: "application/json" }, conditional: true, maxBytes }),
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
