/** Examples computed by hand, and the rules at their limits. */
import { describe, expect, test } from "vitest";
import { getDeveloperCapital } from "#libs/contract/operations/developers/capital.ts";
import { ratedDistressLevels } from "#libs/contract/vocabulary.ts";
import { noCounts } from "../../../../test/scoring/support/random-counts.ts";
import { type DeveloperCounts, describeCoverage } from "./counts.ts";
import { computeDistressPoints, levelOf, rateDistress, rawScore } from "./distress.ts";
import { distressTables, distressVersion } from "./tables.ts";

const counts = (some: Partial<DeveloperCounts>): DeveloperCounts => ({
	...noCounts,
	...{ dated: some.active ?? 0 },
	...some,
});

const stressed = counts({
	...{ active: 10, behind: 8, withdrawn: 30, withCost: 6, highCost: 4, maxCostPerKw: 410 },
	...{ capitalRaised: 80e6, operationalMw: 10, litigation: 1, distress: 2, events: 8 },
});
const examples: [string, DeveloperCounts, string, number, string][] = [
	[
		"A",
		counts({
			...{ active: 60, behind: 36, withdrawn: 240, withCost: 20, highCost: 10, maxCostPerKw: 400 },
			...{ operationalMw: 2000, litigation: 3, distress: 12, events: 30 },
		}),
		"48.81",
		49,
		"Elevated",
	],
	[
		"B big healthy",
		counts({
			...{ active: 400, behind: 100, withdrawn: 700, withCost: 200, highCost: 40, maxCostPerKw: 400 },
			...{ operationalMw: 30_000, litigation: 10, distress: 2, events: 400 },
		}),
		"0.00",
		0,
		"Low",
	],
	["C one late project", counts({ active: 1, behind: 1 }), "7.81", 8, "unknown"],
	["D small stressed", { ...stressed }, "48.48", 48, "Elevated"],
	[
		"E healthy",
		counts({ active: 10, behind: 2, withdrawn: 7, withCost: 5, highCost: 1, operationalMw: 100, events: 10 }),
		"0.00",
		0,
		"Low",
	],
];

/** Rounds to two decimals, as the examples do. */
const raw = (of: DeveloperCounts): string => rawScore(computeDistressPoints(of)).toFixed(2);

const timesTen = (of: DeveloperCounts): DeveloperCounts => ({
	...of,
	...{ active: of.active * 10, behind: of.behind * 10, operational: of.operational * 10, withdrawn: of.withdrawn * 10 },
	...{ withCost: of.withCost * 10, highCost: of.highCost * 10, operationalMw: of.operationalMw * 10 },
	...{ capitalRaised: of.capitalRaised * 10, events: of.events * 10, distress: of.distress * 10 },
	...{ litigation: of.litigation * 10, financing: of.financing * 10, ma: of.ma * 10 },
});

describe("the computed examples", () => {
	test.each(examples)("%s", (_case, of, expected, score, level) => {
		expect(raw(of)).toBe(expected);
		expect(rateDistress(of)).toMatchObject({ score, level });
	});

	test("example D times 10 has a higher score: equal shares on more evidence", () => {
		expect(raw(timesTen(stressed))).toBe("69.52");
		expect(rateDistress(timesTen(stressed))).toMatchObject({ score: 70, level: "High" });
	});

	test("example A with a confirmed bankruptcy scores 85, High", () => {
		const [, of] = examples[0] ?? [];
		expect(rateDistress({ ...noCounts, ...of, bankruptcy: true })).toMatchObject({ score: 85, level: "High" });
	});

	test("example B with 700 of 1,000 withdrawn gets no points for withdrawals either", () => {
		expect(raw(counts({ active: 300, behind: 75, withdrawn: 700 }))).toBe("0.00");
	});
});

describe("components", () => {
	test("contain the counts, and each part's points before rounding", () => {
		expect(rateDistress(stressed).components).toEqual({
			capital_raised_low_deployment: true,
			interconnection_cost_burden: { high_cost_projects: 4, max_cost_per_kw: 410 },
			behind_schedule: { count: 8, share: 0.8 },
			high_withdrawal_rate: 0.75,
			withdrawals: { count: 30, expected: null },
			litigation: 1,
			distress_events: 2,
			points: {
				behind_schedule: 18.3333,
				high_withdrawal_rate: 2.963,
				interconnection_cost_burden: 10.1818,
				distress_events: 4.8889,
				litigation: 2.1111,
				capital_raised_low_deployment: 10,
			},
			bankruptcy: false,
		});
	});

	test("match the contract", () => {
		const { distress_signal } = getDeveloperCapital.reply.shape;
		for (const rated of [stressed, timesTen(stressed), noCounts, counts({ events: 3 }), counts({ bankruptcy: true })]) {
			const signal = { ...rateDistress(rated), judged: true, version: distressVersion };
			expect(distress_signal.safeParse(signal).error).toBeUndefined();
		}
	});

	test("without costs the burden is null, and the other parts are scaled to 100 points", () => {
		const { components } = rateDistress(counts({ active: 1, behind: 1 }));
		expect(components?.interconnection_cost_burden).toBeNull();
		expect(components?.points).not.toHaveProperty("interconnection_cost_burden");
		const worst = counts({ active: 1e9, behind: 1e9, events: 1e9, distress: 5e8, litigation: 5e8, capitalRaised: 1e9 });
		expect(raw(worst)).toBe("75.00");
	});

	test("without active requests the share is unknown and gets no points", () => {
		const { components } = rateDistress(counts({ withdrawn: 3 }));
		expect(components?.behind_schedule).toEqual({ count: 0, share: null });
		expect(components?.points.behind_schedule).toBe(0);
	});

	test("news alone can be rated; shares without requests are null", () => {
		const { components, score } = rateDistress(counts({ events: 20, distress: 20 }));
		expect(components).toMatchObject({ high_withdrawal_rate: null, behind_schedule: { share: null } });
		expect(score).toBe(19);
	});
});

describe("too little evidence", () => {
	const nothing = { level: "unknown", score: 0, components: null };

	test.each<[string, Partial<DeveloperCounts>]>([
		["nothing at all", {}],
		["plants that run", { operational: 12, operationalMw: 900 }],
		["money alone", { capitalRaised: 900e6 }],
	])("%s is unknown with score 0 and no components", (_what, some) => {
		expect(rateDistress(counts(some))).toEqual(nothing);
	});

	test("a confirmed bankruptcy suffices without requests and news", () => {
		expect(rateDistress(counts({ bankruptcy: true }))).toMatchObject({ level: "High", score: 85 });
		expect(rateDistress(counts({ bankruptcy: true })).components?.bankruptcy).toBe(true);
	});
});

describe("Low", () => {
	const finished = { operational: 2, withdrawn: 3 };
	test.each<[string, Partial<DeveloperCounts>, string, string[]]>([
		["one operator's list", { active: 3, ...finished }, "unknown", ["costs", "news", "filings", "form_d"]],
		["lists and Form D", { active: 3, ...finished, raiseMonths: 30 }, "Low", ["costs", "news", "filings"]],
		["lists and costs", { active: 3, ...finished, withCost: 3 }, "unknown", ["news", "filings", "form_d"]],
		["no date", { active: 3, dated: 0, ...finished }, "unknown", ["schedule", "costs", "news", "filings", "form_d"]],
		["four finished", { active: 3, withdrawn: 4 }, "unknown", ["withdrawals", "costs", "news", "filings", "form_d"]],
		["dates and news", { active: 3, events: 9 }, "Low", ["withdrawals", "costs", "filings", "form_d"]],
		["dates, reports", { active: 3, events: 2, reports: 2 }, "Low", ["withdrawals", "costs", "news", "form_d"]],
		["news alone", { events: 90 }, "unknown", ["schedule", "withdrawals", "costs", "filings", "form_d"]],
		["dates and Form D", { active: 1, raiseMonths: 30 }, "unknown", ["withdrawals", "costs", "news", "filings"]],
		[
			"too few months",
			{ active: 1, raiseMonths: 29 },
			"unknown",
			["withdrawals", "costs", "news", "filings", "form_d"],
		],
	])("%s", (_what, some, level, missing) => {
		expect(rateDistress(counts(some)).level).toBe(level);
		expect(describeCoverage(counts(some)).missing).toEqual(missing);
	});

	test("known facts count if they come from two sources, whatever else is unknown", () => {
		const news = { events: 400, distress: 200, litigation: 200 };
		expect(rateDistress(counts({ ...news, reports: 1 })).level).toBe("Moderate");
		expect(rateDistress(counts(news))).toMatchObject({ level: "unknown", score: rateDistress(counts(news)).score });
		expect(rateDistress(counts({ ...news, bankruptcy: true })).level).toBe("High");
	});

	test("coverage matches the contract", () => {
		for (const rated of [stressed, noCounts, counts({ active: 2, raiseCount: 1 })])
			expect(getDeveloperCapital.reply.shape.coverage.parse(describeCoverage(rated))).toEqual(describeCoverage(rated));
	});
});

describe("capital raised and little built", () => {
	test.each<[string, number, number, boolean]>([
		["$50 million and nothing runs", 50e6, 0, true],
		["a cent less", 49_999_999.99, 0, false],
		["$5 million a MW", 50e6, 10, false],
		["more than $5 million a MW", 50_000_001, 10, true],
	])("%s", (_what, capitalRaised, operationalMw, flagged) => {
		const { components } = rateDistress(counts({ active: 1, capitalRaised, operationalMw }));
		expect(components?.capital_raised_low_deployment).toBe(flagged);
	});
});

describe("levels and rounding", () => {
	test.each([
		[0, "Low"],
		[24, "Low"],
		[25, "Moderate"],
		[44, "Moderate"],
		[45, "Elevated"],
		[64, "Elevated"],
		[65, "High"],
		[100, "High"],
	])("%i is %s", (score, level) => {
		expect(levelOf(score)).toBe(level);
	});

	test("a level never falls as the score rises", () => {
		const ranks = Array.from({ length: 101 }, (_, score) => ratedDistressLevels.indexOf(levelOf(score)));
		expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
	});

	test("a half is rounded up: 10 of 80 points are 12.5", () => {
		const flagged = counts({ active: 4, capitalRaised: 60e6 });
		expect(raw(flagged)).toBe("12.50");
		expect(rateDistress(flagged).score).toBe(13);
	});

	test("a score above 85 stays in a bankruptcy", () => {
		const worst = counts({
			...{ active: 1e9, behind: 1e9, withdrawn: 1e12, withCost: 1e9, highCost: 1e9, maxCostPerKw: 900 },
			...{ capitalRaised: 1e9, events: 1e9, distress: 5e8, litigation: 5e8 },
		});
		expect(rateDistress(worst).score).toBe(100);
		expect(rateDistress({ ...worst, bankruptcy: true }).score).toBe(100);
	});
});

test("the points of the table add up to 100, and its version is 5", () => {
	const { shares, capital_raised_low_deployment } = distressTables;
	const points = Object.values(shares).map((rule) => rule.points);
	expect(points.reduce((sum, each) => sum + each, capital_raised_low_deployment.points)).toBe(100);
	expect(distressVersion).toBe(6);
});

test("another base rate of the peers changes only the points for withdrawals", () => {
	const { high_withdrawal_rate } = distressTables.shares;
	const shares = { ...distressTables.shares, high_withdrawal_rate: { ...high_withdrawal_rate, prior: 0.5 } };
	const { high_withdrawal_rate: lenient, ...others } = computeDistressPoints(stressed);
	const { high_withdrawal_rate: strict, ...same } = computeDistressPoints(stressed, { ...distressTables, shares });
	expect(strict).toBeGreaterThan(lenient ?? Number.POSITIVE_INFINITY);
	expect(same).toEqual(others);
});

test("the expected rate of peers replaces the base rate of withdrawals only", () => {
	const { high_withdrawal_rate, ...others } = computeDistressPoints(stressed);
	const { high_withdrawal_rate: expected, ...same } = computeDistressPoints({
		...stressed,
		expectedWithdrawn: 0.7 * 40,
	});
	expect(expected).toBeCloseTo(high_withdrawal_rate ?? 0, 9);
	expect(same).toEqual(others);
});

describe("impossible counts", () => {
	test.each<[string, Partial<DeveloperCounts>, RegExp]>([
		["negative", { withdrawn: -1 }, /^withdrawn must be a number from 0/],
		["no number", { active: Number.NaN }, /^active must be a whole number, not NaN/],
		["a fraction", { events: 1.5 }, /^events must be a whole number/],
		["infinite", { operationalMw: Number.POSITIVE_INFINITY }, /^operationalMw must be/],
		["a negative raise", { capitalRaised: -5 }, /^capitalRaised must be/],
		["a cost that is not a number", { maxCostPerKw: Number.NaN }, /^maxCostPerKw must be/],
		["more expected than there are", { withdrawn: 2, expectedWithdrawn: 3 }, /^expectedWithdrawn \(3\)/],
		["negative MW", { lateAndConstruction: [{ technology: "Wind", mw: -3 }] }, /^MW of Wind must be/],
		["more late than active", { active: 2, dated: 2, behind: 3 }, /^behind \(3\) must not be more than active \(2\)/],
		["more high costs than costs", { withCost: 2, highCost: 3 }, /^highCost \(3\)/],
		[
			"more classed headlines than headlines",
			{ events: 2, distress: 2, litigation: 1 },
			/must not be more than events/,
		],
	])("%s is an error that names the count", (_what, some, message) => {
		expect(() => rateDistress(counts(some))).toThrow(message);
		expect(() => rateDistress(counts(some))).toThrow(RangeError);
	});
});
