/** The counts from which a developer is rated: its requests, its raises, the news about it. Pure. */
import type { Reply } from "#libs/contract/index.ts";
import { developerFacts } from "#libs/contract/vocabulary.ts";
import { distressTables } from "./tables.ts";

export interface DeveloperCounts {
	/** Generation requests by `status_std`: Active, Operational, Withdrawn. */
	active: number;
	operational: number;
	withdrawn: number;
	/** How many of these requests would have been withdrawn at the peers' rate (`estimateWithdrawals`); null if unknown. */
	expectedWithdrawn: number | null;
	/** Active requests with a projected date of operation, and those of them whose date has passed. */
	dated: number;
	behind: number;
	/** Active requests whose projected date of operation was moved later by 180 days or more in total. */
	codSlipped: number;
	/** Active requests filed over 60 months ago without an executed agreement. */
	stuck: number;
	/** Requests whose interconnection cost is known, and those of them whose cost is above $250 per kW. */
	withCost: number;
	highCost: number;
	/** USD per kW; null if no cost is known. Not used in ratings, because a maximum grows with the number of requests. */
	maxCostPerKw: number | null;
	operationalMw: number;
	activeMw: number;
	/** USD sold according to the newest filing of each Form D offering: in total, and if filed in the last 36 months. */
	capitalRaised: number;
	capitalRaised36Months: number;
	/** Number of its Form D offerings. */
	raiseCount: number;
	/** Months among the last 36 for which the Form D filings of all issuers are loaded. */
	raiseMonths: number;
	/** Headlines and current reports of the last 24 months: all of them, the reports, and the numbers by class. */
	events: number;
	reports: number;
	financing: number;
	ma: number;
	distress: number;
	litigation: number;
	/** Whether a bankruptcy was confirmed within 24 months (`isBankruptcyConfirmed`). */
	bankruptcy: boolean;
	/** MW of requests in the late stage or under construction, by technology. */
	lateAndConstruction: { technology: string; mw: number }[];
	/** Estimated value (USD) of the tax credits of open requests in the mid stage or later, and the number of such requests with a credit. */
	creditValue: number;
	creditProjects: number;
	/** Headlines of the last 180 days that state that it seeks money or a buyer. */
	seeking: string[];
}

export const countRequests = ({ active, operational, withdrawn }: DeveloperCounts): number =>
	active + operational + withdrawn;

/** Counts that need not be whole numbers. */
const fractionalCounts: ReadonlySet<string> = new Set<keyof DeveloperCounts>([
	...(["expectedWithdrawn", "maxCostPerKw", "operationalMw", "activeMw"] as const),
	...(["capitalRaised", "capitalRaised36Months", "creditValue"] as const),
]);

/**
 * Refuses counts that only a wrong query can return, because a rating computed from them would look right.
 * @throws RangeError if a count is negative, not a number, above 2^53 - 1, or larger than the count that includes it; the message names it
 */
export function checkCounts(counts: DeveloperCounts): void {
	for (const [name, value] of Object.entries(counts)) {
		if (typeof value !== "number") continue;
		if (!fractionalCounts.has(name) && !Number.isSafeInteger(value))
			throw new RangeError(`${name} must be a whole number, not ${value}`);
		checkAmount(name, value);
	}
	for (const { technology, mw } of counts.lateAndConstruction) checkAmount(`MW of ${technology}`, mw);
	checkPart("expectedWithdrawn", counts.expectedWithdrawn ?? 0, "all requests", countRequests(counts));
	checkPart("dated", counts.dated, "active", counts.active);
	checkPart("behind", counts.behind, "active", counts.active);
	checkPart("reports", counts.reports, "events", counts.events);
	checkPart("highCost", counts.highCost, "withCost", counts.withCost);
	const classifiedEvents = counts.financing + counts.ma + counts.distress + counts.litigation;
	checkPart("financing, ma, distress and litigation", classifiedEvents, "events", counts.events);
}

/** @throws RangeError */
export function checkAmount(name: string, value: number): void {
	if (!(value >= 0 && value <= Number.MAX_SAFE_INTEGER)) {
		throw new RangeError(`${name} must be a number from 0 to 2^53 - 1, not ${value}`);
	}
}

function checkPart(part: string, value: number, whole: string, maximum: number): void {
	if (value > maximum) throw new RangeError(`${part} (${value}) must not be more than ${whole} (${maximum})`);
}

type Coverage = Reply<"getDeveloperCapital">["coverage"];

/**
 * Returns the sources on which a rating is based. A source counts as searched if it contains anything about the developer, because nothing
 * records for which companies headlines and current reports were searched. Form D is loaded in complete months, so it counts even if it
 * contains nothing about the developer.
 */
export function describeCoverage(counts: DeveloperCounts): Coverage {
	const { coverage, shares, capital_raised_low_deployment: raised } = distressTables;
	const { minimum } = coverage;
	const finished = counts.operational + counts.withdrawn;
	const headlines = counts.events - counts.reports;
	const facts: Omit<Coverage, "missing" | "points"> = {
		schedule: { looked_at: counts.dated > 0, active: counts.active, with_cod: counts.dated },
		withdrawals: { looked_at: finished >= minimum.finished, finished },
		costs: { looked_at: counts.withCost > 0, requests: counts.withCost },
		news: { looked_at: headlines > 0, headlines },
		filings: { looked_at: counts.reports > 0, reports: counts.reports },
		form_d: {
			looked_at: counts.raiseCount > 0 || counts.raiseMonths >= minimum.raiseMonths,
			offerings: counts.raiseCount,
			months: counts.raiseMonths,
		},
	};
	const { schedule, withdrawals, costs, news, filings, form_d } = facts;
	const parts: [boolean, number][] = [
		[schedule.looked_at, shares.behind_schedule.points],
		[withdrawals.looked_at, shares.high_withdrawal_rate.points],
		[costs.looked_at, shares.interconnection_cost_burden.points],
		[news.looked_at || filings.looked_at, shares.distress_events.points + shares.litigation.points],
		[form_d.looked_at, raised.points],
	];
	return {
		...facts,
		missing: developerFacts.filter((fact) => !facts[fact].looked_at),
		points: parts.reduce((sum, [isKnown, points]) => sum + (isKnown ? points : 0), 0),
	};
}

/** Counts the searched sources. The operators' lists count as one. */
export function countSearchedSources({ schedule, withdrawals, costs, news, filings, form_d }: Coverage): number {
	const lists = { looked_at: schedule.looked_at || withdrawals.looked_at };
	return [lists, costs, news, filings, form_d].filter(({ looked_at }) => looked_at).length;
}
