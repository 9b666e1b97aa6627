import type { Reply } from "#libs/contract/index.ts";
import { type DeveloperFact, developerFacts } from "#libs/contract/vocabulary.ts";
import { type DistressTables, distressTables } from "./tables.ts";

/** What is counted of a developer: its requests, its raises and what is said of it (signals sheet, 7.2). Pure. */

/** Counts come from SQL, where everything that depends on a day was measured against one `today`. */
export interface DeveloperCounts {
	/** Generation requests by `status_std`: Active, Operational, Withdrawn. */
	active: number;
	operational: number;
	withdrawn: number;
	/** How many of all three would have been withdrawn at the rate of its peers (`expectedWithdrawals`); null where that is not known. */
	expectedWithdrawn: number | null;
	/** Active with a projected commercial operation, and those of them that are past it. */
	dated: number;
	behind: number;
	/** Projected commercial operation moved later by 180 days or more in all. */
	codSlipped: number;
	/** Active, filed over 60 months ago, no executed agreement. */
	stuck: number;
	/** Requests whose interconnection cost is known, and those above $250 a kW. */
	withCost: number;
	highCost: number;
	/** USD a kW; null where no cost is known. For display: it grows with the number of requests. */
	maxCostPerKw: number | null;
	operationalMw: number;
	activeMw: number;
	/** USD sold by the newest filing of each Form D offering: ever, and in the last 36 months. */
	capitalRaised: number;
	capitalRaised36Months: number;
	/** Its Form D offerings. */
	raiseCount: number;
	/** Of the last 36 months, those whose Form D filings, of whatever issuer, are loaded. */
	raiseMonths: number;
	/** Headlines and current reports of the last 24 months: all, the reports among them, and by class. */
	events: number;
	reports: number;
	financing: number;
	ma: number;
	distress: number;
	litigation: number;
	/** Confirmed within 24 months (`isBankruptcyConfirmed`). */
	bankruptcy: boolean;
	/** MW of requests in the late stage or under construction, by technology. */
	lateAndConstruction: { technology: string; mw: number }[];
	/** USD of estimated tax credits of open requests in the mid stage or later, and how many such requests there are. */
	creditValue: number;
	creditProjects: number;
	/** Headlines within 180 days that say it looks for money or a buyer. */
	seeking: string[];
}

const wholeNumbers = [
	"active",
	"operational",
	"withdrawn",
	"dated",
	"behind",
	"codSlipped",
	"stuck",
	"withCost",
	"highCost",
	"raiseCount",
	"raiseMonths",
	"events",
	"reports",
	"financing",
	"ma",
	"distress",
	"litigation",
	"creditProjects",
] as const satisfies (keyof DeveloperCounts)[];

const amounts = [
	"operationalMw",
	"activeMw",
	"capitalRaised",
	"capitalRaised36Months",
	"creditValue",
] as const satisfies (keyof DeveloperCounts)[];

/**
 * Throws a RangeError that names the count where one is negative, no number, or above 2^53 - 1, and where a part is larger than
 * its whole: such counts come from a wrong query, and a share of them would be served as if it were one.
 */
export function checkCounts(counts: DeveloperCounts): void {
	for (const name of wholeNumbers) {
		if (!Number.isSafeInteger(counts[name])) throw new RangeError(`${name} must be a whole number: ${counts[name]}`);
	}
	for (const name of [...wholeNumbers, ...amounts]) checkAmount(name, counts[name]);
	if (counts.maxCostPerKw !== null) checkAmount("maxCostPerKw", counts.maxCostPerKw);
	for (const { technology, mw } of counts.lateAndConstruction) checkAmount(`MW of ${technology}`, mw);
	if (counts.expectedWithdrawn !== null) {
		checkAmount("expectedWithdrawn", counts.expectedWithdrawn);
		const all = counts.active + counts.operational + counts.withdrawn;
		checkPart("expectedWithdrawn", counts.expectedWithdrawn, "all requests", all);
	}
	checkPart("dated", counts.dated, "active", counts.active);
	checkPart("behind", counts.behind, "active", counts.active);
	checkPart("reports", counts.reports, "events", counts.events);
	checkPart("highCost", counts.highCost, "withCost", counts.withCost);
	const classed = counts.financing + counts.ma + counts.distress + counts.litigation;
	checkPart("financing, ma, distress and litigation", classed, "events", counts.events);
}

/** Throws a RangeError for what is no amount. */
export function checkAmount(name: string, value: number): void {
	if (!(value >= 0 && value <= Number.MAX_SAFE_INTEGER)) {
		throw new RangeError(`${name} must be a number from 0 to 2^53 - 1: ${value}`);
	}
}

function checkPart(part: string, value: number, whole: string, of: number): void {
	if (value > of) throw new RangeError(`${part} (${value}) must not be more than ${whole} (${of})`);
}

// MERGED services/scoring/domain/developers/counts.ts: What a developer's distress and capital are judged by, and whether it is there. Pure.
export type Coverage = Reply<"getDeveloperCapital">["coverage"];

/**
 * A source counts as looked at where it shows something of the developer: of headlines and current reports nothing says for whom they were
 * searched. Form D is loaded whole, a month at a time, so that it also counts where it shows nothing.
 */
export function coverageOf(counts: DeveloperCounts, tables: DistressTables = distressTables): Coverage {
	const { least } = tables.coverage;
	const finished = counts.operational + counts.withdrawn;
	const headlines = counts.events - counts.reports;
	const facts: Omit<Coverage, "missing" | "points"> = {
		schedule: { looked_at: counts.dated > 0, active: counts.active, with_cod: counts.dated },
		withdrawals: { looked_at: finished >= least.finished, finished },
		costs: { looked_at: counts.withCost > 0, requests: counts.withCost },
		news: { looked_at: headlines > 0, headlines },
		filings: { looked_at: counts.reports > 0, reports: counts.reports },
		form_d: {
			looked_at: counts.raiseCount > 0 || counts.raiseMonths >= least.raiseMonths,
			offerings: counts.raiseCount,
			months: counts.raiseMonths,
		},
	};
	const isThere = (fact: DeveloperFact): boolean => facts[fact].looked_at;
	return { ...facts, missing: developerFacts.filter((fact) => !isThere(fact)), points: pointsOf(isThere, tables) };
}

/** Is enough of it there to call a developer without points Low? */
export const isLowSaid = ({ points }: Coverage, tables: DistressTables = distressTables): boolean =>
	points >= tables.coverage.least.points;

/** Of the 100 of the score, those whose facts are there. */
function pointsOf(isThere: (fact: DeveloperFact) => boolean, tables: DistressTables): number {
	const { shares, capital_raised_low_deployment: raised } = tables;
	const parts: [boolean, number][] = [
		[isThere("schedule"), shares.behind_schedule.points],
		[isThere("withdrawals"), shares.high_withdrawal_rate.points],
		[isThere("costs"), shares.interconnection_cost_burden.points],
		[isThere("news") || isThere("filings"), shares.distress_events.points + shares.litigation.points],
		[isThere("form_d"), raised.points],
	];
	return parts.reduce((sum, [there, points]) => sum + (there ? points : 0), 0);
}
