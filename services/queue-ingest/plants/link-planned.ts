/**
 * Which planned plant a request is that is not built: the EIA lists plants years before they run. Less is known than of a plant that runs, so
 * that a name needs its county, and a request without one everything else. Pure.
 */
import type { Facts } from "./link-pair.ts";

export type PlannedVerdict = { method: "name" | "name_close" | "county_capacity_year"; confidence: number } | null;

/** Without a name: capacities within this of each other, of a size that few plants have, planned for nearly the same year. */
const namelessOff = 0.01;
const namelessMw = 75;
const namelessYears = 3;
/** A plant that runs can be a request that is open still, whose list lags behind, for so long. */
const laggingYears = 3;

/** `isNamed`: its operator publishes names of projects. `isLate`: its agreement is signed. */
export function judgePlanned(facts: Facts, { isNamed, isLate }: { isNamed: boolean; isLate: boolean }): PlannedVerdict {
	const { name, county } = facts;
	const here = county === "same" || county === "around" || facts.isNear;
	const fits = [facts.capacity, facts.partCapacity].some((one) => one === "exact" || one === "agrees");
	const more = (facts.planApart ?? 9) <= 1 ? 0.02 : 0;
	const found = (method: "name" | "name_close" | "county_capacity_year", confidence: number): PlannedVerdict => ({
		method,
		confidence: Math.round((confidence + more) * 100) / 100,
	});
	// Where all of the plant runs, a name or a place that is only like it is not enough: years or a company must agree.
	const isExpected = facts.isPlanned || facts.company !== null || (facts.planApart ?? 99) <= laggingYears;
	if (name === "equal") {
		if (here && (fits || facts.isPlanned)) return found("name", fits ? 0.92 : 0.84);
		if (fits && isExpected) return found("name", county === "unknown" ? 0.82 : 0.74);
		// What is certain to be built under the name of a plant that runs there is more of it.
		if (here && isLate) return found("name", 0.7);
		return null;
	}
	if (name === "close") return here && fits && isExpected ? found("name_close", 0.78) : null;
	if (name !== "unknown" || isNamed || facts.isOlder || county !== "same") return null;
	const isSure = facts.nearest !== null && facts.nearest.off <= namelessOff && facts.nearest.mw >= namelessMw;
	return isSure && (facts.planApart ?? 9) <= namelessYears ? found("county_capacity_year", 0.6) : null;
}
