/**
 * Evidence of what became of open requests: the operator's own sheets of outcomes for what its newest list lacks, and other publishers that
 * say that a plant runs. Berkeley Lab's never overrules a status that the operator's newest list states; the EIA's does where plant, technology,
 * date and capacity agree. Pure.
 */

import type { Status } from "#libs/contract/vocabulary.ts";
import { spelled } from "#libs/names/tidy-name.ts";
import { additionTo } from "./addition.ts";
import { ofCancelled, ofChange, ofConstruction, ofEia, ofPart, ofPlan, type ReportedPlant } from "./eia-evidence.ts";
import { byOthers, type Evidence, type Found, type OpenRequest } from "./open-request.ts";

/** A request of the same operator and number that Berkeley Lab lists as operational. */
interface OperationalRequest {
	name: string | null;
	typeStd: string;
	queueDate: string | null;
	operationDate: string | null;
}

/** The operator's newest report that has the request in a sheet of outcomes, since a list last showed it. */
interface Outcome {
	status: Extract<Status, "Operational" | "Withdrawn">;
	/** Day of the approval or cancellation. */
	on: string | null;
	/** Its day. */
	report: string;
}

export interface Reports {
	outcome: Outcome | null;
	/** Day of the edition (`YYYY-MM-DD`), and its requests of the number. */
	lbnl: { day: string; requests: readonly OperationalRequest[] } | null;
	plant: ReportedPlant | null;
}

/** Columns that something beside a request's own row can replace; the row then holds what was filed as `as_filed`. */
export const replaced = [
	...(["status_std", "status_basis", "status_evidence", "ia_status"] as const),
	...(["construction_stage", "construction_stage_confidence", "actual_cod", "withdrawn_date"] as const),
	...(["plant_state", "plant_state_basis", "plant_state_evidence"] as const),
	...(["request_class", "added_type_std", "incremental_mw", "operating_mw"] as const),
];

type Replacing = Partial<Record<(typeof replaced)[number], string | number | null>>;

/** Those that this evidence replaces, with its values: the others stay as filed. */
export const replacedBy = ({ status, on, adds, ...evidence }: Evidence): Replacing => ({
	...{ plant_state: evidence.plantState, plant_state_basis: evidence.basis, plant_state_evidence: evidence.says },
	...(status !== null && {
		...{ status_std: status, status_basis: evidence.statusBasis, status_evidence: evidence.says, ia_status: status },
		...{ construction_stage: status.toLowerCase(), construction_stage_confidence: evidence.confidence },
	}),
	...(on !== null && { [status === "Operational" ? "actual_cod" : "withdrawn_date"]: on }),
	...(evidence.operatingMw !== undefined && { operating_mw: evidence.operatingMw }),
	...(adds && { request_class: "modification", added_type_std: adds.type, incremental_mw: adds.mw }),
});

/** Berkeley Lab's word for a stage, where no operator says it (queues.md 2.5). */
const lbnlConfidence = 0.4;
/** Dates of one request that two publishers write down lie at most this far apart. */
const sameDays = 31;

/** Null: the operator says it itself, or lists the request and no other publisher says more. */
export function evidenceFor(request: OpenRequest, { outcome, lbnl, plant }: Reports): Evidence | null {
	const { status, statusStd, listed } = request;
	const isGone = listed !== "listed";
	const isSilent = status === null || isGone;
	if (statusStd === "Operational" || statusStd === "Withdrawn" || (statusStd === "Suspended" && !isGone)) return null;
	if (isGone && outcome !== null) return ofOutcome(outcome);
	const reopened = lbnl === null || isSilent ? null : ofReopened(request, lbnl);
	const change = (plant === null || isGone ? null : ofChange(request, plant)) ?? reopened;
	if (change !== null || (request.isAddition && !isGone)) return change;
	const found = [
		lbnl === null || !isSilent ? null : ofLbnl(request, lbnl),
		plant === null ? null : ofEia(request, plant, isSilent),
	].filter((one) => one !== null);
	const [first] = found;
	if (first === undefined) {
		if (plant === null || isGone) return null;
		const says = [ofPart, ofPlan, ofConstruction, ofCancelled];
		return says.reduce<Evidence | null>((evidence, ask) => evidence ?? ask(request, plant), null);
	}
	return {
		status: "Operational",
		...byOthers,
		plantState: "operating",
		basis: found.at(-1)?.basis ?? first.basis,
		confidence: Math.max(...found.map((one) => one.confidence)),
		says: found.map((one) => one.says).join("; "),
	};
}

/** An outcome that the operator publishes is as sure as a status in its list (`startingConfidence`). */
function ofOutcome({ status, on, report }: Outcome): Evidence {
	const isBuilt = status === "Operational";
	const what = isBuilt ? "approved for commercial operation" : "cancelled";
	return {
		...{ status, on, statusBasis: "outcome_sheet", basis: "operator_update_sheet", confidence: 0.95 },
		plantState: isBuilt ? "operating" : "none",
		says: `The operator's report of ${report}: ${what}${on === null ? "" : ` on ${on}`}`,
	};
}

/**
 * If several requests share a number, Berkeley Lab gives each the status of one: of 21 such rows of ISO-NE's, 13 were withdrawn by ISO-NE's
 * own list. Where the number is one request's, all 71 rows of which ISO-NE states something agree.
 */
function ofLbnl(request: OpenRequest, { day, requests }: NonNullable<Reports["lbnl"]>): Found | null {
	if (request.sharesNumber) return null;
	// Still planned when the edition was made: what it calls operational is another part of the request.
	if (request.cod !== null && request.cod > day) return null;
	const same = requests.find((listed) => isSameRequest(request, listed) && (listed.operationDate ?? day) <= day);
	if (same === undefined) return null;
	const since = same.operationDate === null ? "" : ` since ${same.operationDate}`;
	return { basis: "lbnl", confidence: lbnlConfidence, says: `LBNL Queued Up, edition of ${day}: operational${since}` };
}

/** Berkeley Lab knows it to run with fewer technologies than it is listed with now (CAISO-96: wind since 2011): it is open for the others. */
function ofReopened(request: OpenRequest, { day, requests }: NonNullable<Reports["lbnl"]>): Evidence | null {
	const { components, isAddition, sharesNumber } = request;
	const same = requests.find((listed) => isSameRequest(request, listed) && (listed.operationDate ?? day) < day);
	if (same === undefined || isAddition || sharesNumber) return null;
	const kept = components.filter((part) => same.typeStd.split(" + ").includes(part.type_std));
	const adds = additionTo(kept, components, null);
	if (kept.length === 0 || adds.type === null) return null;
	return {
		...{ status: null, ...byOthers, plantState: "none", basis: "lbnl", confidence: lbnlConfidence, adds },
		says: `LBNL Queued Up, edition of ${day}: operational since ${same.operationDate}, without the ${adds.type}`,
	};
}

/** Matches requests that share a number by their dates, or by their names where one has no date. */
export function isSameRequest(
	request: Pick<OpenRequest, "name" | "queueDate">,
	listed: Pick<OperationalRequest, "name" | "queueDate">,
): boolean {
	if (request.queueDate === null || listed.queueDate === null)
		return request.name !== null && listed.name !== null && spelled(request.name) === spelled(listed.name);
	return Math.abs(Date.parse(request.queueDate) - Date.parse(listed.queueDate)) / 86_400_000 <= sameDays;
}
