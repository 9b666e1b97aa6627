import { describe, expect, test } from "vitest";
import { developerTiers, distressLevels, taxCreditActivities, technologies } from "#libs/contract/vocabulary.ts";
import { manyCounts, noCounts } from "../../../../test/scoring/support/random-counts.ts";
import { computeCapexPerKw, rateCapitalNeed, rateTaxCreditActivity } from "./capital.ts";
import type { DeveloperCounts } from "./counts.ts";
import { rateDistress } from "./distress.ts";
import { needsCapitalTables } from "./tables.ts";

const counts = (some: Partial<DeveloperCounts>): DeveloperCounts => ({ ...noCounts, raiseMonths: 36, ...some });
/** $158.8 million, of which 35 % are $55.58 million; three times $18,526,666.67. */
const raised = (capitalRaised36Months: number) => ({ capitalRaised36Months, raiseCount: 1 });
const hundredOfSolar = { lateAndConstruction: [{ technology: "Solar", mw: 100 }] };

describe("equity for projects that are nearly built", () => {
	test("is needed above three times the raised amount, with the figures", () => {
		expect(rateCapitalNeed("independent", counts({ ...hundredOfSolar, ...raised(18.5e6) }), "Low")).toEqual({
			needed: true,
			reasons: [
				"Requests in the late stage or under construction need about $55.6 million of equity, 35 % of their cost " +
					"(Solar 100 MW at $1,588 a kW); Form D shows $18.5 million raised in 36 months and does not show all capital.",
			],
		});
	});

	test("is not needed below three times, without a reason", () => {
		const enough = counts({ ...hundredOfSolar, capitalRaised36Months: 18.6e6 });
		expect(rateCapitalNeed("independent", enough, "Low")).toEqual({ needed: false, reasons: [] });
	});

	test("is not needed at exactly three times", () => {
		const tables = { ...needsCapitalTables, equityShare: 0.5, capex: { Solar: 1200 } };
		const exactly = counts({ ...hundredOfSolar, capitalRaised36Months: 20e6 });
		expect(rateCapitalNeed("independent", exactly, "Low", tables).needed).toBe(false);
	});

	test("ignores earlier raises", () => {
		expect(rateCapitalNeed("independent", counts({ ...hundredOfSolar, capitalRaised: 9e9 }), "Low").needed).toBe(true);
	});

	test("is not needed without late-stage or active construction, or without capacity", () => {
		expect(rateCapitalNeed("independent", counts({ active: 90 }), "Low").needed).toBe(false);
		const unsized = counts({ lateAndConstruction: [{ technology: "Solar", mw: 0 }] });
		expect(rateCapitalNeed("independent", unsized, "Low").needed).toBe(false);
	});

	test.each(developerTiers)("%s", (tier) => {
		const own = ["major_utility", "oil_major", "pe_fund"].includes(tier);
		expect(rateCapitalNeed(tier, counts(hundredOfSolar), "Low").needed).toBe(!own);
	});

	test("names each technology once, in alphabetical order", () => {
		const rows = [
			{ technology: "Wind", mw: 50 },
			{ technology: "Solar + Storage", mw: 1200 },
			{ technology: "Wind", mw: 25.25 },
		];
		const [reason] = rateCapitalNeed("independent", counts({ lateAndConstruction: rows }), "Low").reasons;
		expect(reason).toContain("(Solar + Storage 1,200 MW at $1,666 a kW, Wind 75.3 MW at $1,451 a kW)");
		expect(reason).toContain("$737.9 million of equity");
	});

	test("no raise means a need only if Form D is loaded", () => {
		const [reason] = rateCapitalNeed("independent", counts(hundredOfSolar), "Low").reasons;
		expect(reason).toContain("Form D shows $0 raised");
		const unread = counts({ ...hundredOfSolar, raiseMonths: 0 });
		expect(rateCapitalNeed("major_ipp", unread, "Low")).toEqual({ needed: null, reasons: [] });
		expect(rateCapitalNeed("major_utility", unread, "Low").needed).toBe(false);
	});
});

describe("distress", () => {
	test.each(distressLevels)("%s", (level) => {
		const expected = level === "unknown" ? null : level === "Elevated" || level === "High";
		expect(rateCapitalNeed("oil_major", noCounts, level).needed).toBe(expected);
	});

	test("the reason contains its counts", () => {
		const of = counts({
			...{ active: 60, behind: 36, withdrawn: 240, operational: 5, events: 30, distress: 12, litigation: 3 },
			bankruptcy: true,
		});
		expect(rateCapitalNeed("oil_major", of, "High").reasons).toEqual([
			"Distress is High: a confirmed bankruptcy, 36 of 60 active requests behind schedule, 240 of 305 withdrawn, " +
				"12 distress and 3 litigation headlines of 30 in 24 months.",
		]);
	});
});

describe("headlines", () => {
	test("one is quoted, for any tier", () => {
		expect(rateCapitalNeed("pe_fund", counts({ seeking: ["Fund seeks buyer for platform"] }), "Low").reasons).toEqual([
			'1 headline says within 180 days that it looks for money or a buyer: "Fund seeks buyer for platform".',
		]);
	});

	test("three of many are quoted, the others counted, and copies counted once", () => {
		const seeking = ["E", "B", "A", "D", "C", "A"];
		expect(rateCapitalNeed("independent", counts({ seeking }), "Low").reasons).toEqual([
			'5 headlines say within 180 days that it looks for money or a buyer: "A", "B", "C" and 2 more.',
		]);
	});
});

describe("cost per kW", () => {
	test.each([
		["Solar", 1588],
		["Solar + Storage", 1666],
		["Wind + Storage", 1597.5],
		["Wind + Solar", 1519.5],
		["Gas + Storage", 1233],
		["Offshore Wind", 3689],
		["Hydro", 1588],
		["Fusion", 1588],
		["", 1588],
		["toString", 1588],
		["Nuclear + Fusion", (8936 + 1588) / 2],
	])("%s: %d", (technology, cost) => {
		expect(computeCapexPerKw(technology)).toBe(cost);
	});

	test("the three parts of a hybrid have equal weight", () => {
		expect(computeCapexPerKw("Wind + Solar + Storage")).toBeCloseTo((1451 + 1588 + 1744) / 3, 10);
	});

	test.each(technologies)("%s has a cost", (technology) => {
		expect(computeCapexPerKw(technology)).toBeGreaterThan(0);
	});

	test("every technology of the table is in the vocabulary", () => {
		for (const name of Object.keys(needsCapitalTables.capex)) expect(technologies).toContain(name);
	});
});

test("for any counts the order of rows and headlines does not matter, reasons are sentences, and a need has a reason", () => {
	for (const [at, of] of manyCounts(1000)) {
		const tier = developerTiers[at % developerTiers.length] ?? "unknown";
		const { level } = rateDistress(of);
		const found = rateCapitalNeed(tier, of, level);
		const turned = {
			...of,
			lateAndConstruction: of.lateAndConstruction.toReversed(),
			seeking: of.seeking.toReversed(),
		};
		expect(rateCapitalNeed(tier, turned, level)).toEqual(found);
		expect(found.needed === true).toBe(found.reasons.length > 0);
		for (const reason of found.reasons) {
			expect(reason).toMatch(/^[\dA-Z].*\d.*\.$/);
			expect(reason).not.toMatch(/NaN|undefined|null|Infinity/);
		}
	}
});

test("the order of rows does not matter even if floating-point sums depend on it", () => {
	const tables = { ...needsCapitalTables, equityShare: 1, capex: { Solar: 1 } };
	const rows = [0.1, 0.2, 0.3].map((mw) => ({ technology: "Solar", mw }));
	const [one, other] = [rows, rows.toReversed()].map((lateAndConstruction) =>
		rateCapitalNeed("independent", counts({ lateAndConstruction, capitalRaised36Months: 200 }), "Low", tables),
	);
	expect(one).toEqual(other);
});

test("impossible counts are an error", () => {
	expect(() => rateCapitalNeed("independent", counts({ capitalRaised36Months: Number.NaN }), "Low")).toThrow(
		RangeError,
	);
});

describe("taxCreditActivity", () => {
	test.each([
		[0, 0, "none"],
		[0, 4, "low"],
		[1, 1, "low"],
		[49_999_999.99, 2, "low"],
		[50_000_000, 1, "medium"],
		[499_999_999.99, 30, "medium"],
		[500_000_000, 1, "high"],
		[9e12, 400, "high"],
	])("$%d of %d projects: %s", (value, projects, activity) => {
		expect(rateTaxCreditActivity(value, projects)).toBe(activity);
	});

	test("never falls as the value rises", () => {
		const ranks = Array.from({ length: 700 }, (_, at) =>
			taxCreditActivities.indexOf(rateTaxCreditActivity(at * 1e6, 1)),
		);
		expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
		expect(new Set(ranks).size).toBe(3);
	});

	test.each([
		[-1, 1],
		[Number.NaN, 1],
		[Number.POSITIVE_INFINITY, 1],
		[1, -1],
		[1, Number.NaN],
		[1, 0],
	])("$%d of %d projects is an error", (value, projects) => {
		expect(() => rateTaxCreditActivity(value, projects)).toThrow(RangeError);
	});
});
