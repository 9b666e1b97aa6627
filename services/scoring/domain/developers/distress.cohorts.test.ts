/** Expected withdrawals of a developer, computed by hand. */
import { describe, expect, test } from "vitest";
import { noCounts } from "../../../../test/scoring/support/random-counts.ts";
import { type Cohort, computeDistressPoints, estimateWithdrawals, rateDistress } from "./distress.ts";

/** By name: of the operator in all, its peers are those of the cohort and 980 others, half of them withdrawn. */
const cohort = (requests: number, peers: number, peersWithdrawn: number): Cohort => ({
	...{ requests, peers, peersWithdrawn },
	...{ operatorPeers: peers + 980, operatorPeersWithdrawn: peersWithdrawn + 490 },
});

describe("expected withdrawals", () => {
	test("are zero without requests", () => {
		expect(estimateWithdrawals([])).toBeNull();
	});

	test("are the prior of 70 % without peers", () => {
		const alone = { requests: 10, peers: 0, peersWithdrawn: 0, operatorPeers: 0, operatorPeersWithdrawn: 0 };
		expect(estimateWithdrawals([alone])).toBe(7);
	});

	test("use a large cohort's own rate, and the operator's rate for a small one", () => {
		// (990 + 14) / 2,000 of the operator; (480 + 20 x 0.502) / 520 of the cohort.
		const large = { requests: 10, peers: 500, peersWithdrawn: 480, operatorPeers: 1980, operatorPeersWithdrawn: 990 };
		expect(estimateWithdrawals([large])).toBe(9.4238);
		// (2 + 20 x 0.502) / 22
		expect(estimateWithdrawals([{ ...large, peers: 2, peersWithdrawn: 2 }])).toBe(5.4727);
	});

	test("cohorts are summed, whatever their order", () => {
		const cohorts = [cohort(4, 100, 90), cohort(6, 300, 30)];
		const each = cohorts.map((one) => estimateWithdrawals([one]) ?? 0);
		expect(estimateWithdrawals(cohorts)).toBeCloseTo((each[0] ?? 0) + (each[1] ?? 0), 3);
		expect(estimateWithdrawals(cohorts.toReversed())).toBe(estimateWithdrawals(cohorts));
	});
});

describe("points for withdrawals", () => {
	const pointsOf = (withdrawn: number, others: number, expectedWithdrawn: number | null) =>
		computeDistressPoints({ ...noCounts, active: others, withdrawn, expectedWithdrawn }).high_withdrawal_rate ?? 0;

	test("are almost zero for a developer that withdrew from a cluster with everyone else", () => {
		expect(pointsOf(38, 2, null)).toBeCloseTo(14.81, 2);
		expect(pointsOf(38, 2, 37)).toBeCloseTo(1.48, 2);
		expect(pointsOf(36, 4, 37)).toBe(0);
	});

	test("are high for a developer that withdraws where others stay", () => {
		expect(pointsOf(26, 14, 16)).toBeCloseTo(14.81, 2);
		expect(pointsOf(26, 14, null)).toBe(0);
	});

	test("rise with withdrawals and fall with expected ones", () => {
		const rising = [20, 24, 28, 32, 36].map((withdrawn) => pointsOf(withdrawn, 40 - withdrawn, 20));
		expect(rising).toEqual(rising.toSorted((a, b) => a - b));
		const falling = [16, 20, 24, 28, 32].map((expected) => pointsOf(30, 10, expected));
		expect(falling).toEqual(falling.toSorted((a, b) => b - a));
		expect(new Set([...rising, ...falling]).size).toBeGreaterThan(5);
	});

	test("are shown with the withdrawn and the expected requests", () => {
		const of = { ...noCounts, active: 2, withdrawn: 38, expectedWithdrawn: 37 };
		expect(rateDistress(of).components).toMatchObject({
			high_withdrawal_rate: 0.95,
			withdrawals: { count: 38, expected: 37 },
		});
	});
});
