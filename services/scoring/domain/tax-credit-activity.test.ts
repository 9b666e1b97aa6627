import { describe, expect, test } from "vitest";
import { taxCreditActivities } from "#libs/contract/vocabulary.ts";
import { taxCreditActivity } from "./tax-credit-activity.ts";

describe("taxCreditActivity", () => {
	test.each([
		[0, 0, "none"],
		[0, 4, "low"],
		[1, 1, "low"],
		[49_999_999.99, 2, "low"],
		[50_000_000, 1, "medium"],
		[499_999_999.99, 30, "medium"],
		[500_000_000, 1, "high"],
		[9e12, 400, "high"],
	])("$%d of %d projects: %s", (value, projects, activity) => {
		expect(taxCreditActivity(value, projects)).toBe(activity);
	});

	test("never falls as the value rises", () => {
		const ranks = Array.from({ length: 700 }, (_, at) => taxCreditActivities.indexOf(taxCreditActivity(at * 1e6, 1)));
		expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
		expect(new Set(ranks).size).toBe(3);
	});

	test.each([
		[-1, 1],
		[Number.NaN, 1],
		[Number.POSITIVE_INFINITY, 1],
		[1, -1],
		[1, Number.NaN],
		[1, 0],
	])("$%d of %d projects is an error", (value, projects) => {
		expect(() => taxCreditActivity(value, projects)).toThrow(RangeError);
	});
});
