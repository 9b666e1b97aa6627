/** The same requests under several scores, and how much better one of them orders than another. Pure. */
import { type Region, type ScoreComponent, scoreComponents } from "../../libs/contract/vocabulary.ts";
import type { ScoreTables } from "../../services/scoring/domain/score/tables.ts";
import type { Case } from "./cohorts.ts";
import {
	equalWeights,
	groupsOf,
	type Outcome,
	type Pairs,
	type Sample,
	type Scored,
	sampleOf,
	scored,
	totals,
} from "./samples.ts";
import { area, auc, clusterInterval, countsBy, drawnCounts, type Interval, ranks } from "./statistics.ts";

export const componentNames: Record<ScoreComponent, string> = {
	milestone_progress: "milestone",
	iso_posture: "posture",
	tax_credit_value: "tax credit",
	deal_cleanliness: "cleanliness",
	developer_tier: "tier",
};
export const components: readonly string[] = Object.values(componentNames);

/** The name of the judged version; each component alone is taken from its tables. */
export const judged = "version 2";
export const unrounded = "unrounded";

export interface Version {
	name: string;
	tables: ScoreTables;
	requests: readonly Scored[];
}

/** The first of `versions` is the judged one. */
export function scoredUnder(
	cases: readonly Case[],
	versions: Readonly<Record<string, ScoreTables>>,
): readonly Version[] {
	return Object.entries(versions).map(([name, tables]) => ({ name, tables, requests: scored(cases, tables) }));
}

export interface Series {
	outcome: Outcome;
	sample: Sample;
	/** Scores by the name of the series, in the order of the tables. */
	scores: ReadonlyMap<string, readonly number[]>;
}

/**
 * Each version's score as the product shows it; the judged one's before rounding; its components with equal weights, and each alone.
 */
export function seriesOf([first, ...others]: readonly Version[], outcome: Outcome): Series {
	if (first === undefined) throw new RangeError("no version of the score to judge");
	const sample = sampleOf(first.requests, outcome);
	const scores = new Map<string, readonly number[]>([
		[first.name, sample.scores],
		[unrounded, totals(sample, first.tables.weights)],
	]);
	for (const { name, requests } of others) scores.set(name, sampleOf(requests, outcome).scores);
	scores.set("equal weights", totals(sample, equalWeights));
	for (const name of scoreComponents) scores.set(componentNames[name], sample.columns[name]);
	return { outcome, sample, scores };
}

export const areaOf = ({ sample, scores }: Series, name: string, pairs: Pairs): number | null =>
	auc(scores.get(name) ?? [], sample.positive, groupsOf(sample, pairs));

export function within({ outcome, sample, scores }: Series, region: Region): Series {
	const own = <T>(values: readonly T[]): T[] => values.filter((_, at) => sample.regions[at] === region);
	const columns = Object.fromEntries(scoreComponents.map((name) => [name, own(sample.columns[name])]));
	return {
		outcome,
		sample: {
			columns: columns as Sample["columns"],
			scores: own(sample.scores),
			positive: own(sample.positive),
			regions: own(sample.regions),
			clusters: own(sample.clusters),
		},
		scores: new Map([...scores].map(([name, values]) => [name, own(values)])),
	};
}

const bootstrap = { draws: 1000, seed: 20_261_120 };
const regionOf = (cluster: string): string => cluster.split(" ")[0] ?? "";

/** 95 % interval of how much larger the area of `a` is than that of `b`. Requests of one region and year of entry are drawn together. */
export function gain({ sample, scores }: Series, a: string, b: string, pairs: Pairs): Interval | null {
	const [first, second] = [a, b].map((name) =>
		countsBy(sample.clusters, ranks(scores.get(name) ?? []), sample.positive),
	);
	if (first === undefined || second === undefined) return null;
	const groupOf = pairs === "all" ? () => "" : regionOf;
	return clusterInterval(
		[...new Set(sample.clusters)].sort(),
		(times) => {
			const [more, less] = [first, second].map((counts) => area(drawnCounts(counts, times, groupOf)));
			return typeof more === "number" && typeof less === "number" ? more - less : null;
		},
		bootstrap,
	);
}
