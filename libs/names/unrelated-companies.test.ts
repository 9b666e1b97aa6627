import { describe, expect, it } from "vitest";
import { foreignForms, foreignPlaces, isAbroad, isOtherTrade, mentionsAny } from "./unrelated-companies.ts";
import { contextWords, states } from "./words.ts";

const words = (text: string) => text.split(" ").filter((word) => word !== "");
const plain = { isWhole: false, isPowerList: true };
const foo = new Set(["foo"]);

it("the lists contain normalised phrases of at most three words, and no US state is abroad", () => {
	for (const name of [...foreignPlaces.keys(), ...foreignForms]) expect(name).toMatch(/^[a-z]+( [a-z]+){0,2}$/);
	expect([...states.values()].filter((state) => foreignPlaces.has(state))).toEqual([]);
});

describe("isAbroad", () => {
	it.each([
		"foo canada",
		"foo energy saudi arabia",
		"foo new zealand ltd",
		"foo panama",
		"foo panama energy ltd",
		"foo ltd",
		"foo energy plc",
		"foo sa de cv",
	])("%s is", (name) => {
		expect(isAbroad(words(name), foo, plain)).toBe(true);
	});

	it.each([
		"foo",
		"foo panama wind llc",
		"foo scotland neck llc",
		"foo new mexico llc",
		"foo new england llc",
		"foo bar ltd",
		"foo ltd partnership",
		"foo se solar llc",
	])("%s is not", (name) => {
		expect(isAbroad(words(name), foo, plain)).toBe(false);
	});

	it("a word of the developer's own names is not evidence", () => {
		expect(isAbroad(words("foo canada plc"), new Set(["foo", "canada", "plc"]), plain)).toBe(false);
		expect(isAbroad(words("foo south america"), new Set(["foo", "america"]), plain)).toBe(true);
	});
});

describe("isOtherTrade", () => {
	it.each([
		"media",
		"oil and gas",
		"credit union",
		"systems",
		"east systems",
		"real media llc",
		"brands solar llc",
		"solar university",
	])("%s is", (rest) => {
		expect(isOtherTrade(words(rest))).toBe(true);
	});

	it.each(["", "energy systems", "credit facility", "church road solar llc", "gas"])("%j is not", (rest) => {
		expect(isOtherTrade(words(rest))).toBe(false);
	});
});

it("gas means power only together with a word for a power plant", () => {
	expect(
		["gas", "gas inc", "gas turbine", "power gas", "wind"].map((rest) => mentionsAny(words(rest), contextWords)),
	).toEqual([false, false, true, true, true]);
});
