/** Weights of the five components, the score that they make, and every choice of them that the search looks at. Pure. */
import { type ScoreComponent, scoreComponents } from "../../libs/contract/vocabulary.ts";
import type { Sample } from "./samples.ts";

export type Weights = Readonly<Record<ScoreComponent, number>>;

function weightsOf(values: readonly number[]): Weights {
	return Object.fromEntries(scoreComponents.map((name, at) => [name, values[at] ?? 0])) as Weights;
}

export const equalWeights = weightsOf(scoreComponents.map(() => 1 / scoreComponents.length));

/** The grid's step: weights are whole multiples of a twentieth, and so are totals. */
const steps = 20;

/**
 * In twentieths of a point. Not in whole points: rounding makes ties of some small differences and not of others, by chance, and a search
 * finds the chance.
 */
export function totals({ columns, positive }: Pick<Sample, "columns" | "positive">, weights: Weights): number[] {
	const parts = scoreComponents.map((name) => ({ column: columns[name], weight: Math.round(steps * weights[name]) }));
	return positive.map((_, at) => parts.reduce((sum, { column, weight }) => sum + weight * (column[at] ?? 0), 0));
}

/** As the product shows them. */
export const wholePoints = (twentieths: readonly number[]): number[] =>
	twentieths.map((total) => Math.floor(total / steps + 0.5));

/** Every five weights in steps of 0.05 that sum to 1, none less than 0.05: 3,876 of them. */
export const grid: readonly Weights[] = parts(steps, scoreComponents.length).map((twentieths) =>
	weightsOf(twentieths.map((part) => part / steps)),
);

function parts(total: number, count: number): number[][] {
	if (count === 1) return [[total]];
	const firsts = Array.from({ length: total - count + 1 }, (_, at) => at + 1);
	return firsts.flatMap((first) => parts(total - first, count - 1).map((rest) => [first, ...rest]));
}

export const distance = (a: Weights, b: Weights): number =>
	scoreComponents.reduce((sum, name) => sum + (a[name] - b[name]) ** 2, 0);

export const inWords = (weights: Weights): string =>
	scoreComponents.map((name) => weights[name].toFixed(2)).join(" / ");
