/**
 * Evidence by other publishers that a plant runs, for requests whose operator does not publish the outcome. They never overrule a status
 * that the operator's newest list states. Pure.
 */

import type { Listing, Status } from "#libs/contract/vocabulary.ts";
import { spelled } from "#libs/names/tidy-name.ts";
import { type Family, familiesOf } from "../plants/plant-families.ts";

/** As its operator filed it. */
export interface OpenRequest {
	status: string | null;
	statusStd: Status;
	listed: Listing;
	name: string | null;
	typeStd: string;
	queueDate: string | null;
	cod: string | null;
	/** Other requests have the same number (ISO-NE): it alone identifies none of them. */
	sharesNumber: boolean;
}

/** A request of the same operator and number that Berkeley Lab lists as operational. */
interface OperationalRequest {
	name: string | null;
	queueDate: string | null;
	operationDate: string | null;
}

/** The plant that a request is linked to, as its newest report to the EIA has it. */
export interface ReportedPlant {
	plantId: number;
	name: string | null;
	/** Year of the report. */
	year: number;
	method: string;
	confidence: number;
	units: { technology: string | null; stage: string; status: string | null; operatingYear: number | null }[];
}

export interface Reports {
	/** Day of the edition (`YYYY-MM-DD`), and its requests of the number. */
	lbnl: { day: string; requests: readonly OperationalRequest[] } | null;
	plant: ReportedPlant | null;
}

export interface Evidence {
	status: Extract<Status, "Operational">;
	/** Confidence in the resulting stage, as `construction_stage_confidence`. */
	confidence: number;
	/** Who says what, and when: for people. */
	says: string;
}

/** Berkeley Lab's word for a stage, where no operator says it (queues.md 2.5). */
const lbnlConfidence = 0.4;
/** A name that agrees, and a second fact that does: what figures alone suggest is no evidence. */
const leastConfidence = 0.85;
/** Dates of one request that two publishers write down lie at most this far apart. */
const sameDays = 31;
/** EIA's codes of units that run, or can (standby). */
const running = new Set(["OP", "SB"]);

/** Null: the operator says it itself, or no other publisher does. */
export function evidenceFor(request: OpenRequest, { lbnl, plant }: Reports): Evidence | null {
	const isSilent = request.status === null || request.listed !== "listed";
	if (request.statusStd !== "Active" || !isSilent) return null;
	const found = [lbnl === null ? null : ofLbnl(request, lbnl), plant === null ? null : ofEia(request, plant)].filter(
		(one) => one !== null,
	);
	if (found.length === 0) return null;
	return {
		status: "Operational",
		confidence: Math.max(...found.map((one) => one.confidence)),
		says: found.map((one) => one.says).join("; "),
	};
}

type Found = Pick<Evidence, "confidence" | "says">;

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
	return { confidence: lbnlConfidence, says: `LBNL Queued Up, edition of ${day}: operational${since}` };
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

function ofEia(request: OpenRequest, plant: ReportedPlant): Found | null {
	if (plant.method !== "name" || plant.confidence < leastConfidence) return null;
	if (request.cod !== null && Number(request.cod.slice(0, 4)) > plant.year) return null;
	const own: readonly Family[] = familiesOf(request.typeStd);
	const units = plant.units.filter(({ technology }) => familiesOf(technology).some((family) => own.includes(family)));
	const isRunning = units.every(({ stage, status }) => stage === "operable" && running.has(status ?? ""));
	const newest = Math.max(...units.map(({ operatingYear }) => operatingYear ?? 0));
	// A plant that ran when the request was made is what the request adds to, whether or not that was built.
	const oldest = Math.min(...units.map(({ operatingYear }) => operatingYear ?? 0));
	const isItsOwn = request.queueDate !== null && oldest > Number(request.queueDate.slice(0, 4));
	if (units.length === 0 || !isRunning || !isItsOwn) return null;
	const { plantId, name, year, confidence } = plant;
	return {
		confidence,
		says: `EIA-860 of ${year}: plant ${plantId} ${name ?? ""} operates since ${newest}, the same by its name`,
	};
}
