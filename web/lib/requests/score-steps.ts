/** Splits a score into steps from 0: each component, and what each deduction subtracts from deal cleanliness. */
import type { Reply } from "#libs/contract/index.ts";
import { labelOf } from "../text/format.ts";

export interface Step {
	name: string;
	reason: string;
	points: number;
}

type Score = { components: NonNullable<Reply<"getScore">["components"]> } & Pick<Reply<"getScore">, "deductions">;

/** The steps, largest component first; deductions follow their component. Their sum is the score before rounding. */
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

/** Deductions cannot reduce the component below 0. */
function deductionSteps(deductions: Score["deductions"], weight: number): Step[] {
	let left = 100;
	return deductions.map(({ points, reason }) => {
		const taken = Math.min(left, points);
		left -= taken;
		return { name: "Deduction", reason, points: -roundToFourDecimals(taken * weight) };
	});
}

export const sumOf = (steps: readonly Step[]): number =>
	roundToFourDecimals(steps.reduce((sum, { points }) => sum + points, 0));

/** Whole points multiplied by weights with two decimals have at most four decimals. */
const roundToFourDecimals = (value: number): number => Math.round(value * 10_000) / 10_000;

/** Rounds a half up, as the service does. */
export const roundHalfUp = (sum: number): number => Math.floor(sum + 0.5 + 1e-9);
