import { describe, expect, test } from "vitest";
import { inputs, tablesWith } from "../../../../test/scoring/support/score-inputs.ts";
import { confidenceOf } from "./score.ts";
import { scoreProject } from "./score-project.ts";
import type { ScoreInputs } from "./tables.ts";

const scored = (changed: Partial<ScoreInputs> = {}) => scoreProject(inputs(changed), tablesWith(0.6));

const single: [Partial<ScoreInputs>, number, string][] = [
	[{ high_ic_cost: true }, 20, "interconnection cost above $250/kW"],
	[{ duplicate: true }, 10, "likely duplicate of another request"],
	[{ distress: "High" }, 15, "developer's distress high"],
	[{ distress: "Elevated" }, 8, "developer's distress elevated"],
];

describe.each(single)("%j", (changed, points, reason) => {
	test(`costs ${points} points and is named`, () => {
		const score = scored(changed);
		expect(score.deductions).toEqual([{ points, reason }]);
		expect(score.components.deal_cleanliness).toMatchObject({ score: 100 - points, value: reason });
		expect(score.explanation).toContain(`Deducted from deal cleanliness: ${reason} (-${points} of 100).`);
	});
});

test.each<Partial<ScoreInputs>>([
	{},
	{ high_ic_cost: null },
	{ distress: "Moderate" },
	{ distress: null },
	{ capacity: "not_positive" },
])("%j costs nothing", (changed) => {
	const { deductions, components, explanation } = scored(changed);
	expect(deductions).toEqual([]);
	expect(components.deal_cleanliness).toMatchObject({ score: 100, value: "no deductions" });
	expect(explanation).not.toContain("Deducted");
});

test("several deductions are summed, and all are named in the order of the table", () => {
	const all = scored({ high_ic_cost: true, duplicate: true, distress: "High" });
	expect(all.components.deal_cleanliness.score).toBe(55);
	expect(all.explanation).toContain(
		"Deducted from deal cleanliness: interconnection cost above $250/kW (-20 of 100), likely duplicate of another request (-10), developer's distress high (-15).",
	);
});

test("a deduction of zero points is not listed", () => {
	const tables = tablesWith(0.6);
	const deductions = { ...tables.deductions, duplicate: 0 };
	const score = scoreProject(inputs({ duplicate: true }), { ...tables, deductions });
	expect(score.deductions).toEqual([]);
	expect(score.explanation).not.toContain("duplicate");
});

const chance = { low: 0.8, high: 0.9 };

test.each([
	[0, 1, 0.9],
	[3, 1, 0.9],
	[6, 1, 0.45],
	[90, 30, 0.9],
	[180, 30, 0.45],
])("for a list %d days old of an operator that publishes every %d days, it is %d", (age, listDays, expected) => {
	expect(confidenceOf(chance, age, listDays)).toBe(expected);
});

test("it falls with a wider interval, and is null without a chance", () => {
	expect(confidenceOf({ low: 0.4, high: 0.9 }, 0, 1)).toBe(0.5);
	expect(confidenceOf(null, 6, 1)).toBeNull();
});

test("it is null without the day of the list", () => {
	expect(confidenceOf(chance, null, 30)).toBeNull();
});
