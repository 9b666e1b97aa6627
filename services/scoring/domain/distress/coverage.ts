/** What a developer's distress and capital are judged by, and whether it is there. Pure. */
import type { Reply } from "#libs/contract/index.ts";
import { type DeveloperFact, developerFacts } from "#libs/contract/vocabulary.ts";
import type { DeveloperCounts } from "../developer-counts.ts";
import { type DistressTables, distressTables } from "./tables.ts";

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
