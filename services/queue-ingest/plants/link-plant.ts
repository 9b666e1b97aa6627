/**
 * Which plant a request became. No public list says so (queues.md 6.3): it is inferred from evidence, and a wrong link is worse than none, so
 * that either the names agree and a second fact does, or two strong facts that have nothing to do with each other. Pure.
 */
import { countyKey, type Facts, factsOf, type LinkPlant, type LinkProject } from "./link-pair.ts";

type LinkMethod = "name" | "name_close" | "developer" | "county_capacity_year";

export interface Link {
	projectId: string;
	plantId: number;
	method: LinkMethod;
	confidence: number;
	evidence: string;
	/** Year since which the plant runs, of a link by figures alone. */
	runsSince?: number;
}

/** A second candidate within this leaves open which it is. */
const tie = 0.05;
/** Capacities that are this near could be one. */
const alikeOff = 0.1;
/** Capacities that are this near are one, of a plant that runs. */
const exactOff = 0.02;

type Verdict = Pick<Link, "method" | "confidence" | "runsSince">;

const verdictWith =
	(more: number) =>
	(method: LinkMethod, confidence: number): Verdict => ({
		method,
		confidence: Math.round((confidence + more) * 100) / 100,
	});

/** How surely the pair is one, and by what; null where the evidence is too weak. */
function judge(project: LinkProject, facts: Facts): Verdict | null {
	if (facts.isTooLarge) return null;
	const planned = () => judgePlanned(facts, { isNamed: project.names.length > 0, isLate: project.isLate });
	if (!project.isBuilt) return planned();
	const built = judgeBuilt(facts);
	// The EIA lists plants under construction as planned.
	return built ?? (project.operationYear === null ? planned() : null);
}

function judgeBuilt(facts: Facts): Verdict | null {
	const { name, county } = facts;
	const fits = facts.capacity === "exact" || facts.capacity === "agrees";
	const here = county === "same" || facts.isNear;
	const found = verdictWith(
		(facts.company !== null ? 0.02 : 0) + ((facts.yearsApart ?? 9) <= 1 ? 0.02 : 0) + (facts.sameGridOwner ? 0.01 : 0),
	);
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
		facts.county === "around" ? `by its coordinates in ${project.counties.join(" or ")}` : null,
		facts.county === "other" ? `another county (${plant.county ?? plant.around.join(", ")})` : null,
		`${project.capacityMw ?? "unknown"} MW asked for, ${Math.round((facts.plantMw ?? 0) * 10) / 10} MW ${facts.family} reported`,
		facts.company === null ? null : `same company (${facts.company})`,
		facts.yearsApart !== null && facts.yearsApart <= 1 && !facts.isOlder ? `in operation ${facts.operatingYear}` : null,
		!project.isBuilt && facts.planApart !== null && facts.planApart <= 1 ? `planned for ${project.plannedYear}` : null,
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
	// How far the plants of the county are off its capacity: without a name, one alone must be left.
	const off: number[] = [];
	for (const plant of candidates) {
		const facts = factsOf(project, plant);
		if (facts === null) continue;
		if (facts.county === "same" || facts.county === "around") off.push(facts.nearest?.off ?? 1);
		const verdict = judge(project, facts);
		if (verdict === null) continue;
		links.push({ projectId: project.id, plantId: plant.plantId, ...verdict, evidence: explain(project, plant, facts) });
	}
	const [best, second] = links.sort((a, b) => b.confidence - a.confidence);
	const alike = off.filter((one) => one <= (best?.runsSince === undefined ? alikeOff : exactOff)).length;
	if (best?.method === "county_capacity_year" && alike > 1) return null;
	if (best === undefined || (second !== undefined && best.confidence - second.confidence < tie)) return null;
	return best;
}

/** Less the links that rest on figures alone and are not the only ones to their plant. */
export function withoutRivals(links: readonly Link[]): Link[] {
	const claims = Map.groupBy(links, ({ plantId }) => plantId);
	const isNamed = (link: Link) => link.method === "name" || link.method === "name_close";
	return links.filter((link) => {
		const others = claims.get(link.plantId)?.filter((other) => other !== link) ?? [];
		// A plant that runs is not claimed by what is only planned.
		const rivals = link.runsSince === undefined ? others : others.filter((one) => isNamed(one) || one.runsSince);
		return isNamed(link) || rivals.length === 0;
	});
}

/**
 * Less the links by figures alone of requests that are like another of their county: each could have become the plant. A plant that runs can
 * only be of a request with an agreement that was made before it.
 */
export function withoutTwins(links: readonly Link[], projects: readonly LinkProject[]): Link[] {
	const byPlace = new Map<string, LinkProject[]>();
	for (const project of projects)
		for (const key of placesOf(project)) byPlace.set(key, [...(byPlace.get(key) ?? []), project]);
	const byId = new Map(projects.map((project) => [project.id, project]));
	const isTwin = (a: LinkProject, b: LinkProject, runsSince: number | undefined) =>
		a.id !== b.id &&
		b.operationYear === null &&
		(runsSince === undefined || (b.isLate && (b.queueYear ?? 0) < runsSince)) &&
		Math.abs((a.capacityMw ?? 0) - (b.capacityMw ?? 0)) <= alikeOff * Math.max(a.capacityMw ?? 0, b.capacityMw ?? 0);
	return links.filter((link) => {
		const project = byId.get(link.projectId);
		if (link.method !== "county_capacity_year" || project === undefined || project.operationYear !== null) return true;
		return !placesOf(project).some((key) => byPlace.get(key)?.some((other) => isTwin(project, other, link.runsSince)));
	});
}

const placesOf = ({ state, counties, families }: LinkProject): string[] =>
	counties.flatMap((county) => families.map((family) => `${state} ${countyKey(county)} ${family}`));

/** Without a name: capacities within this of each other, of a size that few plants have, planned for nearly the same year. */
const namelessOff = 0.01;
const namelessMw = 75;
const namelessYears = 3;
/** Least size of a plant that runs already: below it there are many of one size in a county. */
const runningMw = 40;
/** A plant that runs can be a request that is open still, whose list lags behind, for so long. */
const laggingYears = 3;

/** `isNamed`: its operator publishes names of projects. `isLate`: its agreement is signed. */
function judgePlanned(facts: Facts, { isNamed, isLate }: { isNamed: boolean; isLate: boolean }): Verdict | null {
	const { name, county } = facts;
	const here = county === "same" || county === "around" || facts.isNear;
	const fits = [facts.capacity, facts.partCapacity].some((one) => one === "exact" || one === "agrees");
	const found = verdictWith((facts.planApart ?? 9) <= 1 ? 0.02 : 0);
	// Where all of the plant runs, a name or a place that is only like it is not enough: years or a company must agree.
	const isExpected = facts.isPlanned || facts.company !== null || (facts.planApart ?? 99) <= laggingYears;
	if (name === "equal") {
		if (here && (fits || facts.isPlanned)) return found("name", fits ? 0.92 : 0.84);
		if (fits && isExpected) return found("name", county === "unknown" ? 0.82 : 0.74);
		// A request with a signed agreement and the name of a plant that runs there extends the plant.
		if (here && isLate) return found("name", 0.7);
		return null;
	}
	if (name === "close") return here && fits && isExpected ? found("name_close", 0.78) : null;
	if (name !== "unknown" || isNamed || facts.isOlder || county !== "same") return null;
	const { nearest, operatingYear, planApart } = facts;
	if (nearest === null || nearest.off > namelessOff) return null;
	const runs = isLate && !facts.isPlanned && facts.isYounger && nearest.mw >= runningMw;
	if (runs && operatingYear !== null && (planApart ?? 0) <= namelessYears)
		return { ...found("county_capacity_year", 0.9), runsSince: operatingYear };
	if ((planApart ?? 9) > namelessYears) return null;
	return nearest.mw >= namelessMw ? found("county_capacity_year", 0.6) : null;
}
