/** Properties of every rating, checked for some thousand developers. A failure prints the counts. */
import { describe, expect, test } from "vitest";
import { distressLevels } from "#libs/contract/vocabulary.ts";
import { manyCounts, noCounts, upTo } from "../../../../test/scoring/support/random-counts.ts";
import { random as randomBy } from "../../../../test/support/file-formats.ts";
import type { DeveloperCounts } from "./counts.ts";
import { levelOf, rateDistress } from "./distress.ts";

const many = manyCounts(2000).map(([, counts]) => counts);

const scoreOf = (counts: DeveloperCounts): number => rateDistress(counts).score;
const judged = many.filter((counts) => rateDistress(counts).components !== null);

/** The score of `changed` is not above (or, of adverse changes, not below) the first. */
function compare(of: DeveloperCounts[], change: (counts: DeveloperCounts) => DeveloperCounts | null): number[] {
	return of.flatMap((counts) => {
		const changed = change(counts);
		return changed === null ? [] : [scoreOf(changed) - scoreOf(counts)];
	});
}

test("the generated developers are of every kind: rated and not, in each level, with and without costs", () => {
	expect(judged.length).toBeGreaterThan(1500);
	expect(judged.length).toBeLessThan(many.length);
	expect(new Set(many.map((counts) => rateDistress(counts).level))).toEqual(new Set(distressLevels));
	expect(many.some(({ withCost }) => withCost === 0)).toBe(true);
	expect(many.some(({ active }) => active > 1e14)).toBe(true);
});

test("a score is an integer from 0 to 100 that matches its level, and no component is NaN", () => {
	for (const counts of [...many, noCounts]) {
		const { score, level, components } = rateDistress(counts);
		expect(Number.isInteger(score) && score >= 0 && score <= 100, JSON.stringify(counts)).toBe(true);
		expect(level === "unknown" ? "Low" : level).toBe(levelOf(score));
		const { points, behind_schedule, high_withdrawal_rate } = components ?? {};
		const numbers = [...Object.values(points ?? {}), behind_schedule?.share ?? 0, high_withdrawal_rate ?? 0];
		expect(numbers.every(Number.isFinite), JSON.stringify(counts)).toBe(true);
	}
});

test("a developer at the peers' shares still scores 0 with ten times the counts", () => {
	const random = randomBy(7);
	for (let round = 0; round < 500; round++) {
		// 25 % behind, 70 % withdrawn, 20 % of high cost, 3 % of each class.
		const size = 100 * (1 + upTo(random, 50));
		const of = (factor: number): DeveloperCounts => {
			const n = size * factor;
			return {
				...noCounts,
				...{ active: n / 5, behind: n / 20, operational: n / 10, withdrawn: (n * 7) / 10 },
				...{ withCost: n / 5, highCost: n / 25, maxCostPerKw: 900, operationalMw: n, capitalRaised: n * 4e6 },
				...{ events: n, distress: (n * 3) / 100, litigation: (n * 3) / 100 },
			};
		};
		expect([scoreOf(of(1)), scoreOf(of(10))]).toEqual([0, 0]);
	}
});

describe("changes that never raise a score", () => {
	const random = randomBy(11);
	test.each<[string, (counts: DeveloperCounts) => DeveloperCounts]>([
		["active requests on time", (of) => ({ ...of, active: of.active + 1 + upTo(random, 50) })],
		[
			"active requests on time whose cost is low",
			(of) => ({ ...of, active: of.active + 1, withCost: of.withCost + 1 }),
		],
		["neutral news", (of) => ({ ...of, events: of.events + 1 + upTo(random, 50) })],
		["news of financing", (of) => ({ ...of, events: of.events + 1, financing: of.financing + 1 })],
		["operating capacity", (of) => ({ ...of, operationalMw: of.operationalMw + random() * 1000 })],
	])("%s", (_what, change) => {
		expect(Math.max(...compare(judged, change))).toBeLessThanOrEqual(0);
	});

	test("as an exception, the first request or headline makes a raise without deployment count", () => {
		const unjudged = { ...noCounts, capitalRaised: 60e6 };
		expect(scoreOf(unjudged)).toBe(0);
		expect(scoreOf({ ...unjudged, active: 1 })).toBe(13);
	});
});

describe("changes that never lower a score with equal totals", () => {
	const only = (possible: boolean, counts: DeveloperCounts) => (possible ? counts : null);
	test.each<[string, (counts: DeveloperCounts) => DeveloperCounts | null]>([
		["one more behind schedule", (of) => only(of.behind < of.active, { ...of, behind: of.behind + 1 })],
		["all behind schedule", (of) => ({ ...of, behind: of.active })],
		[
			"an operating one withdrawn instead",
			(of) => only(of.operational > 0, { ...of, operational: of.operational - 1, withdrawn: of.withdrawn + 1 }),
		],
		["one more of high cost", (of) => only(of.highCost < of.withCost, { ...of, highCost: of.highCost + 1 })],
		["a neutral headline that is distress", (of) => only(hasNeutral(of), { ...of, distress: of.distress + 1 })],
		["a neutral headline that is litigation", (of) => only(hasNeutral(of), { ...of, litigation: of.litigation + 1 })],
		["more raised", (of) => ({ ...of, capitalRaised: of.capitalRaised * 2 + 1e6 })],
		["less capacity that operates", (of) => ({ ...of, operationalMw: of.operationalMw / 3 })],
		["a bankruptcy", (of) => ({ ...of, bankruptcy: true })],
	])("%s", (_what, change) => {
		const differences = compare(many, change);
		expect(differences.length).toBeGreaterThan(500);
		expect(Math.min(...differences)).toBeGreaterThanOrEqual(0);
		expect(Math.max(...differences), "of some it raises the score").toBeGreaterThan(0);
	});

	function hasNeutral({ events, distress, litigation, financing, ma }: DeveloperCounts): boolean {
		return events > distress + litigation + financing + ma;
	}
});

test("displayed facts never change a score: the highest cost, slips, waits, planned MW, credits", () => {
	for (const of of many) {
		const shown = {
			...{
				maxCostPerKw: of.maxCostPerKw === null ? null : of.maxCostPerKw + 5000,
				codSlipped: 9,
				stuck: 9,
				activeMw: 1,
			},
			...{ lateAndConstruction: [], creditValue: 0, creditProjects: 0, seeking: [], capitalRaised36Months: 0 },
		};
		expect(scoreOf({ ...of, ...shown })).toBe(scoreOf(of));
	}
});

test("the order of properties in the counts does not matter", () => {
	for (const of of many) {
		const turned = Object.fromEntries(Object.entries(of).toReversed()) as unknown as DeveloperCounts;
		expect(rateDistress(turned)).toEqual(rateDistress(of));
	}
});

test("queue shares without costs and raises yield at most Elevated", () => {
	for (const { active, behind, withdrawn, operational } of many) {
		expect(scoreOf({ ...noCounts, active, behind, withdrawn, operational })).toBeLessThan(65);
	}
	expect(rateDistress({ ...noCounts, active: 1e6, behind: 1e6, withdrawn: 1e15, raiseMonths: 36 })).toMatchObject({
		score: 56,
		level: "Elevated",
	});
});
