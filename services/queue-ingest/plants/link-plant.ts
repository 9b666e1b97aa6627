/**
 * Which plant a request became. No public list says so (queues.md 6.3): it is inferred from evidence, and a wrong link is worse than none, so
 * that either the names agree and a second fact does, or two strong facts that have nothing to do with each other. Pure.
 */
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
	queueYear: number | null;
	/** Year in which it came into operation. */
	operationYear: number | null;
	/** Of its developer: the canonical name, and the name as filed without its legal form. */
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
	place: Coordinates | null;
	/** Of the operator that is its balancing authority; null for a utility, which may be within any region. */
	region: string | null;
	gridOwner: string | null;
	/** Of generators that are not retired. */
	units: { family: Family; capacityMw: number | null; year: number | null }[];
	/** Operator and owners, as `LinkProject.companies`. */
	companies: string[];
}

export interface Coordinates {
	lat: number;
	lon: number;
}

export type LinkMethod = "name" | "name_close" | "developer" | "county_capacity_year";

export interface Link {
	projectId: string;
	plantId: number;
	method: LinkMethod;
	confidence: number;
	/** What the two agree in, for people. */
	evidence: string;
}

/** Capacities within this of each other agree (an injection limit and a nameplate are two things), and within this exactly. */
const agreeing = 0.1;
const exact = 0.02;
const nearKm = 5;
/** A request is cut down before it is built, but seldom to less than a third. */
const maxTimes = 3;
/** A second candidate within this leaves open which it is. */
const tie = 0.05;

interface Facts {
	name: NameAgreement;
	county: "same" | "other" | "unknown";
	capacity: "exact" | "agrees" | "differs" | "unknown";
	plantMw: number | null;
	family: Family;
	company: string | null;
	isNear: boolean;
	sameGridOwner: boolean;
	/** Years between the first operation of the plant and of the request; null where one is not known. */
	yearsApart: number | null;
	operatingYear: number | null;
	/** In operation before the request was made: it can only have become a part of the plant. */
	isOlder: boolean;
	/** The request is too large to have become this plant, or a part of it. */
	isTooLarge: boolean;
}

/** The facts of a pair, or null where it is impossible. */
function factsOf(project: LinkProject, plant: LinkPlant): Facts | null {
	if (project.state !== plant.state || (plant.region !== null && plant.region !== project.region)) return null;
	const units = plant.units.filter((unit) => project.families.includes(unit.family));
	const [first] = units;
	if (first === undefined) return null;
	const plantMw = units.reduce((sum, unit) => sum + (unit.capacityMw ?? 0), 0) || null;
	const years = units.flatMap((unit) => unit.year ?? []);
	const newest = years.length === 0 ? null : Math.max(...years);
	const county = plant.county === null ? null : countyKey(plant.county);
	const own = project.counties.map(countyKey);
	const isOlder = newest !== null && project.queueYear !== null && newest < project.queueYear;
	const km = distanceKm(project.place, plant.place);
	return {
		name: compareNames(project.names, plant.names, placeWords(plant.county, ...project.counties, plant.state)),
		county: county === null || own.length === 0 ? "unknown" : own.includes(county) ? "same" : "other",
		capacity: compareCapacity(project.capacityMw, plantMw),
		plantMw,
		family: first.family,
		company: project.companies.find((company) => plant.companies.includes(company)) ?? null,
		isNear: km !== null && km <= nearKm,
		sameGridOwner: project.utility !== null && plant.gridOwner !== null && sameText(project.utility, plant.gridOwner),
		yearsApart: newest === null || project.operationYear === null ? null : Math.abs(newest - project.operationYear),
		operatingYear: newest,
		isOlder,
		isTooLarge: plantMw !== null && (project.capacityMw ?? 0) > plantMw * (isOlder ? 1 + agreeing : maxTimes),
	};
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

const sameText = (a: string, b: string): boolean =>
	a.toLowerCase().replace(/[^a-z0-9]/g, "") === b.toLowerCase().replace(/[^a-z0-9]/g, "");

/** How surely the pair is one, and by what; null where the evidence is too weak. */
function judge(project: LinkProject, facts: Facts): { method: LinkMethod; confidence: number } | null {
	const { name, county } = facts;
	if (facts.isTooLarge) return null;
	const fits = facts.capacity === "exact" || facts.capacity === "agrees";
	const here = county === "same" || facts.isNear;
	const more =
		(facts.company !== null ? 0.02 : 0) + ((facts.yearsApart ?? 9) <= 1 ? 0.02 : 0) + (facts.sameGridOwner ? 0.01 : 0);
	const found = (method: LinkMethod, confidence: number) => ({
		method,
		confidence: Math.round((confidence + more) * 100) / 100,
	});
	// Not built yet as far as its operator knows: only what is certainly it.
	if (!project.isBuilt) return name === "equal" && here && fits && !facts.isOlder ? found("name", 0.85) : null;
	if (name === "equal") {
		const late = facts.isOlder ? 0.1 : 0;
		if (here) return found("name", (fits ? 0.94 : facts.company !== null ? 0.88 : 0.82) - late);
		if (fits && !facts.isOlder) return found("name", county === "unknown" ? 0.85 : 0.75);
		return null;
	}
	if (facts.isOlder) return null;
	if ((facts.yearsApart ?? 0) > 2) return null;
	if (name === "close") return here && fits ? found("name_close", 0.8) : null;
	if (county !== "same" || facts.capacity !== "exact") return null;
	if (facts.company !== null) return found("developer", 0.72);
	// Only where the operator publishes no name: two names that differ are two projects.
	if (name === "unknown" && facts.yearsApart !== null && facts.yearsApart <= 1)
		return found("county_capacity_year", 0.55);
	return null;
}

function explain(project: LinkProject, plant: LinkPlant, facts: Facts): string {
	const named = facts.name === "equal" ? "same name" : "nearly the same name";
	const parts = [
		facts.name === "equal" || facts.name === "close" ? `${named} (${plant.name})` : null,
		facts.county === "same" ? `${plant.county} County, ${plant.state}` : plant.state,
		facts.county === "other" ? `another county (${plant.county})` : null,
		`${project.capacityMw ?? "unknown"} MW asked for, ${Math.round((facts.plantMw ?? 0) * 10) / 10} MW ${facts.family} reported`,
		facts.company === null ? null : `same company (${facts.company})`,
		facts.yearsApart !== null && facts.yearsApart <= 1 && !facts.isOlder ? `in operation ${facts.operatingYear}` : null,
		facts.isNear ? "at the same place" : null,
		facts.sameGridOwner ? "same grid owner" : null,
		facts.isOlder ? `in operation (${facts.operatingYear}) before the request` : null,
	];
	return parts.filter((part) => part !== null).join("; ");
}

/**
 * The plant of one request among candidates: the best, unless another is as good. Links without a name count only where no other
 * request claims the plant: the caller sees to that (`withoutRivals`).
 */
export function linkPlant(project: LinkProject, candidates: readonly LinkPlant[]): Link | null {
	const links: Link[] = [];
	for (const plant of candidates) {
		const facts = factsOf(project, plant);
		const verdict = facts === null ? null : judge(project, facts);
		if (facts === null || verdict === null) continue;
		links.push({ projectId: project.id, plantId: plant.plantId, ...verdict, evidence: explain(project, plant, facts) });
	}
	const [best, second] = links.sort((a, b) => b.confidence - a.confidence);
	if (best === undefined || (second !== undefined && best.confidence - second.confidence < tie)) return null;
	return best;
}

/** Less the links that rest on figures alone and are not the only ones to their plant. */
export function withoutRivals(links: readonly Link[]): Link[] {
	const claims = new Map<number, number>();
	for (const { plantId } of links) claims.set(plantId, (claims.get(plantId) ?? 0) + 1);
	const isNamed = (link: Link) => link.method === "name" || link.method === "name_close";
	return links.filter((link) => isNamed(link) || claims.get(link.plantId) === 1);
}

function distanceKm(a: Coordinates | null, b: Coordinates | null): number | null {
	if (a === null || b === null) return null;
	const radians = Math.PI / 180;
	const x = (a.lon - b.lon) * radians * Math.cos(((a.lat + b.lat) / 2) * radians);
	return 6371 * Math.hypot(x, (a.lat - b.lat) * radians);
}
