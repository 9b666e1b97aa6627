import { expect, test } from "vitest";
import { dominant } from "./statistics.ts";

test("shows the first by name of equally frequent values, in any order of input", () => {
	expect(
		dominant(
			new Map([
				["Wind", 2],
				["Solar", 2],
				["Gas", 1],
			]),
		),
	).toBe("Solar");
	expect(
		dominant(
			new Map([
				["Solar", 2],
				["Wind", 2],
			]),
		),
	).toBe("Solar");
	expect(dominant(new Map())).toBe("");
});
