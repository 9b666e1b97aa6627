import { describe, expect, test } from "vitest";
import { type BankruptcyReport, isBankruptcyConfirmed } from "./distress.ts";

describe("isBankruptcyConfirmed", () => {
	const headline = (domain: string | null, confidence = 0.9): BankruptcyReport => ({
		kind: "headline",
		domain,
		confidence,
	});
	const filing: BankruptcyReport = { kind: "filing", domain: null, confidence: 0.6 };

	test.each<[string, BankruptcyReport[], boolean]>([
		["nothing", [], false],
		["an 8-K alone", [filing], true],
		["an 8-K beside an uncertain headline", [headline("a.example", 0.5), filing], true],
		["two outlets", [headline("a.example"), headline("b.example")], true],
		["one outlet", [headline("a.example")], false],
		["one outlet twice", [headline("a.example"), headline("A.example")], false],
		["two desks of one outlet", [headline("finance.a.example"), headline("www.a.example")], false],
		["two outlets under one country's suffix", [headline("www.a.co.uk"), headline("b.co.uk")], true],
		["two desks under a country's suffix", [headline("www.a.co.uk"), headline("news.a.co.uk")], false],
		["a second outlet that is not sure whom it means", [headline("a.example"), headline("b.example", 0.89)], false],
		["outlets that are not known", [headline(null), headline(null)], false],
		["a confidence that is not a number", [headline("a.example"), headline("b.example", Number.NaN)], false],
	])("%s", (_what, reports, confirmed) => {
		expect(isBankruptcyConfirmed(reports)).toBe(confirmed);
		expect(isBankruptcyConfirmed(reports.toReversed())).toBe(confirmed);
	});
});
