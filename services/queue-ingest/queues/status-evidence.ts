/**
 * Finds evidence of what became of open requests: in the operator's own outcome sheets for requests that its newest list lacks, and in
 * other publishers' reports that a plant operates. Berkeley Lab never overrules a status in the operator's newest list; the EIA does if
 * plant, technology, date and capacity agree. Pure.
 */

import type { Status } from "#libs/contract/vocabulary.ts";
import { spelled } from "#libs/names/tidy-name.ts";
import { additionTo } from "./addition.ts";
import {
	findAddition,
	findCancelled,
	findConstructionStart,
	findOperating,
	findPart,
	findPartialOperation,
	findPlanned,
	type ReportedPlant,
} from "./eia-evidence.ts";
import { type Evidence, type OpenRequest, type OperatingEvidence, otherSourceBasis } from "./open-request.ts";

/** A request of the same operator and number that Berkeley Lab lists as operational. */
interface OperationalRequest {
	name: string | null;
	typeStd: string;
	queueDate: string | null;
	operationDate: string | null;
}

/** The outcome in the operator's newest outcome sheet with the request, if no later list shows the request. */
interface Outcome {
	status: Extract<Status, "Operational" | "Withdrawn">;
	/** Day of the approval or cancellation. */
	on: string | null;
	/** Day of the report. */
	report: string;
}

export interface Reports {
	outcome: Outcome | null;
	/** Day of the edition (`YYYY-MM-DD`), and its requests with the same number. */
	lbnl: { day: string; requests: readonly OperationalRequest[] } | null;
	plant: ReportedPlant | null;
}

/** Columns of a request whose values evidence can replace; `as_filed` then has the filed values. */
export const replaceableColumns = [
	...(["status_std", "status_basis", "status_evidence", "ia_status"] as const),
	...(["construction_stage", "construction_stage_confidence", "actual_cod", "withdrawn_date"] as const),
	...(["plant_state", "plant_state_basis", "plant_state_evidence"] as const),
	...(["plant_report", "plant_reported_on", "construction_begun_by"] as const),
	...(["request_class", "added_type_std", "incremental_mw", "operating_mw"] as const),
];

type Replacing = Partial<Record<(typeof replaceableColumns)[number], string | number | null>>;

/** The columns that this evidence replaces, with their new values. */
export const toReplacedColumns = ({ status, on, adds, ...evidence }: Evidence): Replacing => ({
	...{ plant_state: evidence.plantState, plant_state_basis: evidence.basis, plant_state_evidence: evidence.statement },
	...(status !== null && {
		...{
			status_std: status,
			status_basis: evidence.statusBasis,
			status_evidence: evidence.statement,
			ia_status: status,
		},
		...{ construction_stage: status.toLowerCase(), construction_stage_confidence: evidence.confidence },
	}),
	...(on !== null && { [status === "Operational" ? "actual_cod" : "withdrawn_date"]: on }),
	...evidence.reported,
	...(evidence.operatingMw !== undefined && { operating_mw: evidence.operatingMw }),
	...(adds && { request_class: "modification", added_type_std: adds.type, incremental_mw: adds.mw }),
});

/** Confidence in a stage that only Berkeley Lab states. */
const lbnlConfidence = 0.4;
/** Two publishers' dates of one request differ by at most this many days. */
const sameDays = 31;

/** Null if the filed status is final, or no other source adds to it. */
export function findEvidence(filed: OpenRequest, { outcome, lbnl, plant }: Reports): Evidence | null {
	const { status, statusStd, listed, typeStd } = filed;
	const own = typeStd.split(" + ");
	// ERCOT lists the other parts of the plant as separate requests.
	const request = { ...filed, components: filed.components.filter((part) => own.includes(part.type_std)) };
	const isGone = listed !== "listed";
	const isSilent = status === null || isGone;
	const whole = plant?.kind === "part" ? null : plant;
	if (statusStd === "Operational" || statusStd === "Withdrawn" || (statusStd === "Suspended" && !isGone)) return null;
	if (isGone && outcome !== null) return reportedOutcome(outcome);
	const reopened = lbnl === null || isSilent ? null : findLbnlAddition(request, lbnl);
	const change = (whole === null || isGone ? null : findAddition(request, whole)) ?? reopened;
	if (change !== null || (request.isAddition && !isGone)) return change;
	const found = [
		lbnl === null || !isSilent ? null : findLbnlOperating(request, lbnl),
		whole === null ? null : findOperating(request, whole, isSilent),
	].filter((one) => one !== null);
	const [first] = found;
	if (first === undefined) {
		if (plant === null || isGone) return null;
		if (plant !== whole) return findPart(request, plant);
		const finders = [findPartialOperation, findPlanned, findConstructionStart, findCancelled];
		return finders.reduce<Evidence | null>((evidence, find) => evidence ?? find(request, plant), null);
	}
	return {
		status: "Operational",
		...otherSourceBasis,
		plantState: "operating",
		basis: found.at(-1)?.basis ?? first.basis,
		confidence: Math.max(...found.map((one) => one.confidence)),
		statement: found.map((one) => one.statement).join("; "),
	};
}

/** An outcome that the operator publishes is as sure as a status in its list (`startingConfidence`). */
function reportedOutcome({ status, on, report }: Outcome): Evidence {
	const isBuilt = status === "Operational";
	const what = isBuilt ? "approved for commercial operation" : "cancelled";
	return {
		...{ status, on, statusBasis: "outcome_sheet", basis: "operator_update_sheet", confidence: 0.95 },
		plantState: isBuilt ? "operating" : "none",
		statement: `The operator's report of ${report}: ${what}${on === null ? "" : ` on ${on}`}`,
	};
}

/**
 * Does not apply to a number that several requests share, because Berkeley Lab gives each the status of one of them: ISO-NE lists 13 of 21
 * such rows as withdrawn. Where only one request has the number, all 71 rows with a status from ISO-NE agree.
 */
function findLbnlOperating(
	request: OpenRequest,
	{ day, requests }: NonNullable<Reports["lbnl"]>,
): OperatingEvidence | null {
	if (request.sharesNumber) return null;
	// The request is planned for a later day than the edition's, so it is another part of it that operates.
	if (request.cod !== null && request.cod > day) return null;
	const same = requests.find((listed) => isSameRequest(request, listed) && (listed.operationDate ?? day) <= day);
	if (same === undefined) return null;
	const since = same.operationDate === null ? "" : ` since ${same.operationDate}`;
	return {
		basis: "lbnl",
		confidence: lbnlConfidence,
		statement: `LBNL Queued Up, edition of ${day}: operational${since}`,
	};
}

/** Evidence that an operating request is open again for added technologies: Berkeley Lab lists fewer than the operator (CAISO-96: wind since 2011). */
function findLbnlAddition(request: OpenRequest, { day, requests }: NonNullable<Reports["lbnl"]>): Evidence | null {
	const { components, isAddition, sharesNumber } = request;
	const same = requests.find((listed) => isSameRequest(request, listed) && (listed.operationDate ?? day) < day);
	if (same === undefined || isAddition || sharesNumber) return null;
	const kept = components.filter((part) => same.typeStd.split(" + ").includes(part.type_std));
	const adds = additionTo(kept, components, null);
	if (kept.length === 0 || adds.type === null) return null;
	return {
		...{ status: null, ...otherSourceBasis, plantState: "none", basis: "lbnl", confidence: lbnlConfidence, adds },
		statement: `LBNL Queued Up, edition of ${day}: operational since ${same.operationDate}, without the ${adds.type}`,
	};
}

/** Matches requests with the same number by queue date, or by name if either has no date. */
export function isSameRequest(
	request: Pick<OpenRequest, "name" | "queueDate">,
	listed: Pick<OperationalRequest, "name" | "queueDate">,
): boolean {
	if (request.queueDate === null || listed.queueDate === null)
		return request.name !== null && listed.name !== null && spelled(request.name) === spelled(listed.name);
	return Math.abs(Date.parse(request.queueDate) - Date.parse(listed.queueDate)) / 86_400_000 <= sameDays;
}
