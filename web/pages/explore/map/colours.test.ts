import { expect, test } from "vitest";
import { shadeOfScore, shadeOfTechnology } from "./colours.ts";

test.each([
	["Solar", "Solar"],
	["Solar + Storage", "Solar + storage"],
	["Wind + Solar + Storage", "Wind, including hybrids"],
	["Offshore Wind", "Wind, including hybrids"],
	["Gas + Storage", "Gas"],
	["Other Storage", "Storage"],
	["Pumped Storage", "Hydro, nuclear, geothermal"],
	["Coal", "Other"],
])("%s has the colour of %s", (technology, name) => expect(shadeOfTechnology(technology).name).toBe(name));

test("scores have the colour of their quarter, and unscored requests their own", () => {
	expect([0, 24, 25, 74, 75, 100, null].map((score) => shadeOfScore(score).name)).toEqual([
		"Score below 25",
		"Score below 25",
		"25 to 49",
		"50 to 74",
		"75 and more",
		"75 and more",
		"Not scored",
	]);
});
