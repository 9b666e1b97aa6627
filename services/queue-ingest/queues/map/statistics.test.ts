import { expect, test } from "vitest";
import { mostFrequent } from "./statistics.ts";

test("shows the first by name of equally frequent values, in any order of input", () => {
	expect(
		mostFrequent(
			new Map([
				["Wind", 2],
				["Solar", 2],
				["Gas", 1],
			]),
		),
	).toBe("Solar");
	expect(
		mostFrequent(
			new Map([
				["Solar", 2],
				["Wind", 2],
			]),
		),
	).toBe("Solar");
	expect(mostFrequent(new Map())).toBe("");
});
