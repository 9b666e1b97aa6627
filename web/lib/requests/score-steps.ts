/** A score as steps from 0: each component, and what deal cleanliness lost by each deduction. */
import type { Reply } from "#libs/contract/index.ts";
import { labelOf } from "../text/format.ts";

export interface Step {
	name: string;
	reason: string;
	points: number;
}

type Score = { components: NonNullable<Reply<"getScore">["components"]> } & Pick<Reply<"getScore">, "deductions">;

/** The largest component first; deductions follow their component. The steps add up to the score before rounding. */
export const stepsOf = ({ components, deductions }: Score): Step[] =>
	Object.entries(components)
		.toSorted(([, a], [, b]) => b.score * b.weight - a.score * a.weight)
		.flatMap(([name, { score, weight, value }]) => {
			const whole = { name: labelOf(name), reason: value, points: exact(score * weight) };
			return name === "deal_cleanliness" && deductions.length > 0
				? [{ ...whole, reason: "before deductions", points: exact(100 * weight) }, ...deducted(deductions, weight)]
				: [whole];
		});

/** Deductions do not take the component below 0. */
function deducted(deductions: Score["deductions"], weight: number): Step[] {
	let left = 100;
	return deductions.map(({ points, reason }) => {
		const taken = Math.min(left, points);
		left -= taken;
		return { name: "Deduction", reason, points: -exact(taken * weight) };
	});
}

export const sumOf = (steps: readonly Step[]): number => exact(steps.reduce((sum, { points }) => sum + points, 0));

/** Whole points times weights of two decimals have at most four. */
const exact = (value: number): number => Math.round(value * 10_000) / 10_000;

/** Rounds a half up, as the service does. */
export const roundHalfUp = (sum: number): number => Math.floor(sum + 0.5 + 1e-9);
