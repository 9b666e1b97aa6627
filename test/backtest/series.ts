/** The same requests under several scores, and how much better one of them orders than another. Pure. */
import { type ScoreComponent, scoreComponents } from "../../libs/contract/vocabulary.ts";
import { version1 } from "../../services/scoring/domain/score/versions/1.ts";
import type { Case } from "./cohorts.ts";
import type { Posture } from "./posture-then.ts";
import { type Outcome, type Sample, sampleOf, scored } from "./samples.ts";
import { area, auc, clusterInterval, countsBy, drawnCounts, type Interval, ranks } from "./statistics.ts";
import { equalWeights, totals, type Weights, wholePoints } from "./weights.ts";

export const componentNames: Record<ScoreComponent, string> = {
	milestone_progress: "milestone",
	iso_posture: "posture",
	tax_credit_value: "tax credit",
	deal_cleanliness: "cleanliness",
	developer_tier: "tier",
};
export const components: readonly string[] = Object.values(componentNames);

export interface Series {
	sample: Sample;
	/** By name, in the order of the tables. */
	scores: Map<string, number[]>;
}

/** `version 1`, `chosen`, `equal weights` and each component alone, under the tables of version 1 with another posture. */
export function seriesOf(cases: readonly Case[], outcome: Outcome, chosen: Weights, posture: Posture): Series {
	const sample = sampleOf(scored(cases, { ...version1, posture }), outcome);
	const scores = new Map([
		["version 1", totals(sample, version1.weights)],
		["equal weights", totals(sample, equalWeights)],
	]);
	for (const name of scoreComponents) scores.set(componentNames[name], sample.columns[name]);
	return withChosen({ sample, scores }, totals(sample, chosen));
}

export function withChosen({ sample, scores }: Series, chosen: number[]): Series {
	const added = [
		["chosen", chosen],
		["chosen, whole points", wholePoints(chosen)],
	] as const;
	return { sample, scores: new Map([...added, ...scores, ...added]) };
}

export const areaWithin = ({ sample, scores }: Series, name: string): number | null =>
	auc(scores.get(name) ?? [], sample.positive, sample.regions);

const bootstrap = { draws: 1000, seed: 20_261_120 };
const regionOf = (cluster: string): string => cluster.split(" ")[0] ?? "";

/** 95 % interval of how much larger the area of `a` is than that of `b`. Requests of one region and year of entry are drawn together. */
export function gain({ sample, scores }: Series, a: string, b: string): Interval | null {
	const [first, second] = [a, b].map((name) =>
		countsBy(sample.clusters, ranks(scores.get(name) ?? []), sample.positive),
	);
	if (first === undefined || second === undefined) return null;
	return clusterInterval(
		[...new Set(sample.clusters)].sort(),
		(times) => {
			const [more, less] = [first, second].map((counts) => area(drawnCounts(counts, times, regionOf)));
			return typeof more === "number" && typeof less === "number" ? more - less : null;
		},
		bootstrap,
	);
}
