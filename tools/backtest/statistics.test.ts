import { describe, expect, it } from "vitest";
import {
	area,
	auc,
	brier,
	calibration,
	clusterInterval,
	countsBy,
	drawnCounts,
	isotonic,
	ranks,
	uniform,
} from "./statistics.ts";

/** Scores and outcomes of a made-up sample. */
function sample(seed: number, n: number) {
	const random = uniform(seed);
	const scores = Array.from({ length: n }, () => Math.floor(random() * 12));
	const positive = scores.map((score) => random() < 0.1 + score / 20);
	return { scores, positive, groups: scores.map(() => (random() < 0.5 ? "a" : "b")) };
}

/** The definition, pair by pair. */
function pairwise(scores: number[], positive: boolean[], groups: string[]): number {
	let [won, pairs] = [0, 0];
	for (const [i, high] of scores.entries())
		for (const [j, low] of scores.entries()) {
			if (!positive[i] || positive[j] || groups[i] !== groups[j]) continue;
			pairs++;
			won += high > low ? 1 : high === low ? 0.5 : 0;
		}
	return won / pairs;
}

describe("area under the curve", () => {
	it("is the share of pairs in order, ties half", () => {
		expect(auc([1, 2, 3, 4], [false, false, true, true])).toBe(1);
		expect(auc([4, 3, 2, 1], [false, false, true, true])).toBe(0);
		expect(auc([5, 5, 5], [true, false, true])).toBe(0.5);
		expect(auc([10, 40, 35, 80], [false, false, true, true])).toBe(0.75);
	});

	it("is that of all pairs compared one by one, in one group and in several", () => {
		for (const seed of [1, 2, 3]) {
			const { scores, positive, groups } = sample(seed, 200);
			expect(auc(scores, positive)).toBeCloseTo(
				pairwise(
					scores,
					positive,
					scores.map(() => ""),
				),
				12,
			);
			expect(auc(scores, positive, groups)).toBeCloseTo(pairwise(scores, positive, groups), 12);
		}
	});

	it("depends on the order only, and is mirrored by the other outcome", () => {
		const { scores, positive } = sample(7, 300);
		const plain = auc(scores, positive) ?? 0;
		expect(
			auc(
				scores.map((score) => score * score + 3),
				positive,
			),
		).toBe(plain);
		expect(auc(ranks(scores), positive)).toBe(plain);
		expect(
			auc(
				scores,
				positive.map((hit) => !hit),
			),
		).toBeCloseTo(1 - plain, 12);
	});

	it("is not defined without both outcomes in one group", () => {
		expect(auc([], [])).toBeNull();
		expect(auc([1, 2], [true, true])).toBeNull();
		expect(auc([1, 2], [true, false], ["a", "b"])).toBeNull();
	});

	it("refuses what is no score", () => {
		for (const wrong of [Number.NaN, -1, 0.5, Number.POSITIVE_INFINITY])
			expect(() => auc([wrong, 1], [true, false])).toThrow(RangeError);
	});
});

it("ranks keep the order in the least whole numbers", () => {
	expect(ranks([3, 70, 3, 8])).toEqual([0, 2, 0, 1]);
});

it("the Brier score is the mean squared difference", () => {
	expect(brier([1, 0], [true, false])).toBe(0);
	expect(brier([0.5, 0.5], [true, false])).toBe(0.25);
	expect(brier([0.8, 0.3], [true, true])).toBeCloseTo((0.04 + 0.49) / 2, 12);
	expect(brier([], [])).toBeNull();
});

describe("isotonic calibration", () => {
	it("pools what is out of order", () => {
		const probability = isotonic([1, 2, 2, 3, 4], [false, true, true, false, true]);
		// Two hits of two at 2, none of one at 3: together two of three.
		expect([1, 2, 3, 4].map(probability)).toEqual([0, 2 / 3, 2 / 3, 1]);
	});

	it("interpolates, and is constant outside of its points", () => {
		const probability = isotonic([10, 20], [false, true]);
		expect([0, 10, 15, 20, 99].map(probability)).toEqual([0, 0, 0, 1, 1]);
	});

	it("never falls, keeps the mean, and is no worse than the constant", () => {
		for (const seed of [4, 5, 6]) {
			const { scores, positive } = sample(seed, 400);
			const probability = isotonic(scores, positive);
			const line = Array.from({ length: 12 }, (_, score) => probability(score));
			expect(line).toEqual([...line].sort((a, b) => a - b));
			const share = positive.filter(Boolean).length / positive.length;
			const fitted = scores.map(probability);
			expect(fitted.reduce((sum, p) => sum + p, 0) / fitted.length).toBeCloseTo(share, 10);
			const constant = brier(
				fitted.map(() => share),
				positive,
			);
			expect(brier(fitted, positive) ?? 1).toBeLessThanOrEqual(constant ?? 0);
		}
	});

	it("refuses to learn from nothing", () => {
		expect(() => isotonic([], [])).toThrow(RangeError);
	});
});

describe("calibration by tenths", () => {
	it("states the predicted and the observed rate", () => {
		expect(calibration([0.9, 0.1, 0.1, 0.9], [true, false, true, true], 2)).toEqual([
			{ n: 2, predicted: 0.1, observed: 0.5 },
			{ n: 2, predicted: 0.9, observed: 1 },
		]);
	});

	it("parts no equal probabilities, loses nothing and makes at most as many bins as asked", () => {
		const random = uniform(9);
		const probabilities = Array.from({ length: 500 }, () => Math.floor(random() * 20) / 20);
		const bins = calibration(
			probabilities,
			probabilities.map(() => true),
		);
		expect(bins.length).toBeLessThanOrEqual(10);
		expect(bins.reduce((sum, { n }) => sum + n, 0)).toBe(500);
		expect(calibration([0.5, 0.5, 0.5], [true, false, true]).map(({ n }) => n)).toEqual([3]);
		expect(calibration([], [])).toEqual([]);
	});
});

describe("bootstrap", () => {
	const clusters = Array.from({ length: 30 }, (_, at) => `${at < 15 ? "a" : "b"} ${at}`);

	it("draws the same for the same seed, and uniformly", () => {
		const draw = (seed: number) => Array.from({ length: 1000 }, uniform(seed));
		expect(draw(1)).toEqual(draw(1));
		expect(draw(1)).not.toEqual(draw(2));
		expect(draw(1).every((value) => value >= 0 && value < 1)).toBe(true);
		expect(draw(1).reduce((sum, value) => sum + value, 0) / 1000).toBeCloseTo(0.5, 1);
	});

	it("draws as many clusters as there are, and orders the interval", () => {
		const interval = clusterInterval(
			clusters,
			(times) => {
				expect([...times.values()].reduce((sum, n) => sum + n, 0)).toBe(clusters.length);
				return times.size;
			},
			{ draws: 200, seed: 1 },
		);
		expect(interval?.low).toBeLessThan(interval?.high ?? 0);
		expect(interval?.high).toBeLessThanOrEqual(clusters.length);
	});

	it("has no interval where the statistic is hardly ever defined", () => {
		expect(clusterInterval(clusters, () => null, { draws: 50, seed: 1 })).toBeNull();
	});

	it("adds the drawn clusters up to the groups that they are in: each drawn once is the sample itself", () => {
		const { scores, positive } = sample(11, 600);
		const clusterOf = scores.map((_, at) => clusters[at % clusters.length] ?? "");
		const groupOf = (cluster: string) => cluster[0] ?? "";
		const once = new Map(clusters.map((cluster) => [cluster, 1]));
		const drawn = drawnCounts(countsBy(clusterOf, scores, positive), once, groupOf);
		expect(drawn).toHaveLength(2);
		expect(area(drawn)).toBe(auc(scores, positive, clusterOf.map(groupOf)));
	});
});
