/** Explains why an operator's requests and the units of form EIA-860 differ. They are linked by plants, not by numbers. Pure. */
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
	/** In operation or able to operate; false: proposed. */
	isOperable: boolean;
	mw: number | null;
	operatingYear: number | null;
	/** MW of all of the plant's units in the loaded families. */
	plantMw: number;
}

interface ComparedPlants {
	year: number;
	/** Technologies of the schedules that are loaded; null: all. */
	families: readonly Family[] | null;
	firstYear: number | null;
	/** Active, Suspended and Operational: the form has no others. */
	ours: readonly PlannedRequest[];
	theirs: readonly ReportedUnit[];
}

const thresholdMw = 1;
const smallMw = 20;
/** A limit at the point of interconnection and a nameplate are rarely further apart. */
const ratingShare = 0.3;

/** Each plant with its requests is a line; a plant or request without a counterpart is a line by itself. */
export function judgePlants(compared: ComparedPlants): Line[] {
	const unitsOf = Map.groupBy(compared.theirs, ({ plantId }) => plantId);
	const isLinked = ({ plantId }: PlannedRequest) => plantId !== null && unitsOf.has(plantId);
	const requestsOf = Map.groupBy(compared.ours.filter(isLinked), ({ plantId }) => plantId);
	const lines: Line[] = compared.ours
		.filter((request) => !isLinked(request))
		.map((request) => ({ ours: [sideOf(request)], theirs: [], rule: requestRule(request, compared) }));
	for (const [plantId, units] of unitsOf) {
		const requests = requestsOf.get(plantId) ?? [];
		if (requests.length > 0)
			lines.push({
				ours: requests.map(sideOf),
				theirs: units.map(unitSide),
				rule: linkedRule(requests, units),
				method: "plant",
			});
		else for (const unit of units) lines.push({ ours: [], theirs: [unitSide(unit)], rule: unitRule(unit, compared) });
	}
	return lines;
}

const unitSide = ({ plantId, generatorId, isOperable, mw }: ReportedUnit): Side => ({
	id: `${plantId}/${generatorId}`,
	status: isOperable ? "Operational" : "Active",
	mw,
});

function linkedRule(requests: readonly PlannedRequest[], units: readonly ReportedUnit[]): Rule {
	const ours = megawattsOf(requests);
	const theirs = megawattsOf(units.map(unitSide));
	const isOpenHere = requests.some(({ status }) => status !== "Operational");
	if (isOpenHere && units.some(({ isOperable }) => isOperable)) return "operates_already";
	if (!isOpenHere && units.some(({ isOperable }) => !isOperable)) return "more_planned";
	if (Math.abs(ours - theirs) <= Math.max(1, 0.005 * Math.max(ours, theirs))) return "agrees";
	if (Math.abs(ours - theirs) <= ratingShare * Math.max(ours, theirs)) return "nameplate";
	if (theirs > ours) return "other_phases";
	return isOpenHere ? "planned_smaller" : "capacity_differs";
}

function requestRule(
	{ typeStd, status, actualCod, mw, isLate }: PlannedRequest,
	{ families, year }: ComparedPlants,
): Rule {
	const own = familiesOf(typeStd);
	if (families !== null && !own.some((family) => families.includes(family))) return "schedule_not_loaded";
	if (mw !== null && mw < thresholdMw) return "below_threshold";
	if (status !== "Operational") return isLate ? "no_plant" : "not_planned_yet";
	return actualCod !== null && Number(actualCod.slice(0, 4)) > year ? "began_after_report" : "no_plant";
}

function unitRule({ isOperable, operatingYear, plantMw }: ReportedUnit, { firstYear }: ComparedPlants): Rule {
	if (isOperable && firstYear !== null && operatingYear !== null && operatingYear < firstYear)
		return "older_than_queue";
	return plantMw < smallMw ? "small_generator" : "no_request";
}
