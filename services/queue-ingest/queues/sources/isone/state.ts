/** Reads a request's status and studies from ISO-NE's columns. Pure. */
import type { Status, StatusBasis, StudyPhase } from "#libs/contract/vocabulary.ts";
import { type Cell, date, known, text } from "#libs/files/values.ts";
import { type Collector, foldCase } from "../../../sources/collector.ts";
import type { FiledRequest, StageEvidence } from "../../../sources/source.ts";

/** Positions of the columns that this module reads; -1 for a column that the layout lacks. */
interface StateColumns {
	projectStatus: number;
	/** The page's letter: A, W, C. */
	status: number;
	withdrawn: number;
	agreement: number;
	facilities: number;
	impact: number;
	feasibility: number;
	impactComplete: number;
	service: number;
	operation: number;
	updated: number;
}

/** Project statuses by their `foldCase` form, because the page and the export spell them differently. */
export const projectStatuses: ReadonlyMap<string, string> = new Map(
	["Under Study", "Under Construction", "In Service", "Partially In Service", "Suspended"].map((word) => [
		foldCase(word),
		word,
	]),
);

/** Only the web page has this column: A is active, W withdrawn, C commercial. */
export const statusLetters: ReadonlySet<string> = new Set(["", "a", "w", "c"]);

const studyWords = new Set([
	...["", "not started", "not required", "in progress", "interim study", "under study", "document posted"],
	...["executed", "isa not executed", "ia filed unexecuted"],
]);

const openWords: ReadonlySet<string | boolean> = new Set([
	"not started",
	"in progress",
	"interim study",
	"under study",
]);

export interface State {
	status: string | null;
	statusStd: Status;
	/** Null if the row has neither a status nor a withdrawal and does not confirm operation. */
	statusBasis: Extract<StatusBasis, "filed" | "date"> | null;
	/** As returned by `foldCase`. */
	projectStatus: string;
	contradictory: boolean;
}

/**
 * The filed status combines the project status and the withdrawal ("Under Study", "Withdrawn (Under Study)"; null if the row has neither). All
 * layouts have both, so a different layout is not a change of status. The standard status also uses the page's letter and, if no status is
 * filed, a confirmed date of operation.
 */
export function stateOf(row: Cell[], at: StateColumns, collector: Collector): State {
	const filed = known(row[at.projectStatus]);
	const projectStatus = filed === null ? "" : foldCase(collector.word("status", filed, projectStatuses));
	const letter = foldCase(collector.word("status_letter", known(row[at.status]), statusLetters));
	const word = projectStatuses.get(foldCase(filed)) ?? filed;
	const hasWithdrawalDate = date(row[at.withdrawn]) !== null;
	const isWithdrawn = letter === "w" || hasWithdrawalDate;
	const statesOperation = letter === "c" || projectStatus === "in service" || projectStatus === "partially in service";
	const confirmsOperation = filed === null && letter === "" && !hasWithdrawalDate && hasConfirmedOperation(row, at);
	const isOperational = statesOperation || confirmsOperation;
	const openStatus = projectStatus === "suspended" ? "Suspended" : "Active";
	return {
		status: isWithdrawn ? (word === null ? "Withdrawn" : `Withdrawn (${word})`) : word,
		statusStd: isOperational ? "Operational" : isWithdrawn ? "Withdrawn" : openStatus,
		statusBasis:
			confirmsOperation || (hasWithdrawalDate && !isOperational && letter !== "w")
				? "date"
				: isOperational || isWithdrawn || word !== null || letter === "a"
					? "filed"
					: null,
		projectStatus,
		contradictory: isOperational && isWithdrawn,
	};
}

/**
 * ISO-NE leaves the project status of most operating plants blank, but files the day on which operation began, and updates the row after that
 * day. Of 117 such rows in the lists of 2024 and 2025, two were withdrawn later. Excludes small plants of distribution systems, which request
 * no service from ISO-NE (blank, "NA"): their rows are updated together, long after the dates of operation.
 */
function hasConfirmedOperation(row: Cell[], at: StateColumns): boolean {
	const service = foldCase(known(row[at.service]));
	const operation = date(row[at.operation]);
	const updated = date(row[at.updated]);
	return service !== "" && service !== "na" && operation !== null && updated !== null && updated >= operation;
}

/** Derives the study phase and the stage evidence of a row from its state and its study columns. */
export function studiesOf(
	row: Cell[],
	at: StateColumns,
	state: State,
	collector: Collector,
): Pick<FiledRequest, "studyPhase" | "evidence"> {
	const words = studyWordsOf(row, at, collector);
	const evidence = (stage: StageEvidence["stage"], basis: StageEvidence["basis"]) => ({
		stage,
		basis,
		contradictory: state.contradictory,
		noOpenStudy: !Object.values(words).some((word) => openWords.has(word)),
	});
	if (state.statusStd === "Withdrawn") return { studyPhase: null, evidence: evidence("early", "published") };
	// A plant in service has an agreement, even if ISO-NE leaves the column blank, as for old plants.
	if (state.statusStd === "Operational") return { studyPhase: "IA Executed", evidence: evidence("late", "published") };
	const studyPhase = phaseOf(words);
	if (state.projectStatus === "under construction")
		return { studyPhase, evidence: evidence("construction", "published") };
	if (studyPhase === "IA Executed") return { studyPhase, evidence: evidence("late", "agreement") };
	const impactDone = words.impactComplete || words.impact === "document posted";
	const stage = studyPhase === "GIA" ? "late" : studyPhase === "Facilities" || impactDone ? "mid" : "early";
	return { studyPhase, evidence: evidence(stage, studyPhase === null ? "active-only" : "study-columns") };
}

/** Returns the study columns in their `foldCase` form, and counts values that are not known. */
function studyWordsOf(row: Cell[], at: StateColumns, collector: Collector): StudyWords {
	const study = (column: number, field: string) => {
		const word = foldCase(known(row[column]));
		if (!studyWords.has(word)) collector.unknown(field, word);
		return word;
	};
	return {
		agreement: study(at.agreement, "ia"),
		facilities: study(at.facilities, "fac"),
		impact: study(at.impact, "sis"),
		feasibility: study(at.feasibility, "fs"),
		impactComplete: isTrue(row[at.impactComplete]),
	};
}

interface StudyWords extends Record<"agreement" | "facilities" | "impact" | "feasibility", string> {
	impactComplete: boolean;
}

/** Returns the furthest study that has begun. An agreement in progress is being negotiated. */
function phaseOf({ agreement, facilities, impact, feasibility, impactComplete }: StudyWords): StudyPhase | null {
	const hasBegun = (word: string) => word !== "" && word !== "not started" && word !== "not required";
	if (agreement === "executed" || agreement === "ia filed unexecuted") return "IA Executed";
	if (agreement === "in progress") return "GIA";
	if (hasBegun(facilities)) return "Facilities";
	if (hasBegun(impact) || impactComplete) return "SIS";
	if (hasBegun(feasibility)) return "Feasibility";
	return [agreement, facilities, impact, feasibility].includes("not started") ? "Not Started" : null;
}

/** Accepts "True" (CSV), true (JSON, xlsx) and the title of an icon (page). */
export function isTrue(cell: Cell): boolean {
	return ["true", "yes", "y", "x", "complete", "completed"].includes(foldCase(text(cell)));
}
