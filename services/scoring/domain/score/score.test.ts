import { describe, expect, test } from "vitest";
import { inputs } from "../../../../test/scoring/support/score-inputs.ts";
import { confidenceOf } from "./score.ts";
import { scoreProject } from "./score-project.ts";
import type { ScoreInputs } from "./tables.ts";
import { version1 } from "./versions/1.ts";

const scored = (changed: Partial<ScoreInputs> = {}) => scoreProject(inputs(changed), version1);

const single: [Partial<ScoreInputs>, number, string][] = [
	[{ cod_slip: "12_months_or_more" }, 25, "projected date slipped 12 months or more within 24"],
	[{ cod_position: "past" }, 15, "projected date past"],
	[{ queue_age: "over_4_years", has_ia: false }, 30, "4 years or more in the queue without an agreement"],
	[{ queue_age: "2_to_4_years", has_ia: false }, 10, "2 to 4 years in the queue without an agreement"],
	[{ poi: false }, 15, "no point of interconnection"],
	[{ located: false }, 10, "no county or coordinates"],
	[{ cod_position: "none" }, 10, "no projected date"],
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
	{ queue_age: "over_4_years", has_ia: true },
	{ queue_age: "2_to_4_years", has_ia: true },
	{ queue_age: "unknown", has_ia: false },
	{ queue_age: "under_2_years", has_ia: false },
	{ cod_position: "past", milestone: "construction", stage: "construction" },
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

test("several are summed, all named in the order of the table, and never below zero", () => {
	const two = scored({ poi: false, cod_position: "past" });
	expect(two.components.deal_cleanliness.score).toBe(70);
	expect(two.explanation).toContain(
		"Deducted from deal cleanliness: projected date past (-15 of 100), no point of interconnection (-15).",
	);
	const all = scored({
		cod_slip: "12_months_or_more",
		cod_position: "past",
		queue_age: "over_4_years",
		has_ia: false,
		poi: false,
		located: false,
		high_ic_cost: true,
		duplicate: true,
		distress: "High",
	});
	expect(all.deductions.reduce((sum, { points }) => sum + points, 0)).toBe(140);
	expect(all.components.deal_cleanliness.score).toBe(0);
	for (const { reason, points } of all.deductions) expect(all.explanation).toContain(`${reason} (-${points}`);
});

test("a deduction of zero points is not listed", () => {
	const deductions = { ...version1.deductions, cod_past: 0 };
	const score = scoreProject(inputs({ cod_position: "past", poi: false }), { ...version1, deductions });
	expect(score.deductions).toEqual([{ points: 15, reason: "no point of interconnection" }]);
	expect(score.components.deal_cleanliness).toMatchObject({ score: 85, value: "no point of interconnection" });
	expect(score.explanation).not.toContain("projected date past");
});

const chance = { low: 0.8, high: 0.9 };

test.each([
	[0, 1, 0.9],
	[3, 1, 0.9],
	[6, 1, 0.45],
	[90, 30, 0.9],
	[180, 30, 0.45],
])("of a list %d days old, of an operator with one each %d days, it is %d", (age, listDays, expected) => {
	expect(confidenceOf(chance, age, listDays)).toBe(expected);
});

test("the wider the interval, the lower; without an interval the age alone counts", () => {
	expect(confidenceOf({ low: 0.4, high: 0.9 }, 0, 1)).toBe(0.5);
	expect(confidenceOf(null, 6, 1)).toBe(0.5);
});

test("without the day of the list it is null", () => {
	expect(confidenceOf(chance, null, 30)).toBeNull();
});
