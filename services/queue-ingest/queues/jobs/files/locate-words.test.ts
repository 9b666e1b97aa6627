import { expect, test } from "vitest";
import { locateValues } from "./locate-words.ts";

const rows = [
	{ number: "J1", filed: { Note: "was Paused once", Status: "Active" } },
	{ number: "J2", filed: { Note: "", Status: " PAUSED " } },
	{ number: "J3", filed: { Fuel: "Solar; Tidal", Status: "Paused" } },
	{ number: "J4", filed: null },
];
const unknown = (value: string) => ({ field: "status", value, count: 1 });

test("a value is located at the first request with it as a whole cell, else within a cell", () => {
	expect(locateValues([unknown("Paused"), unknown("Tidal"), unknown("Gone"), unknown("")], rows)).toEqual([
		{ ...unknown("Paused"), column: "Status", example: "J2" },
		{ ...unknown("Tidal"), column: "Fuel", example: "J3" },
		unknown("Gone"),
		unknown(""),
	]);
});

test("all values that are whole cells are located, and the first fifty within cells", () => {
	const many = Array.from({ length: 60 }, (_, at) => `word${100 + at}`);
	const whole = many.map((word, at) => ({ number: `J${at}`, filed: { Status: word } }));
	const part = many.map((word, at) => ({ number: `J${at}`, filed: { Status: `x ${word}` } }));
	const placed = (list: typeof whole) => locateValues(many.map(unknown), list).filter(({ example }) => example).length;
	expect([placed(whole), placed(part)]).toEqual([60, 50]);
});
