import { describe, expect, it } from "vitest";
import { isBrandMistyped, jaroWinkler, slipBetween, trigramSimilarity, trigrams } from "./similarity.ts";

/** Name, name, pg_trgm similarity, Jaro-Winkler. */
const table: [string, string, number, number][] = [
	["nextera energy resources", "nextera energy", 0.6, 0.917],
	["pine gate renewables", "pinegate renewables", 0.783, 0.964],
	["invenergy", "inenergy", 0.583, 0.97],
	["swift current energy", "swift current", 0.667, 0.93],
	["cypress creek renewables", "cypress creek", 0.542, 0.908],
	["lightsource bp", "lightsource bp renewable energy", 0.484, 0.89],
	["orsted", "ørsted", 0.444, 0.889],
	["apex clean energy", "apex energy storage", 0.462, 0.855],
	["apex clean energy", "apex", 0.278, 0.847],
	["pattern energy", "pattern development", 0.296, 0.855],
	["clearway energy", "clearlight energy", 0.545, 0.851],
	["clearway energy", "clearway signs", 0.409, 0.886],
	["silicon ranch", "silicon ridge", 0.474, 0.877],
	["origis", "oriden", 0.273, 0.767],
	["avantus", "arevon", 0.071, 0.679],
	["duke energy renewables", "deriva energy", 0.286, 0.647],
	["national grid renewables", "geronimo power", 0.026, 0.543],
	["edf renewables", "edf power solutions", 0.129, 0.779],
	["8minute", "avantus", 0, 0.508],
];

describe("similarity", () => {
	it.each(table)("%s and %s: trigrams %f, Jaro-Winkler %f, either way round", (a, b, trigram, winkler) => {
		expect(trigramSimilarity(a, b)).toBeCloseTo(trigram, 3);
		expect(trigramSimilarity(b, a)).toBeCloseTo(trigram, 3);
		expect(jaroWinkler(a, b)).toBeCloseTo(winkler, 3);
		expect(jaroWinkler(b, a)).toBeCloseTo(winkler, 3);
	});

	it("pads each word like pg_trgm", () => {
		expect([...trigrams("AB-c")]).toEqual(["  a", " ab", "ab ", "  c", " c "]);
	});

	it("equal texts are 1, nothing in common is 0", () => {
		expect([jaroWinkler("", ""), jaroWinkler("a", ""), jaroWinkler("abc", "xyz")]).toEqual([1, 0, 0]);
		expect([trigramSimilarity("abc", "ABC"), trigramSimilarity("", "")]).toEqual([1, 0]);
	});

	it.each([
		["oglethorpe", "ogelthorpe", "exchanged"],
		["hecate", "hectate", "letter"],
		["tenaska", "tanaska", "vowel"],
		["recurrent", "recurent", "doubled"],
		["nextera", "nexterra", "doubled"],
		["enbridge", "elbridge", undefined],
		["alliant", "alliance", undefined],
		["origis", "origin", undefined],
		["same", "same", undefined],
	])("%s and %s: the slip is %s", (right, wrong, slip) => {
		expect([slipBetween(right, wrong), slipBetween(wrong, right)]).toEqual([slip, slip]);
	});

	it.each([
		["oglethorpe", "ogelthorpe", true],
		["recurrent", "recurent", true],
		["greenbacker", "greanbacker", true],
		["invenergy", "inenergy", false],
		["avantus", "avantis", false],
		["nextera", "nexterra", false],
		["clearway", "claerway", false],
	])("%s mistyped as %s is certain without other words: %s", (right, wrong, isSure) => {
		expect([isBrandMistyped(right, wrong), isBrandMistyped(wrong, right)]).toEqual([isSure, isSure]);
	});
});
