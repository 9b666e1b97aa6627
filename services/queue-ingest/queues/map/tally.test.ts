import { expect, test } from "vitest";
import { dominant } from "./tally.ts";

test("of equally frequent values the first by name is shown, in whatever order they came", () => {
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
