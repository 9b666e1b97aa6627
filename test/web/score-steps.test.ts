/** The steps of a score, against the scores of the service. */
import { expect, test } from "vitest";
import { scoreProject } from "../../services/scoring/domain/score/score-project.ts";
import type { ScoreInputs } from "../../services/scoring/domain/score/tables.ts";
import { scoreTables } from "../../services/scoring/domain/score/version.ts";
import { roundHalfUp, stepsOf, sumOf } from "../../web/lib/requests/score-steps.ts";
import { inputs } from "../scoring/support/score-inputs.ts";

const cases: Partial<ScoreInputs>[] = [
	{},
	{ distress: "High", duplicate: true, high_ic_cost: true },
	{ developer_tier: "pe_fund", region: "ISO-NE", credit_rate: 0.3 },
	{ milestone: "not_started", region: "PJM", credit_rate: 0.48, cod_position: "past", distress: "Elevated" },
];

test.each(cases)("the steps of %o add up to its components, and rounded to its score", (changed) => {
	const { score, components, deductions } = scoreProject(inputs(changed), scoreTables);
	const steps = stepsOf({ components, deductions });
	const contributions = Object.values(components).reduce((sum, { score, weight }) => sum + score * weight, 0);
	expect(sumOf(steps)).toBeCloseTo(contributions, 9);
	expect(roundHalfUp(sumOf(steps))).toBe(score);
	expect(steps.filter(({ points }) => points < 0).length).toBeLessThanOrEqual(deductions.length);
});

test("a deduction is a step down that follows its component", () => {
	const { components, deductions } = scoreProject(inputs({ duplicate: true }), scoreTables);
	const steps = stepsOf({ components, deductions });
	const at = steps.findIndex(({ points }) => points < 0);
	expect([steps[at - 1]?.name, steps[at - 1]?.points, steps[at]?.points]).toEqual(["Deal cleanliness", 10, -1]);
});
