/** A score as the steps from 0 to it: each component, and what deal_cleanliness lost by each deduction. Pure. */
import type { Reply } from "#libs/contract/index.ts";
import { words } from "../text/format.ts";

type Score = Pick<Reply<"getScore">, "components" | "deductions">;

/** The largest first; what is deducted follows the component that it is deducted from. Their sum is the score before it is rounded. */
export function stepsOf({ components, deductions }: Score): Step[] {
	return Object.entries(components)
		.toSorted(([, a], [, b]) => b.score * b.weight - a.score * a.weight)
		.flatMap(([name, { score, weight, value }]) => {
			const whole = { name: words(name), words: value, points: exact(score * weight) };
			return name === "deal_cleanliness" && deductions.length > 0
				? [{ ...whole, words: "before deductions", points: exact(100 * weight) }, ...deducted(deductions, weight)]
				: [whole];
		});
}

/** The component does not go below 0. */
function deducted(deductions: Score["deductions"], weight: number): Step[] {
	let left = 100;
	return deductions.map(({ points, reason }) => {
		const taken = Math.min(left, points);
		left -= taken;
		return { name: "Deduction", words: reason, points: -exact(taken * weight) };
	});
}

export const sumOf = (steps: readonly Step[]): number => exact(steps.reduce((sum, { points }) => sum + points, 0));

/** Whole points by weights of two decimals have four at most. */
const exact = (value: number): number => Math.round(value * 10_000) / 10_000;

/** As the service rounds a score: a half is rounded up. */
export const rounded = (sum: number): number => Math.floor(sum + 0.5 + 1e-9);

/** One step of a waterfall. */
export interface Step {
	name: string;
	/** Why it is so. */
	words: string;
	/** What it adds, or where it is below zero takes away. */
	points: number;
}
