import { describe, expect, it } from "vitest";
import { describeItems, eightKItems, findItemCodes, parseItemCode } from "./item-codes.ts";

describe("itemCode", () => {
	it.each([
		["1.01", "1.01"],
		[" Item 1.01 ", "1.01"],
		["ITEM 1.01. Entry into a Material Definitive Agreement", "1.01"],
		["Item 5.02: Departure of Directors", "5.02"],
		["Bankruptcy or Receivership", "1.03"],
		["CHANGES IN REGISTRANT&apos;S".replace("&apos;", "’").concat(" CERTIFYING ACCOUNTANT"), "4.01"],
		["Material Modifications to Rights of Security Holders", "3.03"],
		["Cost Associated with Exit or Disposal Activities", "2.05"],
		["5", "5"],
		["Item 12", "12"],
		["6.01", "6.01"],
		["3C.1", "3C.1"],
		["Something new", "Something new"],
	])("reads %j as %j", (written, code) => {
		expect(parseItemCode(written)).toBe(code);
	});

	it("reads every title, also with EDGAR's punctuation", () => {
		for (const { code, title } of eightKItems) {
			expect(parseItemCode(title)).toBe(code);
			expect(parseItemCode(title.replaceAll(";", ":"))).toBe(code);
		}
	});

	it("finds nothing in blank text, and bounds long text", () => {
		expect(parseItemCode(" \n")).toBeNull();
		expect(parseItemCode("x".repeat(1_000_000))?.length).toBe(300);
	});

	it("reads lines of codes", () => {
		expect(findItemCodes("1.01,9.01,1.01")).toEqual(["1.01", "9.01"]);
		expect(findItemCodes("items 1.01, 3.02, 8.01and9.01")).toEqual(["1.01", "3.02", "8.01", "9.01"]);
		expect(findItemCodes("")).toEqual([]);
	});
});

describe("describeItems", () => {
	it("returns the titles in filed order, and sorted categories", () => {
		expect(describeItems(["1.01", "2.03", "9.01"], null)).toEqual({
			items: [
				"Entry into a Material Definitive Agreement",
				"Creation of a Direct Financial Obligation or an Obligation under an Off-Balance Sheet Arrangement of a Registrant",
				"Financial Statements and Exhibits",
			],
			categories: ["agreement", "debt"],
			eventType: "financing",
		});
	});

	it.each([
		[["1.01"], "financing", ["agreement"]],
		[["2.03"], "financing", ["debt"]],
		[["3.02"], "financing", ["equity"]],
		[["2.01", "2.03"], "ma", ["debt", "ma"]],
		[["1.03", "2.01", "3.02"], "distress", ["distress", "equity", "ma"]],
		[["2.06"], "distress", ["distress"]],
		[["3.01"], "distress", ["distress"]],
		[["2.04", "5.01", "5.07", "8.01"], null, []],
		[["5", "6.01"], null, []],
		[[], null, []],
	])("classifies %j as %s, with the precedence distress, ma, financing", (codes, eventType, categories) => {
		expect(describeItems(codes, null)).toMatchObject({ eventType, categories });
	});

	it.each([[["2.01", "3.01", "3.03", "5.01"]], [["3.01", "5.01"]], [["2.01", "3.01"]]])(
		"reads the delisting in %j as the end of a merger",
		(codes) => {
			expect(describeItems(codes, null)).toMatchObject({ eventType: "ma", categories: ["ma"] });
		},
	);

	it("gives a bankruptcy precedence over the resulting change of control", () => {
		const meaning = describeItems(["1.03", "3.01", "5.01"], null);
		expect(meaning).toMatchObject({ eventType: "distress", categories: ["distress", "ma"] });
	});

	it("classifies item 1.01 with the text of a deal as ma", () => {
		expect(describeItems(["1.01"], true)).toMatchObject({ eventType: "ma", categories: ["agreement"] });
		expect(describeItems(["1.01"], false)).toMatchObject({ eventType: "financing" });
		expect(describeItems(["8.01"], true)).toMatchObject({ eventType: null });
	});

	it("passes unknown items through", () => {
		expect(describeItems(["5", "Item 6.01", "Something new", "1.01", "1.01"], null).items).toEqual([
			"Item 5",
			"Item 6.01",
			"Something new",
			"Entry into a Material Definitive Agreement",
		]);
	});
});
