import { expect, it } from "vitest";
import { choice, decimal, flag, integer, isoDate, words } from "./params.ts";

it.each([
	["a year that PostgreSQL does not have", isoDate(), "0000-01-01"],
	["a day that no calendar has", isoDate(), "2026-02-30"],
	["a date in another order", isoDate(), "20/07/2026"],
	["hexadecimal", integer(0), "0x10"],
	["nothing as a number", integer(0), ""],
	["a fraction as a whole number", integer(0), "1.5"],
	["an endless number", decimal(0, 1e9), "1e999"],
	["a word as true", flag(), "yes"],
	["NUL", words(), "a\u0000b"],
	["half of a surrogate pair", words(), "a\ud800"],
	["white space alone", words(2), "    "],
	["a word of no list", choice(["asc", "desc"]), "up"],
])("%s is refused", (_, schema, value) => {
	expect(schema.safeParse(value).success).toBe(false);
});

it.each([
	["a leap day", isoDate(), "2024-02-29", "2024-02-29"],
	["a number as text and as a number", integer(0, 500), "50", 50],
	["an exponent", decimal(0, 1e6), "1.5e3", 1500],
	["false, which is not true", flag(), "false", false],
	["a word in any case", choice(["ISO-NE", "PJM"]), " iso-ne ", "ISO-NE"],
])("%s is read", (_, schema, value, expected) => {
	expect(schema.parse(value)).toBe(expected);
});
