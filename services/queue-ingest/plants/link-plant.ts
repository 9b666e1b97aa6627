/**
 * Finds the plant that a request became. No public list states it, so it is inferred from evidence. A wrong link is worse than none: either
 * the names and a second fact must agree, or two strong facts that are independent of each other. Pure.
 */
import type { LinkKind } from "#libs/contract/vocabulary.ts";
import { countyKey, type Facts, factsOf, type LinkPlant, type LinkProject } from "./link-pair.ts";
import { enough, margin, namelessPoints } from "./nameless.ts";
import { isPhaseOf } from "./plant-names.ts";

type LinkMethod = "name" | "name_close" | "developer" | "county_capacity_year";

export interface Link {
	projectId: string;
	plantId: number;
	method: LinkMethod;
	confidence: number;
	evidence: string;
	/** `one_of`: any of several requests at one point of interconnection can be the plant's. `part`: the largest of the request's plants. */
	kind: LinkKind;
	/** First year of operation of the plant. Set only if the match rests on county, capacity and year, not on a name. */
	runsSince?: number;
	/** Points of a link that was found without a name (`namelessPoints`). */
	points?: number;
}

/** A request has parts if at least this many plants are phases of it. */
const leastParts = 3;
/** Each part has at most this share of the request's MW. */
const maxOfPart = 0.5;

/** A second candidate whose confidence is nearer than this to the best leaves the plant undecided. */
const tie = 0.05;
/** Deduction for the filed company's name, which all phases may share: more than a tie below the request's own name. */
const shellDeduction = 0.06;
/** Capacities with at most this relative difference may be the same. */
export const alikeOff = 0.1;
/** Capacities with at most this relative difference are the same, for a plant in operation. */
const exactOff = 0.02;

type Verdict = Pick<Link, "method" | "confidence" | "runsSince" | "points">;

const verdictWith =
	(more: number) =>
	(method: LinkMethod, confidence: number): Verdict => ({
		method,
		confidence: Math.round((confidence + more) * 100) / 100,
	});

/** The confidence that the pair matches, and its evidence; null if the evidence is too weak. */
function judgePair(project: LinkProject, facts: Facts): Verdict | null {
	if (facts.isTooLarge) return null;
	const planned = () =>
		judgePlanned(facts, { isNamed: project.names.length > 0, isLate: project.isLate }) ?? judgeNameless(project, facts);
	if (!project.isBuilt) return planned();
	const built = judgeBuilt(facts);
	// The EIA lists plants under construction as planned.
	return built ?? (project.operationYear === null ? planned() : null);
}

function judgeBuilt(facts: Facts): Verdict | null {
	const { name, county } = facts;
	const fits = facts.capacity === "exact" || facts.capacity === "agrees";
	const here = county === "same" || facts.isClose;
	const found = verdictWith(
		(facts.company !== null ? 0.02 : 0) +
			((facts.yearsApart ?? 9) <= 1 ? 0.02 : 0) +
			(facts.sameGridOwner ? 0.01 : 0) -
			(facts.isByShell ? shellDeduction : 0),
	);
	if (name === "slip") return isSlip(facts, facts.yearsApart) ? found("name", 0.86) : null;
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
	// Only if the operator publishes no name, because two different names mean two projects.
	if (name === "unknown" && facts.yearsApart !== null && facts.yearsApart <= 1)
		return found("county_capacity_year", 0.55);
	return null;
}

/** A misspelled name counts only if everything else agrees. An offshore wind farm is in no county. */
const isSlip = (facts: Facts, yearsApart: number | null): boolean =>
	(isInCounty(facts) || facts.county === "unknown") && facts.capacity === "exact" && (yearsApart ?? 9) <= 1;

function explain(project: LinkProject, plant: LinkPlant, facts: Facts): string {
	const named = facts.name === "equal" ? "same name" : "nearly the same name";
	const parts = [
		facts.name !== "different" && facts.name !== "unknown" ? `${named} (${plant.name})` : null,
		facts.county === "same" ? `${plant.county} County, ${plant.state}` : plant.state,
		facts.county === "around" || facts.county === "nearest"
			? `by its coordinates in ${project.counties.join(" or ")}`
			: null,
		facts.county === "beside" ? `a county near to it (${plant.county ?? plant.around.join(", ")})` : null,
		facts.county === "other" ? `another county (${plant.county ?? plant.around.join(", ")})` : null,
		`${project.capacityMw ?? "unknown"} MW asked for, ${Math.round((facts.plantMw ?? 0) * 10) / 10} MW ${facts.family} reported`,
		facts.company === null ? null : `same company (${facts.company})`,
		facts.yearsApart !== null && facts.yearsApart <= 1 && !facts.isOlder ? `in operation ${facts.operatingYear}` : null,
		!project.isBuilt && facts.planApart !== null && facts.planApart <= 1 ? `planned for ${project.plannedYear}` : null,
		facts.isClose ? "at the same place" : null,
		facts.poiWord === null ? null : `"${facts.poiWord}" in the point of interconnection and in ${plant.name}`,
		facts.sameGridOwner ? "same grid owner" : null,
		facts.isOlder ? `in operation (${facts.operatingYear}) before the request` : null,
	];
	return parts.filter((part) => part !== null).join("; ");
}

/**
 * Returns the link to the best of the candidates, unless another is as good. The caller removes links without a name to plants that another
 * request claims too (`withoutRivals`).
 */
export function linkPlant(project: LinkProject, candidates: readonly LinkPlant[]): Link | null {
	const links: Link[] = [];
	// Relative differences in capacity of the plants in the county: without a name, only one plant may be similar.
	const off: number[] = [];
	const points: number[] = [];
	for (const plant of candidates) {
		const facts = factsOf(project, plant);
		if (facts === null) continue;
		if (isInCounty(facts)) off.push(facts.nearest?.off ?? 1);
		points.push(namelessPoints(project, facts) ?? 0);
		const verdict = judgePair(project, facts);
		if (verdict === null) continue;
		const evidence = explain(project, plant, facts);
		links.push({ projectId: project.id, plantId: plant.plantId, kind: "direct", ...verdict, evidence });
	}
	const [best, second] = links.sort((a, b) => b.confidence - a.confidence);
	if (best === undefined) return linkPart(project, candidates);
	if (best.points !== undefined) {
		const most = best.points;
		return points.filter((one) => one > most - margin).length > 1 ? null : best;
	}
	const alike = off.filter((one) => one <= (best.runsSince === undefined ? alikeOff : exactOff)).length;
	if (best.method === "county_capacity_year" && alike > 1) return null;
	return second !== undefined && best.confidence - second.confidence < tie ? null : best;
}

/** Links a request that was built in phases ("Atlas Complex") to the largest of them. */
function linkPart(project: LinkProject, candidates: readonly LinkPlant[]): Link | null {
	const requestedMw = project.capacityMw ?? 0;
	const parts = candidates.flatMap((plant) => {
		const facts = isPhaseOf(project.names, plant.names) ? factsOf(project, plant) : null;
		const mw = facts?.plantMw ?? 0;
		return facts !== null && isInCounty(facts) && mw > 0 && mw <= maxOfPart * requestedMw ? [{ plant, mw }] : [];
	});
	const [first, ...others] = parts.sort((a, b) => b.mw - a.mw || a.plant.plantId - b.plant.plantId);
	if (first === undefined || parts.length < leastParts) return null;
	const { plantId, name, state } = first.plant;
	const sum = Math.round(parts.reduce((total, { mw }) => total + mw, 0));
	const named = others.map(({ plant }) => plant.name).join(", ");
	const evidence = `the largest (${name}) of ${parts.length} plants of its name in ${project.counties.join(" or ")}, ${state} (${named}); ${sum} of ${requestedMw} MW`;
	return { projectId: project.id, plantId, kind: "part", method: "name", confidence: 0.7, evidence };
}

/**
 * Removes the links without a name that another request could have as well: one that also claims the plant, or that has as much evidence. If all
 * of those are at the request's own site, one of them became the plant, and each keeps its link as `one_of`. A rival for a plant in operation must
 * have an agreement and have been filed before the operation began.
 */
export function withoutRivals(
	links: readonly Link[],
	projects: readonly LinkProject[],
	plants: ReadonlyMap<number, LinkPlant>,
): Link[] {
	const claims = Map.groupBy(links, ({ plantId }) => plantId);
	const byId = new Map(projects.map((project) => [project.id, project]));
	const byPlace = new Map<string, LinkProject[]>();
	for (const project of projects)
		for (const key of placesOf(project)) byPlace.set(key, [...(byPlace.get(key) ?? []), project]);
	const isRival = (project: LinkProject, other: LinkProject, link: Link): boolean => {
		if (other.id === project.id || other.operationYear !== null) return false;
		if (link.points === undefined) return isTwin(project, other, link);
		const plant = plants.get(link.plantId);
		const [own, its] = [project, other].map((one) => (plant === undefined ? null : factsOf(one, plant)));
		if (!own || !its) return false;
		// An agreement makes up for a later date, but not for a rival's nearer capacity.
		const isNearer = (its.nearest?.off ?? 1) < (own.nearest?.off ?? 1);
		return (namelessPoints(other, its) ?? 0) + (isNearer ? 1 : 0) > link.points - margin;
	};
	return links.flatMap((link) => {
		const project = byId.get(link.projectId);
		if (project === undefined || isNamed(link)) return link;
		const others = claims.get(link.plantId)?.filter((other) => other !== link) ?? [];
		// A plant in operation is claimed only by links to plants in operation or by name.
		const claiming = link.runsSince === undefined ? others : others.filter((one) => isNamed(one) || one.runsSince);
		if (claiming.some(isNamed)) return [];
		const twins =
			link.method === "county_capacity_year" && project.operationYear === null
				? placesOf(project).flatMap((key) => byPlace.get(key)?.filter((other) => isRival(project, other, link)) ?? [])
				: [];
		const stronger = claiming.filter(({ points }) => (points ?? enough) > (link.points ?? enough) - margin);
		const rivals = new Set([...stronger.map(({ projectId }) => projectId), ...twins.map(({ id }) => id)]);
		if (rivals.size === 0) return link;
		if (project.poi === "" || [...rivals].some((id) => byId.get(id)?.poi !== project.poi)) return [];
		const evidence = `${link.evidence}; one of ${rivals.size + 1} requests at its point of interconnection`;
		return { ...link, kind: "one_of", evidence };
	});
}

export const isInCounty = ({ county }: Facts): boolean =>
	county === "same" || county === "nearest" || county === "around";

const isNamed = ({ method }: Link): boolean => method === "name" || method === "name_close";

const isTwin = (a: LinkProject, b: LinkProject, { runsSince }: Link): boolean =>
	(runsSince === undefined || (b.isLate && (b.queueYear ?? 0) < runsSince)) &&
	Math.abs((a.capacityMw ?? 0) - (b.capacityMw ?? 0)) <= alikeOff * Math.max(a.capacityMw ?? 0, b.capacityMw ?? 0);

const placesOf = ({ state, counties, families }: LinkProject): string[] =>
	counties.flatMap((county) => families.map((family) => `${state} ${countyKey(county)} ${family}`));

/** Without a name, capacities may have at most this relative difference. */
const namelessOff = 0.01;
/** Without a name, planned years may be at most this far apart. */
const namelessYears = 3;
/** Minimum size of a plant in operation without a name: smaller plants of one size are common in a county. */
const runningMw = 40;
/** The operator's list may show a request as open for this long after its plant began operation. */
const laggingYears = 3;

/** `isNamed`: the operator publishes the request's name. `isLate`: its agreement is signed. */
function judgePlanned(facts: Facts, { isNamed, isLate }: { isNamed: boolean; isLate: boolean }): Verdict | null {
	const { name, county } = facts;
	const here = isInCounty(facts) || facts.isClose;
	const fits = [facts.capacity, facts.partCapacity].some((one) => one === "exact" || one === "agrees");
	const found = verdictWith(((facts.planApart ?? 9) <= 1 ? 0.02 : 0) - (facts.isByShell ? shellDeduction : 0));
	// If the whole plant is in operation, a similar name, or the same name elsewhere, is not enough: years or a company must agree, too.
	const isExpected = facts.isPlanned || facts.company !== null || (facts.planApart ?? 99) <= laggingYears;
	if (name === "slip") return isSlip(facts, facts.planApart) ? found("name", 0.86) : null;
	if (name === "equal") {
		if (here && (fits || facts.isPlanned)) return found("name", fits ? 0.92 : 0.84);
		// Operators file some requests in the county of their substation: the plant is the same if name, capacity and year agree exactly.
		const isExact = facts.capacity === "exact" && (facts.planApart ?? 9) <= 1 && !facts.isByShell;
		if (fits && isExpected) return found("name", isExact ? 0.88 : county === "unknown" ? 0.82 : 0.74);
		// A request with a signed agreement and the name of a plant in operation there extends that plant.
		if (here && isLate) return found("name", 0.7);
		return null;
	}
	if (name === "close" && here && fits && isExpected) return found("name_close", 0.78);
	// A plant near a border, or a request filed in the county where its line ends.
	if (name === "close")
		return county === "beside" && facts.capacity === "exact" && (facts.planApart ?? 9) <= 1
			? found("name_close", 0.7)
			: null;
	if (name !== "unknown" || isNamed || facts.isOlder) return null;
	const { nearest, operatingYear, planApart } = facts;
	if (county !== "same" || nearest === null || nearest.off > namelessOff || operatingYear === null) return null;
	const runs = isLate && !facts.isPlanned && facts.isYounger && nearest.mw >= runningMw;
	if (!runs || (planApart ?? 0) > namelessYears) return null;
	return { ...found("county_capacity_year", 0.9), runsSince: operatingYear };
}

function judgeNameless(project: LinkProject, facts: Facts): Verdict | null {
	const points = namelessPoints(project, facts);
	if (points === null || points < enough) return null;
	if (!facts.isPlanned && !facts.isYounger) return null;
	const confidence = Math.min(0.78, 0.6 + 0.04 * (points - enough));
	return { method: "county_capacity_year", confidence: Math.round(confidence * 100) / 100, points };
}
