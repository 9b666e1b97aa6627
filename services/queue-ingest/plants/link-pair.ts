/** Compares a request with a plant, fact by fact. Pure. */
import { spelled } from "#libs/names/tidy-name.ts";
import type { Family } from "./plant-families.ts";
import { compareNames, type NameAgreement, type PlantName, placeWords } from "./plant-names.ts";

export interface LinkProject {
	id: string;
	region: string;
	state: string;
	counties: string[];
	/** None where the operator gives the point of interconnection for a name. */
	names: PlantName[];
	families: Family[];
	capacityMw: number | null;
	/** Operational or under construction: a plant of it can be expected to be reported. */
	isBuilt: boolean;
	isLate: boolean;
	queueYear: number | null;
	operationYear: number | null;
	plannedYear: number | null;
	/** Its developer's names: the canonical one, and the filed one without its legal form. */
	companies: string[];
	utility: string | null;
	/** Only where the point of interconnection itself is located: a county's centre says no more than the county. */
	place: Coordinates | null;
}

export interface LinkPlant {
	plantId: number;
	name: string | null;
	names: PlantName[];
	state: string;
	county: string | null;
	/** Where no county is stated: those in which its coordinates can be. */
	around: string[];
	place: Coordinates | null;
	/** Region of its balancing authority; null for a utility, which may be within any region. */
	region: string | null;
	gridOwner: string | null;
	/** Generators that are not retired; `year`: first year of operation, actual or planned. */
	units: { family: Family; capacityMw: number | null; year: number | null; isPlanned: boolean }[];
	companies: string[];
}

export interface Coordinates {
	lat: number;
	lon: number;
}

/** Capacities within this of each other agree (an injection limit and a nameplate are two things), and within this exactly. */
const agreeing = 0.1;
const exact = 0.02;
const nearKm = 5;
/** A request is cut down before it is built, but seldom to less than a third. */
const maxTimes = 3;

export interface Facts {
	name: NameAgreement;
	/** `around`: by its coordinates, where the plant states none. */
	county: "same" | "around" | "other" | "unknown";
	capacity: "exact" | "agrees" | "differs" | "unknown";
	plantMw: number | null;
	family: Family;
	company: string | null;
	isNear: boolean;
	sameGridOwner: boolean;
	/** Years between the first operation of the plant and of the request; null where one is not known. */
	yearsApart: number | null;
	operatingYear: number | null;
	/** Years from the planned operation of the request to the nearest of the plant's units. */
	planApart: number | null;
	/** How the request's capacity compares with one technology of the plant, or one of its units, where that is nearer than the whole. */
	partCapacity: Facts["capacity"];
	nearest: { mw: number; off: number } | null;
	isPlanned: boolean;
	/** In operation before the request was made: it can only have become a part of the plant. */
	isOlder: boolean;
	/** In operation two years or more after the request was made: studies and building take no less. */
	isYounger: boolean;
	isTooLarge: boolean;
}

export function factsOf(project: LinkProject, plant: LinkPlant): Facts | null {
	if (project.state !== plant.state || (plant.region !== null && plant.region !== project.region)) return null;
	const units = plant.units.filter((unit) => project.families.includes(unit.family));
	const [first] = units;
	if (first === undefined) return null;
	const { plannedYear } = project;
	const plantMw = units.reduce((sum, unit) => sum + (unit.capacityMw ?? 0), 0) || null;
	const years = units.flatMap((unit) => unit.year ?? []);
	const newest = years.length === 0 ? null : Math.max(...years);
	const isOlder = newest !== null && project.queueYear !== null && newest < project.queueYear;
	const km = project.place === null || plant.place === null ? null : distanceKm(project.place, plant.place);
	return {
		name: compareNames(project.names, plant.names, placeWords(plant.county, ...project.counties, plant.state)),
		county: compareCounty(project, plant),
		capacity: compareCapacity(project.capacityMw, plantMw),
		plantMw,
		family: first.family,
		company: project.companies.find((company) => plant.companies.includes(company)) ?? null,
		isNear: km !== null && km <= nearKm,
		sameGridOwner: project.utility !== null && plant.gridOwner !== null && sameText(project.utility, plant.gridOwner),
		yearsApart: newest === null || project.operationYear === null ? null : Math.abs(newest - project.operationYear),
		operatingYear: newest,
		planApart:
			plannedYear === null || years.length === 0
				? null
				: Math.min(...years.map((year) => Math.abs(year - plannedYear))),
		partCapacity: partsOf(units)
			.map((mw) => compareCapacity(project.capacityMw, mw))
			.reduce((best, one) => (ranks.indexOf(one) < ranks.indexOf(best) ? one : best), "unknown" as Facts["capacity"]),
		nearest: nearestOf(project.capacityMw, [plantMw ?? 0, ...partsOf(units)]),
		isPlanned: units.some((unit) => unit.isPlanned),
		isOlder,
		isYounger: newest !== null && project.queueYear !== null && newest >= project.queueYear + 2,
		isTooLarge: plantMw !== null && (project.capacityMw ?? 0) > plantMw * (isOlder ? 1 + agreeing : maxTimes),
	};
}

function compareCounty(project: LinkProject, plant: LinkPlant): Facts["county"] {
	const own = project.counties.map(countyKey);
	if (own.length === 0) return "unknown";
	if (plant.county !== null) return own.includes(countyKey(plant.county)) ? "same" : "other";
	if (plant.around.length === 0) return "unknown";
	return plant.around.some((county) => own.includes(countyKey(county))) ? "around" : "other";
}

const ranks: Facts["capacity"][] = ["exact", "agrees", "differs", "unknown"];

/** A request of 200 MW becomes 200 MW of solar beside 200 MW of batteries, or a third unit of 200 MW. */
function partsOf(units: LinkPlant["units"]): number[] {
	const byFamily = Map.groupBy(units, ({ family }) => family);
	const sums = [...byFamily.values()].map((same) => same.reduce((sum, unit) => sum + (unit.capacityMw ?? 0), 0));
	return [...sums, ...units.map(({ capacityMw }) => capacityMw ?? 0)].filter((mw) => mw > 0);
}

function nearestOf(asked: number | null, capacities: readonly number[]): Facts["nearest"] {
	if (asked === null || asked <= 0) return null;
	const all = capacities
		.filter((mw) => mw > 0)
		.map((mw) => ({ mw, off: Math.abs(asked - mw) / Math.max(asked, mw) }))
		.sort((a, b) => a.off - b.off);
	return all[0] ?? null;
}

function compareCapacity(asked: number | null, built: number | null): Facts["capacity"] {
	if (asked === null || built === null) return "unknown";
	const off = Math.abs(asked - built) / Math.max(asked, built);
	return off <= exact ? "exact" : off <= agreeing ? "agrees" : "differs";
}

/** "St. Joseph" and "Saint Joseph", "Queen Anne's" and "Queen Annes", "DeKalb" and "De Kalb" are one county. */
export const countyKey = (county: string): string =>
	county
		.toLowerCase()
		.replace(/^st(e?)\b\.?/, "saint$1")
		.replace(/[^a-z]/g, "");

const sameText = (a: string, b: string): boolean => spelled(a) === spelled(b);

/** Good to a part in a thousand for neighbours of up to 200 km. */
export function distanceKm(a: Coordinates, b: Coordinates): number {
	const radians = Math.PI / 180;
	const x = (a.lon - b.lon) * radians * Math.cos(((a.lat + b.lat) / 2) * radians);
	return 6371 * Math.hypot(x, (a.lat - b.lat) * radians);
}
