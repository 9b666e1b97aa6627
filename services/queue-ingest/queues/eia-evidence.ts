/** Evidence from EIA data about the plant linked to a request. Pure. */
import type { LinkKind, PlantReport, PlantStateBasis } from "#libs/contract/vocabulary.ts";
import { type Family, familiesOf } from "../plants/plant-families.ts";
import { additionTo, type PlantPart } from "./addition.ts";
import { type Evidence, type OpenRequest, type OperatingEvidence, otherSourceBasis } from "./open-request.ts";

/** A generator as stated in the newest loaded EIA file that has it. */
export interface ReportedUnit {
	technology: string | null;
	capacityMw: number | null;
	/** `planned`: in the newest list of planned units; `cancelled`: or postponed; `other`: retired, out of service, or planned only in older lists. */
	state: "running" | "planned" | "cancelled" | "other";
	/** EIA's code, in the newest report that states one. */
	status: string | null;
	/** Day of the first report of the unit as under construction or complete (`YYYY-MM-DD`). */
	begunBy: string | null;
	/** Year of operation, actual or planned. */
	year: number | null;
	source: Extract<PlantStateBasis, `eia_${string}`>;
	/** Last day that the form or list covers (`YYYY-MM-DD`). */
	asOf: string;
}

/** The plant that a request is linked to. */
export interface ReportedPlant {
	plantId: number;
	/** `part`: one of several plants of the request. */
	kind: Exclude<LinkKind, "one_of">;
	name: string | null;
	method: string;
	confidence: number;
	units: readonly ReportedUnit[];
}

/** The name and a second fact agree: enough where the operator states no status. */
const supportedConfidence = 0.85;
/** Enough to overrule the operator's newest list. */
const sureConfidence = 0.9;
/** The name or company and the place agree: enough together with a third fact. */
const likelyConfidence = 0.7;
/** Enough to conclude only that a plant is still planned. */
const planConfidence = 0.6;
/** Share by which a filed capacity, often an injection limit, may differ from a nameplate capacity. */
const capacityTolerance = 0.1;
/** If the running capacity differs by at most this share, the whole request runs. */
const exactTolerance = 0.02;
/** A part of a hybrid request counts as built if its filed capacity is at least this share of the plant's running capacity in that technology. */
const minBuiltShare = 0.75;
/** EIA's codes of units that are being built, or are complete and not yet commercial. */
export const buildingCodes: ReadonlySet<string> = new Set(["U", "V", "TS"]);

/**
 * Evidence that the plant operates. All must hold:
 * - units of the request's technologies began to operate after its queue date, and each technology operates;
 * - all of these units, the units of one technology, or one unit have the filed capacity;
 * - the link is certain. If the operator states no status, a less certain link by name is enough, provided every unit of these
 *   technologies qualifies. If it states that the plant is energized, a likely link is enough with exactly the filed capacity, or by name if
 *   every unit of these technologies qualifies.
 */
export function findOperating(request: OpenRequest, plant: ReportedPlant, isSilent: boolean): OperatingEvidence | null {
	const units = unitsOf(request, plant);
	const own = startedAfter(request, units);
	const [newest] = newestFirst(own);
	if (newest === undefined || !isAsLarge(request, own)) return null;
	const isExact = isAsLarge(request, own, exactTolerance);
	const isEnergized = request.plantState === "energized";
	// A later projected date is that of another part of the request, unless name and capacity agree exactly. For an energized plant it is only
	// outdated.
	const isPlanned = isPlannedAfter(request, newest) && !isEnergized && !(isExact && plant.method === "name");
	if (isPlanned) return null;
	const isWhole = own.length === units.filter(({ state }) => state === "running" || state === "planned").length;
	const isWholeByName = isSilent && plant.method === "name" && plant.confidence >= supportedConfidence && isWhole;
	const isComplete = familiesOf(request.typeStd).every((family) => own.some((unit) => isOf(unit, [family])));
	const isLikelyEnough = isEnergized && (isExact || (isWhole && plant.method === "name"));
	const needed = isLikelyEnough ? likelyConfidence : sureConfidence;
	if (!isWholeByName && !(plant.confidence >= needed && isComplete)) return null;
	const since = Math.max(...own.map(({ year }) => year ?? 0));
	return {
		basis: newest.source,
		confidence: plant.confidence,
		statement: `${unitTitle(newest, plant)} operates since ${since} with ${sumMw(own)} MW, ${linkReason(plant)}`,
	};
}

/**
 * Evidence that a request adds parts to an operating plant. All must hold:
 * - the plant of that name operates with some of the request's parts, as large as filed;
 * - no EIA file contains a unit of the other parts;
 * - the link is certain, or an operating part is not a battery (a battery may belong to another plant of that name).
 */
export function findAddition(
	{ components, isAddition, plantState }: OpenRequest,
	plant: ReportedPlant,
): Evidence | null {
	if (isAddition || plant.method !== "name" || plant.confidence < likelyConfidence) return null;
	const runningOf = (part: PlantPart) =>
		unitsOf({ typeStd: part.type_std }, plant).filter(({ state }) => state === "running");
	const added = components.filter((part) => runningOf(part).length === 0);
	const kept = components.filter((part) => !added.includes(part));
	const [newest] = newestFirst(kept.flatMap(runningOf));
	const isKept = kept.every((part) => isBuilt(part, runningOf(part)));
	const isSure = plant.confidence >= supportedConfidence || kept.some(({ type_std: type }) => type !== "Storage");
	if (added.length === 0 || newest === undefined || !isKept || !isSure) return null;
	const adds = additionTo(kept, components, null);
	return {
		...{ status: null, ...otherSourceBasis, basis: newest.source, confidence: plant.confidence, adds },
		plantState: plantState === "under_construction" ? plantState : "none",
		statement: `${unitTitle(newest, plant)} runs without the ${adds.type} of the request, ${linkReason(plant)}`,
	};
}

/** Also accepts a filed capacity somewhat below the running capacity: CAISO lists Tule Wind with 127.6 MW, and 143 MW run. */
function isBuilt({ capacity_mw: mw }: PlantPart, running: readonly ReportedUnit[]): boolean {
	const isMost = mw !== null && mw < sumMw(running) && mw >= minBuiltShare * sumMw(running);
	return isMost || isAsLarge({ capacityMw: mw }, running);
}

/** Evidence that the plant operates in part: it runs with less capacity, in units that began to operate after the queue date. */
export function findPartialOperation(request: OpenRequest, plant: ReportedPlant): Evidence | null {
	const { capacityMw, isAddition, typeStd, statusStd, plantState } = request;
	// An operator's statement that the plant is energized overrules the capacity that the EIA reports.
	if (statusStd !== "Active" || plantState === "energized" || isAddition || capacityMw === null) return null;
	if (plant.method !== "name" || plant.confidence < likelyConfidence) return null;
	const own = startedAfter(request, unitsOf(request, plant));
	const [newest] = newestFirst(own);
	const families = familiesOf(typeStd);
	const isBatteryAlone = families.length > 1 && own.every((unit) => isOf(unit, ["storage"]));
	if (newest === undefined || isBatteryAlone) return null;
	// Technologies behind one point of interconnection share its limit, so their capacities are not added.
	const operatingMw = Math.max(...families.map((family) => sumMw(own.filter((unit) => isOf(unit, [family])))));
	const most = 1 - (isPlannedAfter(request, newest) ? exactTolerance : capacityTolerance);
	if (operatingMw < capacityTolerance * capacityMw || operatingMw > most * capacityMw) return null;
	return {
		...{ status: null, ...otherSourceBasis, basis: newest.source, confidence: plant.confidence, operatingMw },
		plantState: "partially_operating",
		statement: `${unitTitle(newest, plant)} operates with ${operatingMw} of ${capacityMw} MW, ${linkReason(plant)}`,
	};
}

/** Evidence that one of several plants of the request is built or being built. The state of the others is unknown. */
export function findPart(request: OpenRequest, plant: ReportedPlant): Evidence | null {
	const isBuiltOrBegun = ({ state, status }: ReportedUnit) => state === "running" || buildingCodes.has(status ?? "");
	const [first] = newestFirst(unitsOf(request, plant).filter(isBuiltOrBegun));
	if (first === undefined || request.plantState !== "none") return null;
	return {
		...{ status: null, ...otherSourceBasis, basis: first.source, confidence: plant.confidence, plantState: "unknown" },
		statement: `${unitTitle(first, plant)}, one of several plants of the request, ${first.state === "running" ? "operates" : "is under construction"}`,
	};
}

/** Evidence that the plant does not operate yet: the EIA lists it as planned although the filed date has passed, or as being built. */
export function findPlanned(request: OpenRequest, plant: ReportedPlant): Evidence | null {
	const planned = unitsOf(request, plant).filter(({ state }) => state === "planned");
	const [first] = planned;
	if (first === undefined || !isAsLarge(request, planned)) return null;
	const begun = planned.find(({ status }) => buildingCodes.has(status ?? ""));
	const isUnknown = request.plantState === "unknown" && plant.confidence >= planConfidence;
	const isBegun = begun !== undefined && request.plantState === "none" && plant.confidence >= supportedConfidence;
	if (!isUnknown && !(isBegun && plant.method === "name")) return null;
	const isBuilding = begun !== undefined || request.stage === "construction";
	const { reported, since } = reportOf(first, begun === undefined ? "planned" : "under_construction", planned);
	return {
		...{ status: null, ...otherSourceBasis, basis: first.source, confidence: plant.confidence, reported },
		plantState: isBuilding ? "under_construction" : "none",
		statement: `${unitTitle(first, plant)} is planned for ${first.year ?? "an unknown year"}${since}${
			begun === undefined && isBuilding ? ", and its operator lists it as under construction" : ""
		}`,
	};
}

/**
 * The EIA's first report of construction, for a plant that its operator lists as under construction without a date. A unit that is missing
 * from the newest EIA list counts if the last report had it under construction.
 */
export function findConstructionStart(request: OpenRequest, plant: ReportedPlant): Evidence | null {
	const own = unitsOf(request, plant).filter(
		({ state, status }) => state === "planned" || (state === "other" && buildingCodes.has(status ?? "")),
	);
	const [first] = newestFirst(own.filter(({ begunBy }) => begunBy !== null));
	const isNamed = plant.method === "name" && plant.confidence >= likelyConfidence;
	if (first === undefined || request.plantState !== "under_construction" || !isNamed || !isAsLarge(request, own))
		return null;
	const { reported, since } = reportOf(first, "under_construction", own);
	return {
		...{ status: null, ...otherSourceBasis, basis: first.source, confidence: plant.confidence, reported },
		plantState: "under_construction",
		statement: `${unitTitle(first, plant)}${since}`,
	};
}

function reportOf({ asOf }: ReportedUnit, report: PlantReport, units: readonly ReportedUnit[]) {
	const [begun = null] = report === "under_construction" ? units.flatMap(({ begunBy }) => begunBy ?? []).sort() : [];
	return {
		reported: { plant_report: report, plant_reported_on: asOf, construction_begun_by: begun },
		since: begun === null ? "" : `, under construction by ${begun}`,
	};
}

/** Evidence that the plant is cancelled: the EIA lists all its units as cancelled or postponed, and its operator none as being built. */
export function findCancelled(request: OpenRequest, plant: ReportedPlant): Evidence | null {
	const units = unitsOf(request, plant);
	const [first] = units;
	const isNamed = plant.method === "name" && plant.confidence >= supportedConfidence;
	if (first === undefined || !units.every(({ state }) => state === "cancelled") || !isNamed) return null;
	if (request.plantState !== "none" || !isAsLarge(request, units)) return null;
	const { reported } = reportOf(first, "cancelled", units);
	return {
		...{
			status: null,
			...otherSourceBasis,
			basis: first.source,
			confidence: plant.confidence,
			plantState: "none",
			reported,
		},
		statement: `${unitTitle(first, plant)} is cancelled or postponed`,
	};
}

const unitTitle = (unit: ReportedUnit, { plantId, name }: ReportedPlant): string =>
	`${editionOf(unit)}: plant ${plantId} ${name ?? ""}`;

function linkReason({ method }: ReportedPlant): string {
	if (method === "developer") return "the same by county, company and capacity";
	return method === "county_capacity_year" ? "the same by county, technology and capacity" : "the same by its name";
}

const newestFirst = (units: readonly ReportedUnit[]): ReportedUnit[] =>
	units.toSorted((a, b) => b.asOf.localeCompare(a.asOf));

/** Rounded to 0.1 MW. */
const sumMw = (units: readonly ReportedUnit[]): number =>
	Math.round(units.reduce((sum, { capacityMw }) => sum + (capacityMw ?? 0), 0) * 10) / 10;

const isPlannedAfter = ({ cod }: OpenRequest, { asOf }: ReportedUnit): boolean =>
	cod !== null && cod.slice(0, 4) > asOf.slice(0, 4);

function startedAfter({ queueDate }: OpenRequest, units: readonly ReportedUnit[]): ReportedUnit[] {
	const queueYear = queueDate === null ? Number.POSITIVE_INFINITY : Number(queueDate.slice(0, 4));
	return units.filter(({ state, year }) => state === "running" && (year ?? 0) > queueYear);
}

function unitsOf({ typeStd }: Pick<OpenRequest, "typeStd">, { units }: ReportedPlant): ReportedUnit[] {
	const own: readonly Family[] = familiesOf(typeStd);
	return units.filter((unit) => isOf(unit, own));
}

const isOf = ({ technology }: ReportedUnit, families: readonly Family[]): boolean =>
	familiesOf(technology).some((family) => families.includes(family));

function isAsLarge(
	{ capacityMw }: Pick<OpenRequest, "capacityMw">,
	units: readonly ReportedUnit[],
	within = capacityTolerance,
): boolean {
	if (capacityMw === null) return false;
	const technologies = [...Map.groupBy(units, ({ technology }) => technology).values()];
	const sizes = [units, ...technologies, ...units.map((unit) => [unit])].map(sumMw);
	return sizes.some((mw) => Math.abs(mw - capacityMw) <= within * Math.max(mw, capacityMw));
}

const sourceTitles = {
	eia_860: "EIA-860 of",
	eia_860m: "EIA-860M of",
	eia_epm: "EIA Electric Power Monthly, data to",
} as const;
const editionOf = ({ source, asOf }: ReportedUnit): string =>
	`${sourceTitles[source]} ${source === "eia_860" ? asOf.slice(0, 4) : asOf.slice(0, 7)}`;
