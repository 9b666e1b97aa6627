/** Compares a request with a plant, fact by fact. Pure. */
import type { Family } from "./plant-families.ts";
import { compareNames, isOtherPhase, type NameAgreement, type PlantName, placeWords } from "./plant-names.ts";

export interface LinkProject {
	id: string;
	region: string;
	state: string;
	counties: string[];
	/** Empty if the operator files the point of interconnection as the name. */
	names: PlantName[];
	/** Names of the filed company, if it was founded for the project: plants are often reported under it. */
	shellNames: PlantName[];
	families: Family[];
	capacityMw: number | null;
	/** Operational or under construction, so that its plant is probably reported. */
	isBuilt: boolean;
	isLate: boolean;
	queueYear: number | null;
	operationYear: number | null;
	plannedYear: number | null;
	/** Its developer's names: the canonical one, and the filed one without its legal form. */
	companies: string[];
	utility: string | null;
	/** Words of the point of interconnection: a station is named after a place, and a plant often after the same. */
	poiWords: string[];
	/** Point of interconnection, letters and digits only: requests with an equal one share a site. */
	poi: string;
	/** Set only if the point of interconnection itself is located: a county's centre adds nothing to the county. */
	place: Coordinates | null;
}

export interface LinkPlant {
	plantId: number;
	name: string | null;
	names: PlantName[];
	state: string;
	county: string | null;
	/** Counties in which its coordinates can be, the nearest centre first. */
	around: string[];
	/** Counties whose centres are near its coordinates, the nearest first. */
	beside: string[];
	place: Coordinates | null;
	/** Region of its balancing authority; null for a utility, which may be within any region. */
	region: string | null;
	gridOwner: string | null;
	/** Generators that are not retired; `year`: first year of operation, actual or planned. */
	units: {
		family: Family;
		capacityMw: number | null;
		summerMw: number | null;
		year: number | null;
		isPlanned: boolean;
	}[];
	companies: string[];
}

export interface Coordinates {
	lat: number;
	lon: number;
}

/** Capacities with at most this relative difference agree: one may be an injection limit, the other a nameplate. */
const agreeing = 0.1;
/** Capacities with at most this relative difference agree exactly. */
const exact = 0.02;
const nearKm = 5;
/** A request is often reduced before it is built, but seldom to less than a third. */
const maxTimes = 3;

export interface Facts {
	name: NameAgreement;
	/** The name that agrees is the filed company's. */
	isByShell: boolean;
	/**
	 * If the plant states no county, its coordinates decide: the request's county has the `nearest` centre, or is one of those `around`. `beside`: the
	 * centre of the request's county is near the plant.
	 */
	county: "same" | "nearest" | "around" | "beside" | "other" | "unknown";
	capacity: "exact" | "agrees" | "differs" | "unknown";
	plantMw: number | null;
	family: Family;
	company: string | null;
	isClose: boolean;
	/** A word that the request's point of interconnection and the plant's name share, other than those of county and state. */
	poiWord: string | null;
	sameGridOwner: boolean;
	/** Years between the first operation of the plant and of the request; null if one is unknown. */
	yearsApart: number | null;
	operatingYear: number | null;
	/** Years from the planned operation of the request to the nearest of the plant's units. */
	planApart: number | null;
	/** The same, signed: positive if the unit is later, because the operator's list may not have moved the request's date. */
	planLater: number | null;
	/** The best agreement of the request's capacity with one technology or one unit of the plant. */
	partCapacity: Facts["capacity"];
	/** The capacity of the plant, a technology or a unit that is nearest to the request's; `off`: relative difference. */
	nearest: { mw: number; off: number } | null;
	/** The same by net summer capacity. */
	nearestSummer: Facts["nearest"];
	isPlanned: boolean;
	/** In operation before the request was made, so the request can only have become a part of the plant. */
	isOlder: boolean;
	/** In operation two years or more after the request was made: studies and building take no less. */
	isYounger: boolean;
	isTooLarge: boolean;
}

export function factsOf(project: LinkProject, plant: LinkPlant): Facts | null {
	const sameGridOwner = plant.gridOwner !== null && companyKey(project.utility) === companyKey(plant.gridOwner);
	if (project.state !== plant.state) return null;
	// A few plants state a balancing authority that the owner of their grid does not belong to.
	if (plant.region !== null && plant.region !== project.region && !sameGridOwner) return null;
	const units = plant.units.filter((unit) => project.families.includes(unit.family));
	const [first] = units;
	if (first === undefined) return null;
	const { plannedYear } = project;
	const plantMw = sumOf(units) || null;
	const years = units.flatMap((unit) => unit.year ?? []);
	const newest = years.length === 0 ? null : Math.max(...years);
	const isOlder = newest !== null && project.queueYear !== null && newest < project.queueYear;
	const places = placeWords(plant.county, ...project.counties, plant.state);
	const later = plannedYear === null ? [] : years.map((year) => year - plannedYear);
	const planLater = later.sort((a, b) => Math.abs(a) - Math.abs(b))[0] ?? null;
	const own = new Set(plant.names.flatMap(({ words }) => words).filter((word) => word.length > 3 && !places.has(word)));
	const name = compareNames(project.names, plant.names, places);
	// One company can be founded for all phases.
	const isShell = name !== "equal" && !isOtherPhase(project.names, plant.names);
	const isByShell = isShell && compareNames(project.shellNames, plant.names, places) === "equal";
	const summer = units.map((unit) => ({ ...unit, capacityMw: unit.summerMw }));
	const km = project.place === null || plant.place === null ? null : distanceKm(project.place, plant.place);
	return {
		name: isByShell ? "equal" : name,
		isByShell,
		county: compareCounty(project, plant),
		capacity: compareCapacity(project.capacityMw, plantMw),
		plantMw,
		family: first.family,
		company: project.companies.find((company) => plant.companies.includes(company)) ?? null,
		isClose: km !== null && km <= nearKm,
		poiWord: project.poiWords.find((word) => own.has(word)) ?? null,
		sameGridOwner,
		yearsApart: newest === null || project.operationYear === null ? null : Math.abs(newest - project.operationYear),
		operatingYear: newest,
		planApart: planLater === null ? null : Math.abs(planLater),
		planLater,
		partCapacity: partsOf(units)
			.map((mw) => compareCapacity(project.capacityMw, mw))
			.reduce((best, one) => (ranks.indexOf(one) < ranks.indexOf(best) ? one : best), "unknown" as Facts["capacity"]),
		nearest: nearestOf(project.capacityMw, [plantMw ?? 0, ...partsOf(units)]),
		nearestSummer: nearestOf(project.capacityMw, [sumOf(summer), ...partsOf(summer)]),
		isPlanned: units.some((unit) => unit.isPlanned),
		isOlder,
		isYounger: newest !== null && project.queueYear !== null && newest >= project.queueYear + 2,
		isTooLarge: plantMw !== null && (project.capacityMw ?? 0) > plantMw * (isOlder ? 1 + agreeing : maxTimes),
	};
}

function compareCounty(project: LinkProject, plant: LinkPlant): Facts["county"] {
	const own = project.counties.map(countyKey);
	if (own.length === 0) return "unknown";
	const holds = (counties: readonly string[]) => counties.some((county) => own.includes(countyKey(county)));
	if (plant.county !== null && holds([plant.county])) return "same";
	if (plant.county === null && holds(plant.around.slice(0, 1))) return "nearest";
	if (plant.county === null && holds(plant.around)) return "around";
	if (holds(plant.beside)) return "beside";
	return plant.county === null && plant.beside.length === 0 ? "unknown" : "other";
}

const ranks: Facts["capacity"][] = ["exact", "agrees", "differs", "unknown"];

const sumOf = (units: readonly { capacityMw: number | null }[]): number =>
	units.reduce((sum, { capacityMw }) => sum + (capacityMw ?? 0), 0);

/** Capacities of each technology and of each unit: a request of 200 MW can become 200 MW of solar beside 200 MW of batteries, or a third unit. */
function partsOf(units: LinkPlant["units"]): number[] {
	const byFamily = Map.groupBy(units, ({ family }) => family);
	const sums = [...byFamily.values()].map(sumOf);
	return [...sums, ...units.map(({ capacityMw }) => capacityMw ?? 0)].filter((mw) => mw > 0);
}

function nearestOf(requestedMw: number | null, capacities: readonly number[]): Facts["nearest"] {
	if (requestedMw === null || requestedMw <= 0) return null;
	const all = capacities
		.filter((mw) => mw > 0)
		.map((mw) => ({ mw, off: Math.abs(requestedMw - mw) / Math.max(requestedMw, mw) }))
		.sort((a, b) => a.off - b.off);
	return all[0] ?? null;
}

function compareCapacity(requestedMw: number | null, builtMw: number | null): Facts["capacity"] {
	if (requestedMw === null || builtMw === null) return "unknown";
	const off = Math.abs(requestedMw - builtMw) / Math.max(requestedMw, builtMw);
	return off <= exact ? "exact" : off <= agreeing ? "agrees" : "differs";
}

/** "St. Joseph" and "Saint Joseph", "Queen Anne's" and "Queen Annes", "DeKalb" and "De Kalb" are one county. */
export const countyKey = (county: string): string =>
	county
		.toLowerCase()
		.replace(/^st(e?)\b\.?/, "saint$1")
		.replace(/[^a-z]/g, "");

/** A company's name without its legal form. */
export function companyKey(name: string | null): string {
	const words = (name ?? "")
		.slice(0, 300)
		.toLowerCase()
		.replace(/&/g, " and ")
		.split(/[^a-z0-9]+/);
	return words.filter((word) => word !== "" && !legalWords.has(word)).join(" ");
}

const legalWords = new Set("llc inc lp llp ltd corp corporation co company the l c p".split(" "));

/** Accurate to one part in a thousand for distances of up to 200 km. */
export function distanceKm(a: Coordinates, b: Coordinates): number {
	const radians = Math.PI / 180;
	const x = (a.lon - b.lon) * radians * Math.cos(((a.lat + b.lat) / 2) * radians);
	return 6371 * Math.hypot(x, (a.lat - b.lat) * radians);
}
