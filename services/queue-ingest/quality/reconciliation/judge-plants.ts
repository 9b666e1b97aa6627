/** Explains why an operator's requests and the units of form EIA-860 differ. They are linked by plant, not by queue number. Pure. */
import { type Family, familiesOf } from "../../plants/plant-families.ts";
import { type Line, megawattsOf, type OurRequest, type Side, sideOf } from "./line.ts";
import type { Rule } from "./rules.ts";

export interface PlannedRequest extends OurRequest {
	plantId: number | null;
	isLate: boolean;
}

export interface ReportedUnit {
	plantId: number;
	generatorId: string;
	technology: string | null;
	/** Operating or able to operate; otherwise proposed. */
	isOperable: boolean;
	mw: number | null;
	operatingYear: number | null;
	/** Total MW of the plant's units in the loaded schedules. */
	plantMw: number;
}

interface ComparedPlants {
	year: number;
	/** Technology families of the loaded schedules; null if all are loaded. */
	families: readonly Family[] | null;
	/** Year of the first request in the operator's list. */
	firstYear: number | null;
	/** Requests that are not withdrawn; the form contains no withdrawn units. */
	ours: readonly PlannedRequest[];
	theirs: readonly ReportedUnit[];
}

/** Smallest plant for which the form is filed. */
const formThresholdMw = 1;
const smallGeneratorMw = 20;
/** Maximum usual difference between the limit at the point of interconnection and the nameplate capacity, as a share of the larger. */
const maxRatingDifference = 0.3;

/** Returns a line for each plant with its requests, and for each request or unit without a counterpart. */
export function judgePlants(compared: ComparedPlants): Line[] {
	const unitsOf = Map.groupBy(compared.theirs, ({ plantId }) => plantId);
	const isLinked = ({ plantId }: PlannedRequest) => plantId !== null && unitsOf.has(plantId);
	const requestsOf = Map.groupBy(compared.ours.filter(isLinked), ({ plantId }) => plantId);
	const lines: Line[] = compared.ours
		.filter((request) => !isLinked(request))
		.map((request) => ({ ours: [sideOf(request)], theirs: [], rule: findRequestRule(request, compared) }));
	for (const [plantId, units] of unitsOf) {
		const requests = requestsOf.get(plantId) ?? [];
		if (requests.length > 0)
			lines.push({
				ours: requests.map(sideOf),
				theirs: units.map(toSide),
				rule: findLinkedRule(requests, units),
				method: "plant",
			});
		else for (const unit of units) lines.push({ ours: [], theirs: [toSide(unit)], rule: findUnitRule(unit, compared) });
	}
	return lines;
}

const toSide = ({ plantId, generatorId, isOperable, mw }: ReportedUnit): Side => ({
	id: `${plantId}/${generatorId}`,
	status: isOperable ? "Operational" : "Active",
	mw,
});

function findLinkedRule(requests: readonly PlannedRequest[], units: readonly ReportedUnit[]): Rule {
	const ours = megawattsOf(requests);
	const theirs = megawattsOf(units.map(toSide));
	const isRequestOpen = requests.some(({ status }) => status !== "Operational");
	if (isRequestOpen && units.some(({ isOperable }) => isOperable)) return "operates_already";
	if (!isRequestOpen && units.some(({ isOperable }) => !isOperable)) return "more_planned";
	if (Math.abs(ours - theirs) <= Math.max(1, 0.005 * Math.max(ours, theirs))) return "agrees";
	if (Math.abs(ours - theirs) <= maxRatingDifference * Math.max(ours, theirs)) return "nameplate";
	if (theirs > ours) return "other_phases";
	return isRequestOpen ? "planned_smaller" : "capacity_differs";
}

function findRequestRule(
	{ typeStd, status, actualCod, mw, isLate }: PlannedRequest,
	{ families, year }: ComparedPlants,
): Rule {
	const own = familiesOf(typeStd);
	if (families !== null && !own.some((family) => families.includes(family))) return "schedule_not_loaded";
	if (mw !== null && mw < formThresholdMw) return "below_threshold";
	if (status !== "Operational") return isLate ? "no_plant" : "not_planned_yet";
	return actualCod !== null && Number(actualCod.slice(0, 4)) > year ? "began_after_report" : "no_plant";
}

function findUnitRule({ isOperable, operatingYear, plantMw }: ReportedUnit, { firstYear }: ComparedPlants): Rule {
	if (isOperable && firstYear !== null && operatingYear !== null && operatingYear < firstYear)
		return "older_than_queue";
	return plantMw < smallGeneratorMw ? "small_generator" : "no_request";
}
