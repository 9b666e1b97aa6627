/** Scores from 0 to 100 how likely a developer is in financial distress, by shares, not by size. Pure. */
import type { Reply } from "#libs/contract/index.ts";
import type { DistressLevel, RatedDistressLevel } from "#libs/contract/vocabulary.ts";
import { roundHalfUp, toFourDecimals } from "../score/score.ts";
import { checkCounts, countRequests, countSearchedSources, type DeveloperCounts, describeCoverage } from "./counts.ts";
import { type DistressTables, distressTables, type ShareComponent, type ShareRule } from "./tables.ts";

type DistressComponents = NonNullable<Reply<"getDeveloperCapital">["distress_signal"]["components"]>;

interface Distress {
	level: DistressLevel;
	score: number;
	components: DistressComponents | null;
}

type Component = ShareComponent | "capital_raised_low_deployment";
/** A component without known facts has no entry. */
type DistressPoints = Partial<Record<Component, number>>;

/**
 * A developer without an active or withdrawn request and without news is not rated (unknown, 0, no components), unless its bankruptcy is
 * confirmed: the company may have no request in any queue. A level requires two searched sources. Low also requires enough known facts
 * (`describeCoverage`), including facts about the company itself, because its requests alone do not show that it is sound.
 *
 * Equal shares score more points with more evidence. With plain ratios, a single late request would rate a developer High.
 * @throws RangeError if the counts are impossible (`checkCounts`)
 */
export function rateDistress(counts: DeveloperCounts): Distress {
	checkCounts(counts);
	if (counts.active + counts.withdrawn === 0 && counts.events === 0 && !counts.bankruptcy)
		return { level: "unknown", score: 0, components: null };
	const points = computeDistressPoints(counts);
	const roundedScore = roundHalfUp(rawScore(points));
	const score = counts.bankruptcy ? Math.max(roundedScore, distressTables.bankruptcyScore) : roundedScore;
	const level = levelOf(score);
	const coverage = describeCoverage(counts);
	const { minimum } = distressTables.coverage;
	const isCompanySearched = [coverage.news, coverage.filings, coverage.form_d].some(({ looked_at }) => looked_at);
	const isEnough = level !== "Low" || (coverage.points >= minimum.points && isCompanySearched);
	const isKnown = counts.bankruptcy || (countSearchedSources(coverage) >= minimum.sources && isEnough);
	return { level: isKnown ? level : "unknown", score, components: componentsOf(counts, points) };
}

export function computeDistressPoints(
	counts: DeveloperCounts,
	tables: DistressTables = distressTables,
): DistressPoints {
	const { shares, capital_raised_low_deployment } = tables;
	const cost = shares.interconnection_cost_burden;
	return {
		behind_schedule: pointsOf(counts.behind, counts.active, shares.behind_schedule),
		high_withdrawal_rate: pointsOf(counts.withdrawn, countRequests(counts), withdrawalRule(counts, tables)),
		...(counts.withCost > 0 && { interconnection_cost_burden: pointsOf(counts.highCost, counts.withCost, cost) }),
		distress_events: pointsOf(counts.distress, counts.events, shares.distress_events),
		litigation: pointsOf(counts.litigation, counts.events, shares.litigation),
		capital_raised_low_deployment: hasRaisedButBuiltLittle(counts) ? capital_raised_low_deployment.points : 0,
	};
}

/** Returns the points as a percentage of the maximum of the known components, not rounded. Without costs the maximum is 80. */
export function rawScore(points: DistressPoints): number {
	const { shares, capital_raised_low_deployment } = distressTables;
	const rules = Object.entries({ ...shares, capital_raised_low_deployment });
	const add = (values: number[]) => values.reduce((sum, value) => sum + value, 0);
	const known = add(rules.filter(([name]) => points[name as Component] !== undefined).map(([, rule]) => rule.points));
	const all = add(rules.map(([, rule]) => rule.points));
	return Math.min(100, add(rules.map(([name]) => points[name as Component] ?? 0)) / (known / all));
}

export function levelOf(score: number): RatedDistressLevel {
	const found = distressTables.levels.find(({ from }) => score >= from);
	if (!found) throw new RangeError(`no distress level covers a score of ${score}`);
	return found.level;
}

function pointsOf(part: number, whole: number, { prior, full, weight, points }: ShareRule): number {
	const share = (part + weight * prior) / (whole + weight);
	return points * Math.min(1, Math.max(0, (share - prior) / (full - prior)));
}

function withdrawalRule(counts: DeveloperCounts, { shares, cohorts }: DistressTables): ShareRule {
	const rule = shares.high_withdrawal_rate;
	if (counts.expectedWithdrawn === null) return rule;
	const prior = counts.expectedWithdrawn / countRequests(counts);
	return { ...rule, prior, full: prior + cohorts.width };
}

function hasRaisedButBuiltLittle({ capitalRaised, operationalMw }: DeveloperCounts): boolean {
	const { raised, perOperationalMw } = distressTables.capital_raised_low_deployment;
	return capitalRaised >= raised && (operationalMw === 0 || capitalRaised / operationalMw > perOperationalMw);
}

function componentsOf(counts: DeveloperCounts, points: DistressPoints): DistressComponents {
	const { withCost, highCost, maxCostPerKw } = counts;
	return {
		capital_raised_low_deployment: hasRaisedButBuiltLittle(counts),
		interconnection_cost_burden:
			withCost === 0 ? null : { high_cost_projects: highCost, max_cost_per_kw: maxCostPerKw },
		behind_schedule: { count: counts.behind, share: shareOf(counts.behind, counts.active) },
		high_withdrawal_rate: shareOf(counts.withdrawn, countRequests(counts)),
		withdrawals: { count: counts.withdrawn, expected: counts.expectedWithdrawn },
		litigation: counts.litigation,
		distress_events: counts.distress,
		points: Object.fromEntries(Object.entries(points).map(([name, value]) => [name, toFourDecimals(value)])),
		bankruptcy: counts.bankruptcy,
	};
}

function shareOf(part: number, whole: number): number | null {
	return whole === 0 ? null : toFourDecimals(part / whole);
}

/** A developer's requests that entered one operator's queue in one year, and the other developers' requests to compare them with. */
export interface Cohort {
	/** The developer's own requests that are active, operating or withdrawn. */
	requests: number;
	/** Others' requests in the cohort, and in the operator's queue in all years. */
	peers: number;
	peersWithdrawn: number;
	operatorPeers: number;
	operatorPeersWithdrawn: number;
}

/**
 * Returns how many of a developer's requests would have been withdrawn at its peers' rate, because a developer in a cohort that collapses as
 * a whole is not in distress. The rates of small cohorts are shrunk toward their operator's rate, and that rate toward the prior if the
 * other developers have few requests there. Null if the developer has no request.
 */
export function estimateWithdrawals(cohorts: readonly Cohort[]): number | null {
	const requests = cohorts.reduce((sum, cohort) => sum + cohort.requests, 0);
	if (requests === 0) return null;
	return toFourDecimals(cohorts.reduce((sum, cohort) => sum + cohort.requests * rateOf(cohort), 0));
}

function rateOf({ peers, peersWithdrawn, operatorPeers, operatorPeersWithdrawn }: Cohort): number {
	const { weight } = distressTables.cohorts;
	const { prior } = distressTables.shares.high_withdrawal_rate;
	const operators = (operatorPeersWithdrawn + weight * prior) / (operatorPeers + weight);
	return (peersWithdrawn + weight * operators) / (peers + weight);
}

export interface BankruptcyReport {
	/**
	 * An 8-K whose item 1.03 does not name a subsidiary as the debtor, or a headline that states a bankruptcy filing as a fact (the flag
	 * `bankruptcy` of `news.recorded`).
	 */
	kind: "filing" | "headline";
	domain: string | null;
	/** Confidence that the report is about the developer, 0 to 1. */
	confidence: number;
}

/** Minimum confidence of headlines that contain the name in full. */
const fullNameConfidence = 0.9;

/** A bankruptcy is confirmed by item 1.03, in which the company reports it, or by headlines of two outlets with the company's full name. */
export function isBankruptcyConfirmed(reports: readonly BankruptcyReport[]): boolean {
	if (reports.some(({ kind }) => kind === "filing")) return true;
	const fullNameReports = reports.filter(({ confidence }) => confidence >= fullNameConfidence);
	return new Set(fullNameReports.flatMap(({ domain }) => (domain === null ? [] : [outletOf(domain)]))).size >= 2;
}

/** Returns the outlet of a domain: yahoo.com for `finance.yahoo.com` and `www.yahoo.com`, bbc.co.uk for `news.bbc.co.uk`. */
function outletOf(domain: string): string {
	const labels = domain.toLowerCase().replace(/\.$/, "").split(".");
	const significant = /^(?:co|com|org|net|ac|gov)\.[a-z]{2}$/.test(labels.slice(-2).join(".")) ? 3 : 2;
	return labels.slice(-significant).join(".");
}
