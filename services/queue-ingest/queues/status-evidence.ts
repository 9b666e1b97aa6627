/**
 * Evidence of what became of open requests: the operator's own sheets of outcomes for what its newest list lacks, and other publishers that
 * say that a plant runs. Berkeley Lab's never overrules a status that the operator's newest list states; the EIA's does where plant, technology,
 * date and capacity agree. Pure.
 */

import {
	type ConstructionStage,
	evidenceBases,
	type Listing,
	type PlantState,
	type PlantStateBasis,
	type Status,
} from "#libs/contract/vocabulary.ts";
import { spelled } from "#libs/names/spelled.ts";
import { type Family, familiesOf } from "../plants/plant-families.ts";
import { type Addition, additionTo, type Part } from "./addition.ts";

/** As its operator filed it. */
export interface OpenRequest {
	status: string | null;
	statusStd: Status;
	listed: Listing;
	/** ISO moment of the first list without it. */
	missingSince: string | null;
	name: string | null;
	typeStd: string;
	capacityMw: number | null;
	/** Its parts, of a plant of several technologies. */
	components: readonly Part[];
	/** It is for an addition that its lists show. */
	isAddition: boolean;
	stage: ConstructionStage;
	plantState: PlantState;
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

/** A generator of a plant as the newest of the EIA's files at hand has it. */
export interface ReportedUnit {
	technology: string | null;
	capacityMw: number | null;
	/** `planned`: in the newest list of planned units; `other`: retired, or out of service. */
	state: "running" | "planned" | "other";
	/** EIA's code. */
	status: string | null;
	/** Of operation, actual or planned. */
	year: number | null;
	source: Extract<PlantStateBasis, `eia_${string}`>;
	/** Last day of what the form or list covers (`YYYY-MM-DD`). */
	asOf: string;
}

/** The plant that a request is linked to. */
export interface ReportedPlant {
	plantId: number;
	name: string | null;
	method: string;
	confidence: number;
	units: readonly ReportedUnit[];
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

/** Bases of a plant state that rest on another publisher. */
export const reportBases: readonly PlantStateBasis[] = ["lbnl", "eia_860", "eia_860m", "eia_epm"];

const reportedPlant = ["plant_state", "plant_state_basis", "plant_state_evidence"];
const reportedAddition = ["request_class", "added_type_std", "incremental_mw"];
const reportedStatus = [
	...["status_std", "status_basis", "construction_stage", "construction_stage_confidence", "ia_status"],
	...reportedPlant,
];

/** The fields of a request that follow a report beside its operator's lists. */
export function reportedFields(body: Record<string, unknown>): readonly string[] {
	const { status_std, status_basis, plant_state_basis, request_class } = body;
	if (status_basis === "outcome_sheet")
		return [...reportedStatus, status_std === "Withdrawn" ? "withdrawn_date" : "actual_cod"];
	if (evidenceBases.some((basis) => basis === status_basis)) return reportedStatus;
	if (!reportBases.some((basis) => basis === plant_state_basis)) return [];
	return request_class === "modification" ? [...reportedPlant, ...reportedAddition] : reportedPlant;
}

export interface Evidence {
	/** Null: the status stays as filed. */
	status: Extract<Status, "Operational" | "Withdrawn" | "Unknown"> | null;
	statusBasis: (typeof evidenceBases)[number];
	/** Day of the outcome. */
	on: string | null;
	plantState: Extract<PlantState, "operating" | "under_construction" | "none" | "unknown">;
	basis: PlantStateBasis | null;
	/** It is a modification of a plant that runs, and adds this. */
	adds?: Addition;
	/** Confidence in the resulting stage, as `construction_stage_confidence`; of no use where the stage stays as filed. */
	confidence: number | null;
	/** Who says what, and when: for people. */
	says: string;
}

/** Berkeley Lab's word for a stage, where no operator says it (queues.md 2.5). */
const lbnlConfidence = 0.4;
/** A name that agrees, and a second fact that does: enough where the operator says nothing. */
const leastConfidence = 0.85;
/** Enough against what the operator's newest list says. */
const sureConfidence = 0.9;
/** That a plant is still planned only keeps a plan open. */
const planConfidence = 0.6;
/** An injection limit and a nameplate are two things. */
const agreeingMw = 0.1;
/** Dates of one request that two publishers write down lie at most this far apart. */
const sameDays = 31;
/** EIA's codes of units that are being built, or are complete and not yet commercial. */
const building = new Set(["U", "V", "TS"]);

/** Null: the operator says it itself, or lists the request and no other publisher says more. */
export function evidenceFor(request: OpenRequest, { outcome, lbnl, plant }: Reports): Evidence | null {
	const { status, statusStd, listed } = request;
	const isGone = listed !== "listed";
	const isSilent = status === null || isGone;
	if (statusStd === "Operational" || statusStd === "Withdrawn" || (statusStd === "Suspended" && !isGone)) return null;
	if (isGone && outcome !== null) return ofOutcome(outcome);
	const change = plant === null || isGone ? null : ofChange(request, plant);
	if (change !== null || (request.isAddition && !isGone)) return change;
	const found = [
		lbnl === null || !isSilent ? null : ofLbnl(request, lbnl),
		plant === null ? null : ofEia(request, plant, isSilent),
	].filter((one) => one !== null);
	const [first] = found;
	if (first === undefined && isGone) return vanished(request);
	if (first === undefined) return plant === null ? null : stillPlanned(request, plant);
	return {
		status: "Operational",
		...byOthers,
		plantState: "operating",
		basis: found.at(-1)?.basis ?? first.basis,
		confidence: Math.max(...found.map((one) => one.confidence)),
		says: found.map((one) => one.says).join("; "),
	};
}

const byOthers = { statusBasis: "other_source", on: null } as const;

/** An operator that publishes the outcome is believed as one that lists it (`startingConfidence`). */
function ofOutcome({ status, on, report }: Outcome): Evidence {
	const isBuilt = status === "Operational";
	const what = isBuilt ? "approved for commercial operation" : "cancelled";
	return {
		...{ status, on, statusBasis: "outcome_sheet", basis: "operator_update_sheet", confidence: 0.95 },
		plantState: isBuilt ? "operating" : "none",
		says: `The operator's report of ${report}: ${what}${on === null ? "" : ` on ${on}`}`,
	};
}

/** That a list shows a request no more says neither that it was built nor that it was withdrawn. */
const vanished = ({ missingSince }: OpenRequest): Evidence => ({
	...{ status: "Unknown", on: null, statusBasis: "absence", plantState: "unknown", basis: null, confidence: null },
	says: `In no list since that of ${missingSince?.slice(0, 10)}, and no outcome is published`,
});

interface Found {
	basis: PlantStateBasis;
	confidence: number;
	says: string;
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

/** Matches requests that share a number by their dates, or by their names where one has no date. */
export function isSameRequest(
	request: Pick<OpenRequest, "name" | "queueDate">,
	listed: Pick<OperationalRequest, "name" | "queueDate">,
): boolean {
	if (request.queueDate === null || listed.queueDate === null)
		return request.name !== null && listed.name !== null && spelled(request.name) === spelled(listed.name);
	return Math.abs(Date.parse(request.queueDate) - Date.parse(listed.queueDate)) / 86_400_000 <= sameDays;
}

/**
 * Its plant runs: units of all its technologies began to operate after it was made, and are as large together, each technology by itself, or
 * one of them. Where the operator says nothing, the name is enough, if all units of the technology are such.
 */
function ofEia(request: OpenRequest, plant: ReportedPlant, isSilent: boolean): Found | null {
	const units = unitsOf(request, plant);
	const own = units.filter(({ state, year }) => state === "running" && isAfter(year, request.queueDate));
	const [newest] = own.toSorted((a, b) => b.asOf.localeCompare(a.asOf));
	if (newest === undefined) return null;
	// Still planned when the form was made: what runs is another part of the request. The date of an energized plant only lags behind.
	const isPlanned = request.cod !== null && request.cod.slice(0, 4) > newest.asOf.slice(0, 4);
	if (isPlanned && request.plantState !== "energized") return null;
	const isWhole = own.length === units.filter(({ state }) => state !== "other").length;
	const isNamed = isSilent && plant.method === "name" && plant.confidence >= leastConfidence && isWhole;
	const isComplete = familiesOf(request.typeStd).every((family) => own.some((unit) => isOf(unit, [family])));
	const isSure = plant.confidence >= sureConfidence && isComplete && isAsLarge(request, own);
	if (!isNamed && !isSure) return null;
	const since = Math.max(...own.map(({ year }) => year ?? 0));
	const mw = Math.round(own.reduce((sum, { capacityMw }) => sum + (capacityMw ?? 0), 0) * 10) / 10;
	const link = plant.method === "county_capacity_year" ? "by county, technology and capacity" : "by its name";
	return {
		basis: newest.source,
		confidence: plant.confidence,
		says: `${editionOf(newest)}: plant ${plant.plantId} ${plant.name ?? ""} operates since ${since} with ${mw} MW, the same ${link}`,
	};
}

/**
 * A plant of its name runs with some of its parts, as large as they are filed, and none of the EIA's files has a unit of the others: the request is
 * open for these.
 */
function ofChange({ components, isAddition }: OpenRequest, plant: ReportedPlant): Evidence | null {
	if (isAddition || plant.method !== "name" || plant.confidence < leastConfidence) return null;
	const runningOf = (part: Part) =>
		unitsOf({ typeStd: part.type_std }, plant).filter(({ state }) => state === "running");
	const added = components.filter((part) => runningOf(part).length === 0);
	const kept = components.filter((part) => !added.includes(part));
	const [newest] = kept.flatMap(runningOf).toSorted((a, b) => b.asOf.localeCompare(a.asOf));
	const isKept = kept.every((part) => isAsLarge({ capacityMw: part.capacity_mw }, runningOf(part)));
	if (added.length === 0 || newest === undefined || !isKept) return null;
	const adds = additionTo(kept, components, null);
	return {
		...{ status: null, ...byOthers, plantState: "none", basis: newest.source, confidence: plant.confidence, adds },
		says: `${editionOf(newest)}: plant ${plant.plantId} ${plant.name ?? ""} runs without the ${adds.type} of the request, the same by its name`,
	};
}

/** A date that has passed is not the plant's: the EIA plans it for a later one. */
function stillPlanned(request: OpenRequest, plant: ReportedPlant): Evidence | null {
	if (request.plantState !== "unknown" || plant.confidence < planConfidence) return null;
	const planned = unitsOf(request, plant).filter(({ state }) => state === "planned");
	const [first] = planned;
	if (first === undefined || !isAsLarge(request, planned)) return null;
	const isBuilding = request.stage === "construction" || planned.some(({ status }) => building.has(status ?? ""));
	return {
		status: null,
		...byOthers,
		plantState: isBuilding ? "under_construction" : "none",
		basis: first.source,
		confidence: plant.confidence,
		says: `${editionOf(first)}: plant ${plant.plantId} ${plant.name ?? ""} is planned for ${first.year ?? "an unknown year"}`,
	};
}

function unitsOf({ typeStd }: Pick<OpenRequest, "typeStd">, { units }: ReportedPlant): ReportedUnit[] {
	const own: readonly Family[] = familiesOf(typeStd);
	return units.filter((unit) => isOf(unit, own));
}

const isOf = ({ technology }: ReportedUnit, families: readonly Family[]): boolean =>
	familiesOf(technology).some((family) => families.includes(family));

const isAfter = (year: number | null, day: string | null): boolean =>
	year !== null && day !== null && year > Number(day.slice(0, 4));

function isAsLarge({ capacityMw }: Pick<OpenRequest, "capacityMw">, units: readonly ReportedUnit[]): boolean {
	if (capacityMw === null) return false;
	const sum = (some: readonly ReportedUnit[]) => some.reduce((total, unit) => total + (unit.capacityMw ?? 0), 0);
	const technologies = [...Map.groupBy(units, ({ technology }) => technology).values()];
	const sizes = [sum(units), ...technologies.map(sum), ...units.map((unit) => sum([unit]))];
	return sizes.some((mw) => Math.abs(mw - capacityMw) <= agreeingMw * Math.max(mw, capacityMw));
}

const titles = {
	eia_860: "EIA-860 of",
	eia_860m: "EIA-860M of",
	eia_epm: "EIA Electric Power Monthly, data to",
} as const;
const editionOf = ({ source, asOf }: ReportedUnit): string =>
	`${titles[source]} ${source === "eia_860" ? asOf.slice(0, 4) : asOf.slice(0, 7)}`;
