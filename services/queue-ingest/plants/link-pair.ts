/** Compares a request with a plant, fact by fact. Pure. */
import type { Family } from "./plant-families.ts";
import { compareNames, isOtherPhase, type NameAgreement, type PlantName, placeWords } from "./plant-names.ts";

export interface LinkProject {
	id: string;
	region: string;
	state: string;
	counties: string[];
	/** None where the operator gives the point of interconnection for a name. */
	names: PlantName[];
	/** Names of the filed company, where it was made for the project: plants are often reported under it. */
	shellNames: PlantName[];
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
	/** Words of the point of interconnection: a station is named after a place, and a plant often after the same. */
	poiWords: string[];
	/** Its point of interconnection, letters and digits alone: requests at one are of one site. */
	poi: string;
	/** Only where the point of interconnection itself is located: a county's centre adds nothing to the county. */
	place: Coordinates | null;
}

export interface LinkPlant {
	plantId: number;
	name: string | null;
	names: PlantName[];
	state: string;
	county: string | null;
	/** Counties in which its coordinates can be, and those with a centre near to them; the nearest first. */
	around: string[];
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

/** Capacities within this of each other agree (an injection limit and a nameplate are two things), and within this exactly. */
const agreeing = 0.1;
const exact = 0.02;
const nearKm = 5;
/** A request is cut down before it is built, but seldom to less than a third. */
const maxTimes = 3;

export interface Facts {
	name: NameAgreement;
	/** The name that agrees is that of the filed company. */
	isByShell: boolean;
	/**
	 * Where the plant states none, by its coordinates: `nearest` to the centre of the request's, or `around` it. `beside`: the centre of the request's
	 * is near to them.
	 */
	county: "same" | "nearest" | "around" | "beside" | "other" | "unknown";
	capacity: "exact" | "agrees" | "differs" | "unknown";
	plantMw: number | null;
	family: Family;
	company: string | null;
	isClose: boolean;
	/** A word that its point of interconnection and the plant's name share, and no other place. */
	poiWord: string | null;
	sameGridOwner: boolean;
	/** Years between the first operation of the plant and of the request; null where one is not known. */
	yearsApart: number | null;
	operatingYear: number | null;
	/** Years from the planned operation of the request to the nearest of the plant's units. */
	planApart: number | null;
	/** Years by which the nearest of them is later than the request's, whose date its list may not have moved. */
	planLater: number | null;
	/** How the request's capacity compares with one technology of the plant, or one of its units, where that is nearer than the whole. */
	partCapacity: Facts["capacity"];
	nearest: { mw: number; off: number } | null;
	/** The same by net summer capacity. */
	nearestSummer: Facts["nearest"];
	isPlanned: boolean;
	/** In operation before the request was made: it can only have become a part of the plant. */
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
	// One company can be made for all phases.
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

/** A request of 200 MW becomes 200 MW of solar beside 200 MW of batteries, or a third unit of 200 MW. */
function partsOf(units: LinkPlant["units"]): number[] {
	const byFamily = Map.groupBy(units, ({ family }) => family);
	const sums = [...byFamily.values()].map(sumOf);
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

/** Good to a part in a thousand for neighbours of up to 200 km. */
export function distanceKm(a: Coordinates, b: Coordinates): number {
	const radians = Math.PI / 180;
	const x = (a.lon - b.lon) * radians * Math.cos(((a.lat + b.lat) / 2) * radians);
	return 6371 * Math.hypot(x, (a.lat - b.lat) * radians);
}
