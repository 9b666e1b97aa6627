import { describe, expect, test } from "vitest";
import { filed, missedFilings, notFiled } from "../../../test/signals/support/bankruptcy-headlines.ts";
import { missedSearches, notSearching, searching } from "../../../test/signals/support/capital-headlines.ts";
import { bankruptcySubject, isSubject, seeksCapital } from "./flags.ts";

const reportsBankruptcy = (title: string): boolean => bankruptcySubject(title) !== null;

describe("a bankruptcy", () => {
	test.each(filed)("%j states a bankruptcy filing", (title) => {
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
	test.each(searching)("%j states that a company seeks money or a buyer", (title) => {
		expect(seeksCapital(title)).toBe(true);
	});
	test.each(notSearching)("%j does not", (title) => {
		expect(seeksCapital(title)).toBe(false);
	});
});

test.each([...missedFilings, ...missedSearches])("%j is not recognised, to avoid false positives", (title) => {
	expect(reportsBankruptcy(title) || seeksCapital(title)).toBe(false);
});

test("each flag is tested with at least forty positive and negative headlines", () => {
	for (const list of [filed, notFiled, searching, notSearching]) {
		expect(new Set(list).size).toBe(list.length);
		expect(list.length).toBeGreaterThanOrEqual(40);
	}
});

test("upper case, typographic quotes and full-width letters make no difference", () => {
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
	])("for %j it is %j", (title, subject) => {
		expect(bankruptcySubject(title)).toBe(subject);
	});

	test("names the company that filed, not its creditor", () => {
		const title = "Blue Ridge Power files for Chapter 11 owing Pine Gate $9 million";
		expect(bankruptcySubject(title)).toBe("blue ridge power");
	});

	test.each(["Files for Chapter 11", "", "   ", "Chapter 11", "破产"])("%j names no developer", (title) => {
		expect(bankruptcySubject(title)).toBeNull();
	});
});

test.each<[string | null, string[], boolean]>([
	["pine gate renewables", ["Pine Gate Renewables"], true],
	["pine gate", ["Pine Gate Renewables", "Pine Gate"], true],
	["pine gate", ["Pine Gate Renewables"], false],
	["solar developer o briens power co", ["O'Briens Power Co."], false],
	["solar developer obriens power co", ["O'Briens Power Co."], true],
	["blue ridge power", ["Ridge"], true],
	["blue ridge power", ["Rid", "", "."], false],
	[null, ["Pine Gate"], false],
])("whether the subject %j is a company called %j: %j", (subject, names, is) => {
	expect(isSubject(subject, names)).toBe(is);
});

test("of a headline of megabytes only a normal length is read", () => {
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
