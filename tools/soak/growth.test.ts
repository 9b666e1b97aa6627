import { describe, expect, test } from "vitest";
import { random } from "../../test/support/file-formats.ts";
import { growthOf } from "./growth.ts";

const readings = (value: (nth: number) => number) => Array.from({ length: 120 }, (_, nth) => value(nth));

describe("a number has grown", () => {
	test.each([
		["memory that leaks half a megabyte a minute", "memory", (n: number) => 100 + n / 4],
		["a heap whose lows rise below its teeth", "heap", (n: number) => 60 + n / 4 + (n % 7) * 10],
		["handles, one every other reading", "count", (n: number) => 40 + n / 2],
		["memory that leaps in the last quarter", "memory", (n: number) => (n < 85 ? 100 : 130)],
		["something that could not be read", "count", () => Number.NaN],
	] as const)("%s", (_, measure, value) => {
		expect(growthOf("it", measure, readings(value))).toMatchObject({ grew: true });
	});
});

describe("a number has not grown", () => {
	const chance = random(1);
	test.each([
		["memory that warms up in the first quarter", "memory", (n: number) => 100 + Math.min(n, 29) * 4],
		["memory that wavers", "memory", () => 100 + chance() * 20],
		["a heap of teeth", "heap", (n: number) => 60 + (n % 11) * 12],
		["handles that come and go", "count", () => 40 + Math.floor(chance() * 12)],
		["memory that shrinks", "memory", (n: number) => 200 - n],
	] as const)("%s", (_, measure, value) => {
		expect(growthOf("it", measure, readings(value))).toMatchObject({ grew: false });
	});
});

test("the output contains the levels, in their unit, and the possible growth", () => {
	expect(
		growthOf(
			"it",
			"memory",
			readings((n) => (n < 60 ? 200 : 215)),
		),
	).toEqual({
		name: "it",
		early: 200,
		late: 215,
		allowed: 20,
		grew: false,
	});
});
