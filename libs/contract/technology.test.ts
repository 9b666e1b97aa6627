import { expect, it, test } from "vitest";
import { technologies } from "#libs/contract/vocabulary.ts";
import { parseTechnology, partOfTechnology, technology } from "./technology.ts";

test.each(technologies)("%s maps to itself, in upper or lower case", (word) => {
	expect([
		parseTechnology(word),
		parseTechnology(word.toUpperCase()),
		parseTechnology(` ${word.toLowerCase()} `),
	]).toEqual([word, word, word]);
});

test.each([
	["PV", "Solar"],
	["Solar PV", "Solar"],
	["Utility-scale solar", "Solar"],
	["BESS", "Storage"],
	["battery", "Storage"],
	["Stand-alone battery storage", "Storage"],
	["Lithium-ion battery", "Storage"],
	["onshore wind", "Wind"],
	["Wind (onshore)", "Wind"],
	["off-shore wind", "Offshore Wind"],
	["Wind, offshore", "Offshore Wind"],
	["solar, storage", "Solar + Storage"],
	["wind farm", "Wind"],
	["solar+storage", "Solar + Storage"],
	["storage + solar", "Solar + Storage"],
	["PV/BESS", "Solar + Storage"],
	["solar with battery storage", "Solar + Storage"],
	["Solar plus storage", "Solar + Storage"],
	["SUN BAT", "Solar + Storage"],
	["solar battery", "Solar + Storage"],
	["Hybrid solar", "Solar + Storage"],
	["wind hybrid", "Wind + Storage"],
	["hybrid wind and solar", "Wind + Solar + Storage"],
	["solar & wind", "Wind + Solar"],
	["natural gas / battery", "Gas + Storage"],
	["gas; oil", "Gas"],
	["SMR", "Nuclear"],
	["Nuclear power plant", "Nuclear"],
	["hydroelectric", "Hydro"],
	["pumped-storage hydro", "Pumped Storage"],
	["hydrogen fuel cell", "Fuel Cell"],
	["waste-to-energy", "Waste"],
	["waste heat recovery", "Waste Heat"],
	["landfill gas", "Biomass"],
	["hybrid", undefined],
	["hydro + storage", undefined],
	["flux capacitor", undefined],
	["solar and unobtainium", undefined],
	["power plant", undefined],
	["", undefined],
	["constructor", undefined],
])("%j is %s", (text, technology) => expect(parseTechnology(text)).toBe(technology));

it.each(["Solar_", "+ Wind", ",solar", "PV/"])("is refused as a parameter if punctuation is left over: %j", (text) =>
	expect(technology().safeParse(text).success).toBe(false),
);

it.each(["Solar", " pv ", "Wind (onshore)", "Solar + Storage"])("is accepted as a parameter: %j", (text) =>
	expect(technology().safeParse(text).success).toBe(true),
);

it("matches part of a name or a common name of a technology", () => {
	for (const [given, read] of [
		["Battery", "Storage"],
		["solar +", "solar +"],
		["stor", "stor"],
		["tokamak", "tokamak"],
	])
		expect(partOfTechnology().parse(given)).toBe(read);
});

it("yields a value of the vocabulary or none, for any text", () => {
	for (const text of ["+ + +", "solar ".repeat(50), "0", "__proto__", "💡", "wind\u0000solar"])
		expect([undefined, ...technologies]).toContain(parseTechnology(text));
});
