import { expect, test } from "vitest";
import { confidenceOf } from "./confidence.ts";

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

test("where the day of the list is not known, nothing is said", () => {
	expect(confidenceOf(chance, null, 30)).toBeNull();
});
