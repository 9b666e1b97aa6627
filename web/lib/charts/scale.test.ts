import { expect, test } from "vitest";
import { linear, ticksBetween, ticksTo, yearsBetween } from "./scale.ts";

test("a domain maps to its range", () => {
	const x = linear([0, 100], [40, 240]);
	expect([x(0), x(50), x(100)]).toEqual([40, 140, 240]);
	expect(linear([5, 5], [40, 240])(5)).toBe(40);
});

test.each([
	[100, [0, 50, 100]],
	[1, [0, 0.5, 1]],
	[7_356, [0, 2_000, 4_000, 6_000, 8_000]],
	[0, [0]],
])("the ticks of an axis to %d are round, and the last is not below it", (max, ticks) =>
	expect(ticksTo(max, max <= 100 ? 2 : 4)).toEqual(ticks),
);

test.each([
	[0, 90, [0, 50, 100]],
	[0, 0, [0]],
	[-12, 40, [-20, -10, 0, 10, 20, 30, 40]],
	[-30, 2, [-30, -20, -10, 0, 10]],
])("an axis from %d to %d begins below zero only if a value does", (least, max, ticks) =>
	expect(ticksBetween(least, max)).toEqual(ticks),
);

test("years are those that begin between two days, thinned if space is short", () => {
	const [from, to] = [Date.parse("2019-06-01"), Date.parse("2026-02-01")];
	expect(yearsBetween(from, to, 10)).toEqual([2020, 2021, 2022, 2023, 2024, 2025, 2026]);
	expect(yearsBetween(from, to, 4)).toEqual([2020, 2022, 2024, 2026]);
	expect(yearsBetween(to, to, 4)).toEqual([]);
});
