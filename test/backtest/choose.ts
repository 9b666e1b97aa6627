/**
 * Chooses weights, and the points of two deductions, by how well they order requests whose fate is known. Only requests of one region are
 * compared: what a list tells of a request, how long it was watched and how its end is known differ from region to region. Pure.
 */
import type { Region } from "../../libs/contract/vocabulary.ts";
import type { DeductionKind, ScoreTables } from "../../services/scoring/domain/score/index.ts";
import { version1 } from "../../services/scoring/domain/score/versions/1.ts";
import type { Case } from "./cohorts.ts";
import { type Outcome, type Sample, sampleOf, scored } from "./samples.ts";
import { auc } from "./statistics.ts";
import { distance, grid, totals, type Weights } from "./weights.ts";

/** What the score is read for: will it be built, and will it still stand in two years? Both count alike. */
export const judged = ["built, of the finished", "kept (built or open)"] as const satisfies Outcome[];

/** Mean area of both outcomes, over pairs of one region; zero where there is none. */
export function goodness(samples: readonly Sample[], order: (sample: Sample) => number[]): number {
	const areas = samples.map((sample) => auc(order(sample), sample.positive, sample.regions) ?? 0);
	return areas.reduce((sum, value) => sum + value, 0) / areas.length;
}

export interface Candidate {
	name: string;
	tables: ScoreTables;
}

/** The tables of version 1, then those without the deductions that single features speak against; simplest first. */
export function candidatesWith(posture: ScoreTables["posture"]): [Candidate, ...Candidate[]] {
	const without = (...kinds: DeductionKind[]): ScoreTables => ({
		...version1,
		posture,
		deductions: { ...version1.deductions, ...Object.fromEntries(kinds.map((kind) => [kind, 0])) },
	});
	return [
		{ name: "those of version 1", tables: without() },
		{ name: "none for a projected date past", tables: without("cod_past") },
		{ name: "none for years in the queue", tables: without("queued_over_4_years", "queued_2_to_4_years") },
		{ name: "none for either", tables: without("cod_past", "queued_over_4_years", "queued_2_to_4_years") },
	];
}

/** Pairs of one region say nothing of the weight of the region's posture: it keeps that of version 1. */
const searched = grid
	.filter(({ iso_posture }) => Math.abs(iso_posture - version1.weights.iso_posture) < 1e-9)
	.sort((a, b) => distance(a, version1.weights) - distance(b, version1.weights));

export interface Choice {
	candidate: Candidate;
	weights: Weights;
	fit: number;
}

/** The weights of best fit; of equal ones those nearest to version 1. */
export function bestWeights(cases: readonly Case[], candidate: Candidate): Choice {
	const requests = scored(cases, candidate.tables);
	const samples = judged.map((outcome) => sampleOf(requests, outcome));
	let best: Choice = {
		candidate,
		weights: version1.weights,
		fit: goodness(samples, (sample) => totals(sample, version1.weights)),
	};
	for (const weights of searched) {
		const reached = goodness(samples, (sample) => totals(sample, weights));
		if (reached > best.fit + 1e-9) best = { candidate, weights, fit: reached };
	}
	return best;
}

/** Another table is taken only for more than this. */
export const leastGain = 0.005;

/** One choice for each candidate, and the one that is taken: the next simpler one stands unless it is beaten by more than `leastGain`. */
export function choose(cases: readonly Case[], posture: ScoreTables["posture"]): { choices: Choice[]; taken: Choice } {
	const [simplest, ...others] = candidatesWith(posture);
	let taken = bestWeights(cases, simplest);
	const choices = [taken];
	for (const candidate of others) {
		const choice = bestWeights(cases, candidate);
		choices.push(choice);
		if (choice.fit > taken.fit + leastGain) taken = choice;
	}
	return { choices, taken };
}

/** The weights chosen without a region, for each region. */
export function leaveOneOut(cases: readonly Case[], candidate: Candidate): Map<Region, Weights> {
	const regions = [...new Set(cases.map(({ facts }) => facts.region))];
	return new Map(
		regions.map((left) => {
			const others = cases.filter(({ facts }) => facts.region !== left);
			return [left, bestWeights(others, candidate).weights];
		}),
	);
}
