import { describe, expect, it } from "vitest";
import { maxNameLength, normaliseName, projectFamily } from "./normalise.ts";

const fullKey = (raw: string) => normaliseName(raw).fullKey;
const distinctKey = (raw: string) => normaliseName(raw).distinctKey;
const shell = (raw: string) => {
	const { isShell, family, numeral } = normaliseName(raw);
	return isShell ? [family, numeral] : null;
};

describe("normaliseName", () => {
	it.each([
		["Ørsted Onshore North America, LLC", "orsted onshore north america"],
		["ＡＣＣＩＯＮＡ Energía", "acciona energia"],
		["Orange & Rockland Utils Inc", "orange and rockland utilities"],
		["D. E. Shaw Renewable Investments, L.L.C.", "de shaw renewable investments"],
		["BayWa r.e Wind L L C", "baywa re wind"],
		["CPV Rogue’s Wind, LLC", "cpv rogues wind"],
		["The AES Corporation", "aes"],
		["Apex Clean Energy Holdings, LLC", "apex clean energy"],
		["Jersey Central Pwr & Lt Co", "jersey central power and light"],
		["East Kentucky Power Co-op, Inc.", "east kentucky power cooperative"],
		["the N.Y. Power Auth", "new york power authority"],
		["Public Serv Co of NM", "public service company of new mexico"],
		["Power Authority of the St of NY", "power authority of the state of new york"],
		["PACIFICORP /OR/", "pacificorp"],
		["City of Hastings - (NE)", "city of hastings nebraska"],
		["Holdings Group", "holdings"],
	])("%s is %s", (raw, key) => {
		expect(fullKey(raw)).toBe(key);
	});

	it.each([
		["Black Hills Power, Inc. d/b/a", "black hills power", []],
		["Nevada Power Company DBA NV Energy", "nevada power", ["nv energy"]],
		["Hanwha Energy USA d/d/a/ 174 Power Global", "hanwha energy usa", ["174 power global"]],
		["Foo Solar LLC, f/k/a Bar Solar LLC", "foo solar", ["bar solar llc"]],
		["Foo Solar LLC c/o Invenergy", "foo solar", ["invenergy"]],
		["Foo Solar (an affiliate of NextEra Energy), LLC", "foo solar", ["nextera energy"]],
		["Foo Solar (unclosed", "foo solar", ["unclosed"]],
		["(Foo Solar)", "foo solar", ["foo solar"]],
		["Calpine Corp - Hidalgo", "calpine corporation hidalgo", ["calpine corp"]],
	])("%s: the removed part is another name", (raw, key, alternates) => {
		expect([fullKey(raw), normaliseName(raw).alternates]).toEqual([key, alternates]);
	});

	it("both sides of a slash are names", () => {
		expect(normaliseName("Vistra Energy/Luminant").sides).toEqual(["vistra energy", "luminant"]);
	});

	it("the second key omits generic words and may be empty", () => {
		expect(distinctKey("Cypress Creek Renewables, LLC")).toBe("cypress creek");
		expect(distinctKey("Renewable Energy Holdings")).toBe("");
		expect(normaliseName("Apex Energy Storage").generic).toEqual(["energy", "storage"]);
	});

	it.each([
		["Blue Jay Solar II, LLC", "blue jay solar", "ii"],
		["Blue Jay Solar I LLC", "blue jay solar", "i"],
		["Orchid Acres Solar Project, LLC", "orchid acres solar", null],
		["Sketch Book Storage 1, LLC", "sketch book storage", "1"],
		["Prairie Wind Farm Phase 2", "prairie wind", "2"],
		["Foo BESS Project B, LLC", "foo bess", "b"],
		["Frizzle BESS, L.L.C.", "frizzle bess", null],
		["IV Solar LLC", "iv solar", null],
	])("%s is a shell of the family %s", (raw, family, numeral) => {
		expect(shell(raw)).toEqual([family, numeral]);
	});

	it.each([
		["Gransolar Texas Seven LLC", "gransolar texas", "seven"],
		["Sky Global Power Two, LLC", "sky global power", "two"],
		["SMT14 LLC", "smt", "14"],
		["Hopkins Solar Holdings1 LLC", "hopkins solar", "1"],
		["Foo Energy Center LLC", "foo energy", null],
		["Bell Song Solar, LLC_3", "bell song solar", null],
	])("%s is a shell of the family %s: a number in words, glued, or pasted", (raw, family, numeral) => {
		expect(shell(raw)).toEqual([family, numeral]);
	});

	it.each([
		"Noble Environmental Power, LLC",
		"Riverbank Power Corporation",
		"NET Power, LLC",
		"Bear Peak Power LLC",
		"Renesola Power Holdings",
		"MN14 LLC",
		"South32 Ltd",
		"One LLC",
	])("%s is a common part of company names", (raw) => {
		expect(shell(raw)).toBeNull();
	});

	it("a repeated name has the same keys as a single one", () => {
		expect(fullKey("Parkway Generation Operating LLC,Parkway Generation Operating, LLC")).toBe(
			fullKey("Parkway Generation Operating"),
		);
	});

	it.each(["Xcel Energy", "Plan V", "Mission Clean Energy LLC", "Juhl Wind", "Alliance Energy Group LLC", "Solar LLC"])(
		"%s is not a shell",
		(raw) => {
			expect(shell(raw)).toBeNull();
		},
	);

	it("reads no more characters than the limit", () => {
		const key = fullKey(`Foo ${"x".repeat(1_000_000)}`);
		expect(key.length).toBeLessThanOrEqual(maxNameLength);
	});
});

it("a numbered company holds one project, whatever its technology", () => {
	expect(shell("Tidwell Prairie III LLC")).toEqual(["tidwell prairie", "iii"]);
	expect(shell("Blue Topaz 1, LLC")).toEqual(["blue topaz", "1"]);
	expect(shell("Tidwell Prairie LLC")).toBeNull();
	expect(shell("Catalyst 2 Inc")).toBeNull();
});

it("a project and its company are one family, with or without a number, the word farm or a legal form", () => {
	const names = ["Abeja Solar", "Abeja Solar Farm", "Abeja Solar II, LLC", "ABEJA SOLAR FARM LLC"];
	expect(new Set(names.map(projectFamily))).toEqual(new Set(["abeja solar"]));
	expect(projectFamily("Abeja Wind")).not.toBe("abeja solar");
});
