/** Splits a score into steps from 0: one for each component, and one for each deduction from the component "deal cleanliness". */
import type { Reply } from "#libs/contract/index.ts";
import { labelOf } from "../text/format.ts";

export interface Step {
	name: string;
	reason: string;
	points: number;
}

type Score = { components: NonNullable<Reply<"getScore">["components"]> } & Pick<Reply<"getScore">, "deductions">;

/** Returns the steps, largest component first; deductions follow their component. The sum of the steps is the score before rounding. */
export const stepsOf = ({ components, deductions }: Score): Step[] =>
	Object.entries(components)
		.toSorted(([, a], [, b]) => b.score * b.weight - a.score * a.weight)
		.flatMap(([name, { score, weight, value }]) => {
			const whole = { name: labelOf(name), reason: value, points: roundToFourDecimals(score * weight) };
			return name === "deal_cleanliness" && deductions.length > 0
				? [
						{ ...whole, reason: "before deductions", points: roundToFourDecimals(100 * weight) },
						...deductionSteps(deductions, weight),
					]
				: [whole];
		});

/** The steps of deductions, which cannot reduce the component below 0. */
function deductionSteps(deductions: Score["deductions"], weight: number): Step[] {
	let remaining = 100;
	return deductions.map(({ points, reason }) => {
		const deducted = Math.min(remaining, points);
		remaining -= deducted;
		return { name: "Deduction", reason, points: -roundToFourDecimals(deducted * weight) };
	});
}

export const sumOf = (steps: readonly Step[]): number =>
	roundToFourDecimals(steps.reduce((sum, { points }) => sum + points, 0));

/** Rounds to four decimals, which is exact: whole points are multiplied by weights with two decimals, and divided by 100. */
const roundToFourDecimals = (value: number): number => Math.round(value * 10_000) / 10_000;

/** Rounds a half up, as the service does. */
export const roundHalfUp = (sum: number): number => Math.floor(sum + 0.5 + 1e-9);
