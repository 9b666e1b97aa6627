import { describe, expect, test } from "vitest";
import { filed, missedFilings, notFiled } from "./headline-senses.bankruptcy.fixture.ts";
import { missedSearches, notSearching, searching } from "./headline-senses.seeking.fixture.ts";
import {
	type BankruptcyReport,
	bankruptcySubject,
	isBankruptcyConfirmed,
	reportsBankruptcy,
	seeksCapital,
} from "./headline-senses.ts";

describe("reportsBankruptcy", () => {
	test.each(filed)("%j states a filing", (title) => {
		expect(reportsBankruptcy(title)).toBe(true);
	});
	test.each(notFiled)("%j does not", (title) => {
		expect(reportsBankruptcy(title)).toBe(false);
	});
	test.each([...searching, ...notSearching])("%j, about money, does not", (title) => {
		expect(reportsBankruptcy(title)).toBe(false);
	});
});

describe("seeksCapital", () => {
	test.each(searching)("%j says that it looks for money or a buyer", (title) => {
		expect(seeksCapital(title)).toBe(true);
	});
	test.each(notSearching)("%j does not", (title) => {
		expect(seeksCapital(title)).toBe(false);
	});
});

test.each([...missedFilings, ...missedSearches])("%j is missed rather than guessed", (title) => {
	expect(reportsBankruptcy(title) || seeksCapital(title)).toBe(false);
});

test("each sense has at least forty headlines for and against it", () => {
	for (const list of [filed, notFiled, searching, notSearching]) {
		expect(new Set(list).size).toBe(list.length);
		expect(list.length).toBeGreaterThanOrEqual(40);
	}
});

test("upper case, typographic quotes and wide letters say the same", () => {
	for (const title of filed) expect(reportsBankruptcy(title.toUpperCase()), title).toBe(true);
	expect(reportsBankruptcy("“Pine Gate” files for ‘Chapter 11’")).toBe(true);
	expect(reportsBankruptcy("Pine Gate files for Ｃｈａｐｔｅｒ １１")).toBe(true);
});

describe("bankruptcySubject", () => {
	test.each([
		["Pine Gate Renewables has now filed for Chapter 11", "pine gate renewables"],
		["Brookfield-backed Pine Gate files for Chapter 11", "pine gate"],
		["Pine Gate, backed by Brookfield and Carlyle, files for Chapter 11", "pine gate"],
		["Pine Gate says it has filed for Chapter 11", "pine gate"],
		["Breaking: Pine Gate files for bankruptcy protection", "pine gate"],
		["iSun and twelve affiliates file for Chapter 11", "isun and twelve affiliates"],
		["Tidewater Solar was declared bankrupt", "tidewater solar"],
	])("of %j it is %j", (title, subject) => {
		expect(bankruptcySubject(title)).toBe(subject);
	});

	test("names the one that filed and not the one that is owed: the headline is true of one of them", () => {
		const title = "Blue Ridge Power files for Chapter 11 owing Pine Gate $9 million";
		expect(bankruptcySubject(title)).toBe("blue ridge power");
	});

	test.each(["Files for Chapter 11", "", "   ", "Chapter 11", "破产"])("%j names nobody", (title) => {
		expect(bankruptcySubject(title)).toBeNull();
	});
});

test("megabytes of a headline are read no further than a headline is long", () => {
	expect(seeksCapital(`${"a ".repeat(100)}Pine Gate explores strategic alternatives`)).toBe(true);
	for (const part of [
		"files for ",
		"explores sale of a ",
		"hires to explore a sale for ",
		"seeks a new ",
		"a ",
		", ",
	]) {
		const hostile = part.repeat(500_000);
		expect(reportsBankruptcy(hostile)).toBe(false);
		expect(reportsBankruptcy(`${hostile}Pine Gate files for bankruptcy`)).toBe(false);
		expect(seeksCapital(`${"a ".repeat(500_000)}Pine Gate explores strategic alternatives`)).toBe(false);
	}
});

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
		["an 8-K beside a doubtful headline", [headline("a.example", 0.5), filing], true],
		["two outlets", [headline("a.example"), headline("b.example")], true],
		["one outlet", [headline("a.example")], false],
		["one outlet twice", [headline("a.example"), headline("A.example")], false],
		["two desks of one outlet", [headline("finance.a.example"), headline("www.a.example")], false],
		["two outlets under one country's suffix", [headline("www.a.co.uk"), headline("b.co.uk")], true],
		["two desks under a country's suffix", [headline("www.a.co.uk"), headline("news.a.co.uk")], false],
		["a second outlet that is not sure whom it means", [headline("a.example"), headline("b.example", 0.89)], false],
		["outlets that are not known", [headline(null), headline(null)], false],
		["a confidence that is no number", [headline("a.example"), headline("b.example", Number.NaN)], false],
	])("%s", (_what, reports, confirmed) => {
		expect(isBankruptcyConfirmed(reports)).toBe(confirmed);
		expect(isBankruptcyConfirmed(reports.toReversed())).toBe(confirmed);
	});
});
