/**
 * Evidence by other publishers that a plant runs, for open requests. Berkeley Lab's never overrules a status that the operator's newest list
 * states; the EIA's does where plant, technology, date and capacity agree. Pure.
 */

import type { ConstructionStage, Listing, PlantState, PlantStateBasis, Status } from "#libs/contract/vocabulary.ts";
import { spelled } from "#libs/names/spelled.ts";
import { type Family, familiesOf } from "../plants/plant-families.ts";

/** As its operator filed it. */
export interface OpenRequest {
	status: string | null;
	statusStd: Status;
	listed: Listing;
	name: string | null;
	typeStd: string;
	capacityMw: number | null;
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
	/** Year of operation, actual or planned. */
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

export interface Reports {
	/** Day of the edition (`YYYY-MM-DD`), and its requests of the number. */
	lbnl: { day: string; requests: readonly OperationalRequest[] } | null;
	plant: ReportedPlant | null;
}

/** Bases of a plant state that rest on another publisher. */
export const reportBases: readonly PlantStateBasis[] = ["lbnl", "eia_860", "eia_860m", "eia_epm"];

const reportedPlant = ["plant_state", "plant_state_basis", "plant_state_evidence"];
const reportedStatus = [
	...["status_std", "status_basis", "construction_stage", "construction_stage_confidence", "ia_status"],
	...reportedPlant,
];

/** The fields of a request that follow another publisher's report. */
export function reportedFields({ status_basis, plant_state_basis }: Record<string, unknown>): readonly string[] {
	if (status_basis === "other_source") return reportedStatus;
	return reportBases.some((basis) => basis === plant_state_basis) ? reportedPlant : [];
}

export interface Evidence {
	/** Null: the status stays as filed. */
	status: Extract<Status, "Operational"> | null;
	plantState: Extract<PlantState, "operating" | "under_construction" | "none">;
	basis: PlantStateBasis;
	/** Confidence in the resulting stage, as `construction_stage_confidence`. */
	confidence: number;
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

/** Null: the operator says it itself, or no other publisher does. */
export function evidenceFor(request: OpenRequest, { lbnl, plant }: Reports): Evidence | null {
	const isSilent = request.status === null || request.listed !== "listed";
	if (request.statusStd !== "Active") return null;
	const found = [
		lbnl === null || !isSilent ? null : ofLbnl(request, lbnl),
		plant === null ? null : ofEia(request, plant, isSilent),
	].filter((one) => one !== null);
	const [first] = found;
	if (first === undefined) return plant === null ? null : stillPlanned(request, plant);
	return {
		status: "Operational",
		plantState: "operating",
		basis: found.at(-1)?.basis ?? first.basis,
		confidence: Math.max(...found.map((one) => one.confidence)),
		says: found.map((one) => one.says).join("; "),
	};
}

type Found = Pick<Evidence, "basis" | "confidence" | "says">;

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
 * one of them. Where the operator says nothing, a less sure name is enough, if all units of the technology are such.
 */
function ofEia(request: OpenRequest, plant: ReportedPlant, isSilent: boolean): Found | null {
	const units = unitsOf(request, plant);
	const own = units.filter(({ state, year }) => state === "running" && isAfter(year, request.queueDate));
	const [newest] = own.toSorted((a, b) => b.asOf.localeCompare(a.asOf));
	if (newest === undefined) return null;
	// Still planned when the form was made: what runs is another part of the request. The date of an energized plant only lags behind.
	const isPlanned = request.cod !== null && request.cod.slice(0, 4) > newest.asOf.slice(0, 4);
	if (isPlanned && request.plantState !== "energized") return null;
	if (!isAsLarge(request, own)) return null;
	const isWhole = own.length === units.filter(({ state }) => state !== "other").length;
	const isNamed = isSilent && plant.method === "name" && plant.confidence >= leastConfidence && isWhole;
	const isComplete = familiesOf(request.typeStd).every((family) => own.some((unit) => isOf(unit, [family])));
	const isSure = plant.confidence >= sureConfidence && isComplete;
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

/** A date that has passed is not the plant's: the EIA plans it for a later one. */
function stillPlanned(request: OpenRequest, plant: ReportedPlant): Evidence | null {
	if (request.plantState !== "unknown" || plant.confidence < planConfidence) return null;
	const planned = unitsOf(request, plant).filter(({ state }) => state === "planned");
	const [first] = planned;
	if (first === undefined || !isAsLarge(request, planned)) return null;
	const isBuilding = request.stage === "construction" || planned.some(({ status }) => building.has(status ?? ""));
	return {
		status: null,
		plantState: isBuilding ? "under_construction" : "none",
		basis: first.source,
		confidence: plant.confidence,
		says: `${editionOf(first)}: plant ${plant.plantId} ${plant.name ?? ""} is planned for ${first.year ?? "an unknown year"}`,
	};
}

function unitsOf({ typeStd }: OpenRequest, { units }: ReportedPlant): ReportedUnit[] {
	const own: readonly Family[] = familiesOf(typeStd);
	return units.filter((unit) => isOf(unit, own));
}

const isOf = ({ technology }: ReportedUnit, families: readonly Family[]): boolean =>
	familiesOf(technology).some((family) => families.includes(family));

const isAfter = (year: number | null, day: string | null): boolean =>
	year !== null && day !== null && year > Number(day.slice(0, 4));

function isAsLarge({ capacityMw }: OpenRequest, units: readonly ReportedUnit[]): boolean {
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
