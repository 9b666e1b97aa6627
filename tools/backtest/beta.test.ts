import { expect, test } from "vitest";
import { betaBelow, betaQuantile } from "./beta.ts";

test.each([
	[0.3, 1, 1, 0.3],
	[0.5, 2, 2, 0.5],
	[0.25, 2, 1, 0.0625],
	[0.25, 1, 3, 1 - 0.75 ** 3],
	// At least 4 heads of 10 tosses: 848 of 1,024.
	[0.5, 4, 7, 848 / 1024],
])("the chance of a share below %d after (%d, %d) is %d", (x, a, b, chance) => {
	expect(betaBelow(x, a, b)).toBeCloseTo(chance, 9);
});

test.each([
	[0.025, 20.5, 0.5],
	[0.5, 3, 900],
	[0.975, 143.2, 57.9],
])("quantile %d of (%d, %d) has that chance below it", (q, a, b) => {
	expect(betaBelow(betaQuantile(q, a, b), a, b)).toBeCloseTo(q, 9);
});
