/**
 * Finds evidence of what became of open requests. The sources are the operator's outcome sheets, for requests that are missing from its newest
 * list, and other publishers' reports that a plant operates. A status in the operator's newest list is never overridden by Berkeley Lab, and by
 * the EIA only if plant, technology, date and capacity agree. Pure.
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

/** Outcome of a request in the newest outcome sheet that contains it, if no later list contains the request. */
interface Outcome {
	status: Extract<Status, "Operational" | "Withdrawn">;
	/** Day of the approval or cancellation. */
	on: string | null;
	/** Day of the report. */
	report: string;
}

export interface Reports {
	outcome: Outcome | null;
	/** Day of the edition (`YYYY-MM-DD`), and the edition's requests with the same number. */
	lbnl: { day: string; requests: readonly OperationalRequest[] } | null;
	plant: ReportedPlant | null;
}

/** Columns of a request whose values evidence can replace; `as_filed` then contains the filed values. */
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
/** Maximum difference between two publishers' dates of the same request. */
const maxDateDifferenceDays = 31;

/** Null if the filed status is final, or no other source has evidence. */
export function findEvidence(filed: OpenRequest, { outcome, lbnl, plant }: Reports): Evidence | null {
	const { status, statusStd, listed, typeStd } = filed;
	const filedTypes = typeStd.split(" + ");
	// ERCOT lists the other parts of the plant as separate requests.
	const request = { ...filed, components: filed.components.filter((part) => filedTypes.includes(part.type_std)) };
	const isGone = listed !== "listed";
	const isSilent = status === null || isGone;
	const wholePlant = plant?.kind === "part" ? null : plant;
	if (statusStd === "Operational" || statusStd === "Withdrawn" || (statusStd === "Suspended" && !isGone)) return null;
	if (isGone && outcome !== null) return toOutcomeEvidence(outcome);
	const lbnlAddition = lbnl === null || isSilent ? null : findLbnlAddition(request, lbnl);
	const statedAddition = (wholePlant === null || isGone ? null : findAddition(request, wholePlant)) ?? lbnlAddition;
	if (statedAddition !== null || (request.isAddition && !isGone)) return statedAddition;
	const findings = [
		lbnl === null || !isSilent ? null : findLbnlOperating(request, lbnl),
		wholePlant === null ? null : findOperating(request, wholePlant, isSilent),
	].filter((one) => one !== null);
	const [first] = findings;
	if (first === undefined) {
		if (plant === null || isGone) return null;
		if (plant !== wholePlant) return findPart(request, plant);
		const finders = [findPartialOperation, findPlanned, findConstructionStart, findCancelled];
		return finders.reduce<Evidence | null>((evidence, find) => evidence ?? find(request, plant), null);
	}
	return {
		status: "Operational",
		...otherSourceBasis,
		plantState: "operating",
		basis: findings.at(-1)?.basis ?? first.basis,
		confidence: Math.max(...findings.map((one) => one.confidence)),
		statement: findings.map((one) => one.statement).join("; "),
	};
}

/** The confidence is that of a status in the operator's list (`startingConfidence`). */
function toOutcomeEvidence({ status, on, report }: Outcome): Evidence {
	const isBuilt = status === "Operational";
	const result = isBuilt ? "approved for commercial operation" : "cancelled";
	return {
		...{ status, on, statusBasis: "outcome_sheet", basis: "operator_update_sheet", confidence: 0.95 },
		plantState: isBuilt ? "operating" : "none",
		statement: `The operator's report of ${report}: ${result}${on === null ? "" : ` on ${on}`}`,
	};
}

/**
 * Ignores numbers that several requests share, because Berkeley Lab gives all of them the status of one: ISO-NE lists 13 of 21 such rows as
 * withdrawn. Where only one request has the number, all 71 rows with a status from ISO-NE agree.
 */
function findLbnlOperating(
	request: OpenRequest,
	{ day, requests }: NonNullable<Reports["lbnl"]>,
): OperatingEvidence | null {
	if (request.sharesNumber) return null;
	// This request is planned for a day after the edition, so the operating part must be a different one.
	if (request.cod !== null && request.cod > day) return null;
	const match = requests.find((listed) => isSameRequest(request, listed) && (listed.operationDate ?? day) <= day);
	if (match === undefined) return null;
	const since = match.operationDate === null ? "" : ` since ${match.operationDate}`;
	return {
		basis: "lbnl",
		confidence: lbnlConfidence,
		statement: `LBNL Queued Up, edition of ${day}: operational${since}`,
	};
}

/** Finds a plant that Berkeley Lab lists as operating with fewer technologies than the operator: the request adds the rest (CAISO-96: wind since 2011). */
function findLbnlAddition(request: OpenRequest, { day, requests }: NonNullable<Reports["lbnl"]>): Evidence | null {
	const { components, isAddition, sharesNumber } = request;
	const match = requests.find((listed) => isSameRequest(request, listed) && (listed.operationDate ?? day) < day);
	if (match === undefined || isAddition || sharesNumber) return null;
	const kept = components.filter((part) => match.typeStd.split(" + ").includes(part.type_std));
	const adds = additionTo(kept, components, null);
	if (kept.length === 0 || adds.type === null) return null;
	return {
		...{ status: null, ...otherSourceBasis, plantState: "none", basis: "lbnl", confidence: lbnlConfidence, adds },
		statement: `LBNL Queued Up, edition of ${day}: operational since ${match.operationDate}, without the ${adds.type}`,
	};
}

/** Matches requests with the same number by queue date, or by name if either has no date. */
export function isSameRequest(
	request: Pick<OpenRequest, "name" | "queueDate">,
	listed: Pick<OperationalRequest, "name" | "queueDate">,
): boolean {
	if (request.queueDate === null || listed.queueDate === null)
		return request.name !== null && listed.name !== null && spelled(request.name) === spelled(listed.name);
	return Math.abs(Date.parse(request.queueDate) - Date.parse(listed.queueDate)) / 86_400_000 <= maxDateDifferenceDays;
}
