/** How likely a developer is in trouble, 0 to 100, by shares and not by size (signals sheet, 7.3; specification 2.9). Pure. */
import type { Reply } from "#libs/contract/index.ts";
import type { DistressLevel, JudgedDistressLevel } from "#libs/contract/vocabulary.ts";
import { checkCounts, coverageOf, type DeveloperCounts, isLowSaid } from "./counts.ts";
import { type DistressTables, distressTables, type ShareComponent, type ShareRule, shareComponents } from "./tables.ts";

export { distressVersion } from "./tables.ts";

export type DistressComponents = NonNullable<Reply<"getDeveloperCapital">["distress_signal"]["components"]>;

export interface Distress {
	level: DistressLevel;
	/** Whole, 0 to 100. */
	score: number;
	/** Null where there is too little to judge. */
	components: DistressComponents | null;
}

/** By component; one of which nothing is known has no entry. */
export type DistressPoints = Partial<Record<ShareComponent | "capital_raised_low_deployment", number>>;

/**
 * The level, the score and what it is made of. Without an open or withdrawn request and without news there is nothing to judge:
 * unknown, 0, no components; unless the bankruptcy is confirmed, which needs neither (a filer may have no request in any queue).
 * Low is said of a developer of which enough was looked at (`coverageOf`); points that were found count whatever else is not there.
 * Throws a RangeError for counts that cannot be (`checkCounts`).
 *
 * Shrinking gives the same shares more points with more evidence; a pure ratio would not, and would call one late request High.
 */
export function rateDistress(counts: DeveloperCounts, tables: DistressTables = distressTables): Distress {
	checkCounts(counts);
	const requests = counts.active + counts.withdrawn;
	if (requests === 0 && counts.events === 0 && !counts.bankruptcy)
		return { level: "unknown", score: 0, components: null };
	const points = distressPoints(counts, tables);
	const summed = roundHalfUp(rawScore(points, tables));
	const score = counts.bankruptcy ? Math.max(summed, tables.bankruptcyScore) : summed;
	const level = levelOf(score, tables);
	const isKnown = level !== "Low" || isLowSaid(coverageOf(counts, tables), tables);
	return { level: isKnown ? level : "unknown", score, components: componentsOf(counts, points, tables) };
}

/** Points of each component, not rounded. */
export function distressPoints(counts: DeveloperCounts, tables: DistressTables = distressTables): DistressPoints {
	const { shares, capital_raised_low_deployment } = tables;
	const cost = shares.interconnection_cost_burden;
	return {
		behind_schedule: pointsOf(counts.behind, counts.active, shares.behind_schedule),
		high_withdrawal_rate: pointsOf(counts.withdrawn, allRequests(counts), withdrawalRule(counts, tables)),
		...(counts.withCost > 0 && { interconnection_cost_burden: pointsOf(counts.highCost, counts.withCost, cost) }),
		distress_events: pointsOf(counts.distress, counts.events, shares.distress_events),
		litigation: pointsOf(counts.litigation, counts.events, shares.litigation),
		capital_raised_low_deployment: raisedAndBuiltLittle(counts, tables) ? capital_raised_low_deployment.points : 0,
	};
}

/** The sum of the points, as a share of those that could be had: 0 to 100, not rounded. Without costs that divides by 0.80. */
export function rawScore(points: DistressPoints, tables: DistressTables = distressTables): number {
	const most = mostPoints(tables);
	const names = [...shareComponents, "capital_raised_low_deployment"] as const;
	const sumOf = (values: (number | undefined)[]) => values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
	const known = sumOf(names.filter((name) => points[name] !== undefined).map((name) => most[name]));
	const all = sumOf(names.map((name) => most[name]));
	return Math.min(100, sumOf(names.map((name) => points[name])) / (known / all));
}

/** The level of a score: never lower for a higher one. */
export function levelOf(score: number, tables: DistressTables = distressTables): JudgedDistressLevel {
	const found = tables.levels.find(({ from }) => score >= from);
	if (!found) throw new RangeError(`no level for a score of ${score}`);
	return found.level;
}

function mostPoints({ shares, capital_raised_low_deployment }: DistressTables): Required<DistressPoints> {
	return {
		behind_schedule: shares.behind_schedule.points,
		high_withdrawal_rate: shares.high_withdrawal_rate.points,
		interconnection_cost_burden: shares.interconnection_cost_burden.points,
		distress_events: shares.distress_events.points,
		litigation: shares.litigation.points,
		capital_raised_low_deployment: capital_raised_low_deployment.points,
	};
}

/** Of none, the share is the prior: no points. */
function pointsOf(part: number, whole: number, { prior, full, weight, points }: ShareRule): number {
	const share = (part + weight * prior) / (whole + weight);
	return points * Math.min(1, Math.max(0, (share - prior) / (full - prior)));
}

/** The prior is what the developer's peers expect of it, where that is known. */
function withdrawalRule(counts: DeveloperCounts, { shares, cohorts }: DistressTables): ShareRule {
	const rule = shares.high_withdrawal_rate;
	if (counts.expectedWithdrawn === null) return rule;
	const prior = counts.expectedWithdrawn / allRequests(counts);
	return { ...rule, prior, full: prior + cohorts.width };
}

function raisedAndBuiltLittle({ capitalRaised, operationalMw }: DeveloperCounts, tables: DistressTables): boolean {
	const { raised, perOperationalMw } = tables.capital_raised_low_deployment;
	return capitalRaised >= raised && (operationalMw === 0 || capitalRaised / operationalMw > perOperationalMw);
}

function componentsOf(counts: DeveloperCounts, points: DistressPoints, tables: DistressTables): DistressComponents {
	const { withCost, highCost, maxCostPerKw } = counts;
	return {
		capital_raised_low_deployment: raisedAndBuiltLittle(counts, tables),
		interconnection_cost_burden:
			withCost === 0 ? null : { high_cost_projects: highCost, max_cost_per_kw: maxCostPerKw },
		behind_schedule: { count: counts.behind, share: shareOf(counts.behind, counts.active) },
		high_withdrawal_rate: shareOf(counts.withdrawn, allRequests(counts)),
		withdrawals: { count: counts.withdrawn, expected: counts.expectedWithdrawn },
		litigation: counts.litigation,
		distress_events: counts.distress,
		points: Object.fromEntries(Object.entries(points).map(([name, value]) => [name, toFourDecimals(value)])),
		bankruptcy: counts.bankruptcy,
	};
}

function allRequests({ active, operational, withdrawn }: DeveloperCounts): number {
	return active + operational + withdrawn;
}

/** As it is, not shrunk; null of none. */
function shareOf(part: number, whole: number): number | null {
	return whole === 0 ? null : toFourDecimals(part / whole);
}

function toFourDecimals(value: number): number {
	return Math.round(value * 10_000) / 10_000;
}

/** The billionth is for a half that binary fractions put a hair too low. */
function roundHalfUp(value: number): number {
	return Math.floor(value + 0.5 + 1e-9);
}

// MERGED services/scoring/domain/developers/distress.ts: How many of a developer's requests would have been withdrawn at its peers' rate: a cohort that collapses is no developer in distress. Pure.
/** A developer's requests with one operator that entered its queue in one year, beside those of all others. */
export interface Cohort {
	/** Its own: active, operating or withdrawn. */
	requests: number;
	/** Those of others in the cohort, and with the operator in all years. */
	peers: number;
	peersWithdrawn: number;
	operatorPeers: number;
	operatorPeersWithdrawn: number;
}

/**
 * Small cohorts are shrunk towards their operator's rate, and an operator with few requests of others towards the prior. Null of no
 * request.
 */
export function expectedWithdrawals(
	cohorts: readonly Cohort[],
	tables: DistressTables = distressTables,
): number | null {
	const requests = cohorts.reduce((sum, cohort) => sum + cohort.requests, 0);
	if (requests === 0) return null;
	const expected = cohorts.reduce((sum, cohort) => sum + cohort.requests * rateOf(cohort, tables), 0);
	return Math.round(expected * 10_000) / 10_000;
}

function rateOf({ peers, peersWithdrawn, operatorPeers, operatorPeersWithdrawn }: Cohort, tables: DistressTables) {
	const { weight } = tables.cohorts;
	const { prior } = tables.shares.high_withdrawal_rate;
	const operators = (operatorPeersWithdrawn + weight * prior) / (operatorPeers + weight);
	return (peersWithdrawn + weight * operators) / (peers + weight);
}

/** When a reported bankruptcy counts (signals sheet, 7.3). Pure. */

export interface BankruptcyReport {
	/** An 8-K with item 1.03, or a headline that states the filing as a fact (the flag `bankruptcy` of `news.recorded`). */
	kind: "filing" | "headline";
	/** Of the outlet; null of a filing. */
	domain: string | null;
	/** That the developer is meant, 0 to 1. */
	confidence: number;
}

/** The name stands in full in the headline (signals sheet, 3.6). */
const sure = 0.9;

/** Item 1.03 is the company's own word; of headlines, two outlets must name it in full. */
export function isBankruptcyConfirmed(reports: readonly BankruptcyReport[]): boolean {
	if (reports.some(({ kind }) => kind === "filing")) return true;
	const named = reports.filter(({ confidence }) => confidence >= sure);
	return new Set(named.flatMap(({ domain }) => (domain === null ? [] : [outlet(domain)]))).size >= 2;
}

/** `finance.yahoo.com` and `www.yahoo.com` are one outlet; of `news.bbc.co.uk` three labels are needed. */
function outlet(domain: string): string {
	const labels = domain.toLowerCase().replace(/\.$/, "").split(".");
	const taken = /^(?:co|com|org|net|ac|gov)\.[a-z]{2}$/.test(labels.slice(-2).join(".")) ? 3 : 2;
	return labels.slice(-taken).join(".");
}
