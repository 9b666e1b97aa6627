/** The same requests under several scores, and how much better one of them orders than another. Pure. */
import { type ScoreComponent, scoreComponents } from "../../libs/contract/vocabulary.ts";
import { version1 } from "../../services/scoring/domain/score/versions/1.ts";
import { type Choice, candidatesWith, judged } from "./choose.ts";
import type { Case } from "./cohorts.ts";
import type { Posture } from "./posture-then.ts";
import { type Outcome, type Sample, sampleOf, scored } from "./samples.ts";
import { area, auc, type Counts, clusterInterval, countsBy, drawnCounts, type Interval, ranks } from "./statistics.ts";
import { equalWeights, totals, type Weights, wholePoints } from "./weights.ts";

/** `cleanliness` is that of version 1, `cleanliness'` with the deductions of the choice. */
export const componentNames: Record<ScoreComponent, string> = {
	milestone_progress: "milestone",
	iso_posture: "posture",
	tax_credit_value: "tax credit",
	deal_cleanliness: "cleanliness",
	developer_tier: "tier",
};
export const cleanlinessOfChoice = "cleanliness'";
export const components: readonly string[] = [...Object.values(componentNames), cleanlinessOfChoice];

export interface Series {
	/** Its columns are under the tables of the choice. */
	sample: Sample;
	scores: Map<string, number[]>;
}

/** `version 1`, `chosen`, `equal weights` and each component alone. */
export function seriesOf(cases: readonly Case[], outcome: Outcome, choice: Choice, posture: Posture): Series {
	const [{ tables }] = candidatesWith(posture);
	const first = sampleOf(scored(cases, tables), outcome);
	const sample = sampleOf(scored(cases, { ...choice.candidate.tables, posture }), outcome);
	const chosen = totals(sample, choice.weights);
	const scores = new Map([
		["version 1", totals(first, version1.weights)],
		["chosen", chosen],
		["chosen, whole points", wholePoints(chosen)],
		["equal weights", totals(first, equalWeights)],
	]);
	for (const name of scoreComponents) scores.set(componentNames[name], first.columns[name]);
	scores.set(cleanlinessOfChoice, sample.columns.deal_cleanliness);
	return { sample, scores };
}

export const judgedSeries = (cases: readonly Case[], choice: Choice, posture: Posture): Series[] =>
	judged.map((outcome) => seriesOf(cases, outcome, choice, posture));

export const areaWithin = ({ sample, scores }: Series, name: string): number | null =>
	auc(scores.get(name) ?? [], sample.positive, sample.regions);

/** Mean area over the outcomes; zero where one has no pair to order. */
export function meanArea(series: readonly Series[], name: string): number {
	return series.reduce((sum, each) => sum + (areaWithin(each, name) ?? 0), 0) / series.length;
}

const bootstrap = { draws: 500, seed: 20_261_120 };

/** 95 % interval of how much larger the mean area of `a` is than that of `b`. Requests of one region and year of entry are drawn together. */
export function gain(series: readonly Series[], a: string, b: string): Interval | null {
	const clusters = [...new Set(series.flatMap(({ sample }) => sample.clusters))].sort();
	const counted = series.map(({ sample, scores }) => {
		const count = (name: string) => countsBy(sample.clusters, ranks(scores.get(name) ?? []), sample.positive);
		return { a: count(a), b: count(b) };
	});
	const regionOf = (cluster: string) => cluster.split(" ")[0] ?? "";
	const drawnArea = (counts: Map<string, Counts>, times: ReadonlyMap<string, number>) =>
		area(drawnCounts(counts, times, regionOf));
	return clusterInterval(
		clusters,
		(times) => {
			const differences = counted.map((each) => {
				const [first, second] = [drawnArea(each.a, times), drawnArea(each.b, times)];
				return first === null || second === null ? null : first - second;
			});
			return differences.reduce(
				(sum, value) => (sum === null || value === null ? null : sum + value / series.length),
				0,
			);
		},
		bootstrap,
	);
}

/** Adds what each request scores under weights that its own region had no part in. */
export function withOutOfFold(series: Series, weights: ReadonlyMap<string, Weights>): Series {
	const byRegion = new Map([...weights].map(([region, chosen]) => [region, totals(series.sample, chosen)]));
	const chosen = series.sample.regions.map((region, at) => byRegion.get(region)?.[at] ?? 0);
	const scores = new Map(series.scores);
	scores.set("chosen", chosen);
	scores.set("chosen, whole points", wholePoints(chosen));
	return { sample: series.sample, scores };
}
