/**
 * Chooses weights by how well they order requests whose fate is known. Only requests of one region are compared: what a list tells of a
 * request, how long it was watched and how its end is known differ from region to region. Pure.
 */
import type { Region } from "../../libs/contract/vocabulary.ts";
import type { DeductionKind, ScoreTables } from "../../services/scoring/domain/score/index.ts";
import { version1 } from "../../services/scoring/domain/score/versions/1.ts";
import type { Case } from "./cohorts.ts";
import { type Outcome, type Sample, sampleOf, scored } from "./samples.ts";
import { auc } from "./statistics.ts";
import { distance, grid, totals, type Weights } from "./weights.ts";

/** What each cohort is judged by: five years tell what is built, two what is given up. */
export const judgedBy = { "2020": "built, of the finished", "2024": "kept (built or open)" } as const satisfies Record<
	string,
	Outcome
>;

/** `one region`: pairs of requests of one region. */
export type Pairs = "one region" | "all";

export const groupsOf = ({ regions }: Sample, pairs: Pairs): readonly string[] => (pairs === "all" ? [] : regions);

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

/** For each region the weights chosen without it. */
export function leaveOneOut(cases: readonly Case[], outcome: Outcome, tables: ScoreTables): Map<Region, Weights> {
	const requests = scored(cases, tables);
	const regions = new Set(requests.map(({ region }) => region));
	return new Map(
		[...regions].map((left) => {
			const others = requests.filter(({ region }) => region !== left);
			return [left, bestWeights(sampleOf(others, outcome), "one region")];
		}),
	);
}

/** What each request scores under the weights that its own region had no part in. */
export function outOfFold(sample: Sample, weights: ReadonlyMap<Region, Weights>): number[] {
	const byRegion = new Map([...weights].map(([region, chosen]) => [region, totals(sample, chosen)]));
	return sample.regions.map((region, at) => byRegion.get(region)?.[at] ?? 0);
}

/** Version 1, and version 1 without the deductions that single features spoke against once both cohorts had been looked at. */
export function deductionVariants(posture: ScoreTables["posture"]): { name: string; tables: ScoreTables }[] {
	const without = (...kinds: DeductionKind[]): ScoreTables => ({
		...version1,
		posture,
		deductions: { ...version1.deductions, ...Object.fromEntries(kinds.map((kind) => [kind, 0])) },
	});
	return [
		{ name: "version 1", tables: without() },
		{ name: "no date past", tables: without("cod_past") },
		{ name: "no queue age", tables: without("queued_over_4_years", "queued_2_to_4_years") },
		{ name: "neither", tables: without("cod_past", "queued_over_4_years", "queued_2_to_4_years") },
	];
}
