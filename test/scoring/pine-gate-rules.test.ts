/** A real bankruptcy day by day, by the rules of signals and scoring without their databases: which rating it had, and when. */
import { describe, expect, test } from "vitest";
import { rateCapitalNeed } from "../../services/scoring/domain/developers/capital.ts";
import type { DeveloperCounts } from "../../services/scoring/domain/developers/counts.ts";
import { isBankruptcyConfirmed, rateDistress } from "../../services/scoring/domain/developers/distress.ts";
import { bankruptcySubject, seeksCapital } from "../../services/signals/headlines/flags.ts";
import { pineGateHeadlines, pineGateQueue } from "./support/pine-gate.ts";

/** Headlines of the 24 months before and on `day`; the earliest is younger than that on every day asked for. */
function countsOn(day: string): DeveloperCounts {
	const known = pineGateHeadlines.filter(({ on, confidence }) => on <= day && confidence >= 0.7);
	const ofType = (type: string) => known.filter((headline) => headline.type === type).length;
	const reports = known
		.filter(({ title }) => bankruptcySubject(title) !== null)
		.map(({ domain, confidence }) => ({ kind: "headline" as const, domain, confidence }));
	return {
		...pineGateQueue,
		...{ events: known.length, financing: ofType("financing"), ma: ofType("ma") },
		...{ distress: ofType("distress"), litigation: ofType("litigation") },
		bankruptcy: isBankruptcyConfirmed(reports),
		seeking: known.filter(({ title }) => seeksCapital(title)).map(({ title }) => title),
	};
}

describe("Pine Gate Renewables", () => {
	const raiseMonths = 36;

	test("with two thirds late, 78 % withdrawn and Form D is Moderate; the queue alone gives no level", () => {
		expect(rateDistress({ ...pineGateQueue, raiseMonths })).toMatchObject({ level: "Moderate", score: 30 });
		expect(rateDistress(pineGateQueue)).toMatchObject({ level: "unknown", score: 30 });
	});

	test("is Elevated by the queue with three quarters late and 88 % withdrawn", () => {
		expect(rateDistress({ ...pineGateQueue, raiseMonths, behind: 70, withdrawn: 800 }).level).toBe("Elevated");
	});

	test.each(["2024-06-30", "2025-03-31", "2025-08-31"])("on %s: Elevated at most, and not bankrupt", (day) => {
		const { level, components } = rateDistress(countsOn(day));
		expect(["Low", "Moderate", "Elevated"]).toContain(level);
		expect(components?.bankruptcy).toBe(false);
	});

	test("has a higher score with each headline of distress", () => {
		const scores = ["2025-08-31", "2025-09-10", "2025-09-26", "2025-10-31"].map(
			(day) => rateDistress(countsOn(day)).score,
		);
		expect(scores).toEqual([...new Set(scores)].toSorted((a, b) => a - b));
	});

	test("debt talks, an expected filing and due bids are not a bankruptcy", () => {
		expect(rateDistress(countsOn("2025-11-05")).components?.bankruptcy).toBe(false);
	});

	test.each(["2025-11-06", "2025-11-07", "2026-06-30"])("on %s: High, by the override", (day) => {
		const { level, score, components } = rateDistress(countsOn(day));
		expect({ level, bankruptcy: components?.bankruptcy }).toEqual({ level: "High", bankruptcy: true });
		expect(score).toBeGreaterThanOrEqual(85);
		expect(rateDistress({ ...countsOn(day), bankruptcy: false }).score).toBeLessThan(85);
	});

	test("needs capital long before, with nothing raised for nearly built plants; from October headlines say so", () => {
		const reasons = (day: string) =>
			rateCapitalNeed("independent", { ...countsOn(day), raiseMonths }, rateDistress(countsOn(day)).level).reasons.join(
				"\n",
			);
		expect(reasons("2025-08-31")).toContain("of equity");
		expect(reasons("2025-10-13")).not.toContain("seeks buyers");
		expect(reasons("2025-10-14")).toContain("Pine Gate Renewables seeks buyers as bids fall due");
	});
});
