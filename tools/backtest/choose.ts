/**
 * Chooses weights by how well they order requests whose fate is known. Only requests of one region are compared: what a list says of a
 * request, how long it was watched and how its end is known differ from region to region. Pure.
 */
import type { Region } from "../../libs/contract/vocabulary.ts";
import { version1 } from "../../services/scoring/domain/score/versions/1.ts";
import {
	distance,
	grid,
	groupsOf,
	type Outcome,
	type Pairs,
	type Sample,
	type Scored,
	sampleOf,
	totals,
	type Weights,
} from "./samples.ts";
import { auc } from "./statistics.ts";

/** The outcome by which each cohort is judged: five years show what is built, two what is withdrawn. */
export const judgedBy = { "2020": "built, of the finished", "2024": "kept (built or open)" } as const satisfies Record<
	string,
	Outcome
>;

const nearestFirst = [...grid].sort((a, b) => distance(a, version1.weights) - distance(b, version1.weights));
/** Pairs of one region say nothing of the weight of the region's posture: it keeps that of version 1. */
const withPostureKept = nearestFirst.filter(
	({ iso_posture }) => Math.abs(iso_posture - version1.weights.iso_posture) < 1e-9,
);

/** The weights with the largest area; of equal ones those nearest to version 1. */
export function bestWeights(sample: Sample, pairs: Pairs): Weights {
	const groups = groupsOf(sample, pairs);
	const areaOf = (weights: Weights) => auc(totals(sample, weights), sample.positive, groups) ?? 0;
	let best: Weights = version1.weights;
	let most = areaOf(best);
	for (const weights of pairs === "all" ? nearestFirst : withPostureKept) {
		const area = areaOf(weights);
		if (area > most + 1e-9) [best, most] = [weights, area];
	}
	return best;
}

/** The weights for each region, chosen without it. */
export function leaveOneOut(requests: readonly Scored[], outcome: Outcome): Map<Region, Weights> {
	const regions = new Set(requests.map(({ region }) => region));
	return new Map(
		[...regions].map((left) => {
			const others = requests.filter(({ region }) => region !== left);
			return [left, bestWeights(sampleOf(others, outcome), "one region")];
		}),
	);
}

/** Each request's score under weights in which its own region had no part. */
export function outOfFold(sample: Sample, weights: ReadonlyMap<Region, Weights>): number[] {
	const byRegion = new Map([...weights].map(([region, chosen]) => [region, totals(sample, chosen)]));
	return sample.regions.map((region, at) => byRegion.get(region)?.[at] ?? 0);
}
