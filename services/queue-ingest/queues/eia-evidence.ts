/** Evidence by the EIA's forms and lists of the plant that a request is linked to. Pure. */
import type { PlantStateBasis } from "#libs/contract/vocabulary.ts";
import { type Family, familiesOf } from "../plants/plant-families.ts";
import { additionTo, type PlantPart } from "./addition.ts";
import { byOthers, type Evidence, type Found, type OpenRequest } from "./open-request.ts";

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

/** A name that agrees, and a second fact that does: enough where the operator says nothing. */
const leastConfidence = 0.85;
/** Enough against what the operator's newest list says. */
const sureConfidence = 0.9;
/** That a plant is still planned only keeps a plan open. */
const planConfidence = 0.6;
/** An injection limit and a nameplate are two things. */
const agreeingMw = 0.1;
/** EIA's codes of units that are being built, or are complete and not yet commercial. */
const building = new Set(["U", "V", "TS"]);

/**
 * Its plant runs: units of all its technologies began to operate after it was made, and are as large together, each technology by itself, or
 * one of them. Where the operator says nothing, a less sure name is enough, if all units of the technology are such.
 */
export function ofEia(request: OpenRequest, plant: ReportedPlant, isSilent: boolean): Found | null {
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

/**
 * A plant of its name runs with some of its parts, as large as they are filed, and none of the EIA's files has a unit of the others: the request is
 * open for these.
 */
export function ofChange({ components, isAddition, plantState }: OpenRequest, plant: ReportedPlant): Evidence | null {
	if (isAddition || plant.method !== "name" || plant.confidence < leastConfidence) return null;
	const runningOf = (part: PlantPart) =>
		unitsOf({ typeStd: part.type_std }, plant).filter(({ state }) => state === "running");
	const added = components.filter((part) => runningOf(part).length === 0);
	const kept = components.filter((part) => !added.includes(part));
	const [newest] = kept.flatMap(runningOf).toSorted((a, b) => b.asOf.localeCompare(a.asOf));
	const isKept = kept.every((part) => isAsLarge({ capacityMw: part.capacity_mw }, runningOf(part)));
	if (added.length === 0 || newest === undefined || !isKept) return null;
	const adds = additionTo(kept, components, null);
	return {
		...{ status: null, ...byOthers, basis: newest.source, confidence: plant.confidence, adds },
		plantState: plantState === "under_construction" ? plantState : "none",
		says: `${editionOf(newest)}: plant ${plant.plantId} ${plant.name ?? ""} runs without the ${adds.type} of the request, the same by its name`,
	};
}

/** A date that has passed is not the plant's: the EIA plans it for a later one. */
export function stillPlanned(request: OpenRequest, plant: ReportedPlant): Evidence | null {
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
