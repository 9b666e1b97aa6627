import { expect, test } from "vitest";
import { auc, calibration } from "./statistics.ts";

test("the area under the curve is the share of pairs in order, ties half", () => {
	expect(auc([1, 2, 3, 4], [false, false, true, true])).toBe(1);
	expect(auc([4, 3, 2, 1], [false, false, true, true])).toBe(0);
	expect(auc([5, 5, 5], [true, false, true])).toBe(0.5);
	expect(auc([0.1, 0.4, 0.35, 0.8], [false, false, true, true])).toBe(0.75);
	expect(auc([1, 2], [true, true])).toBeNull();
});

test("bins have about equally many observations and never split equal chances", () => {
	const chances = [0.1, 0.1, 0.1, 0.4, 0.9, 0.9];
	const bins = calibration(chances, [false, false, true, false, true, true], 3);
	expect(bins.map(({ n }) => n)).toEqual([3, 3]);
	expect(bins[0]).toEqual({ n: 3, predicted: expect.closeTo(0.1), observed: expect.closeTo(1 / 3) });
});
