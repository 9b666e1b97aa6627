import { expect, test } from "vitest";
import { readCountyName } from "./county-in-text.ts";

test.each<[string, string, string | null]>([
	["Kern County", "Kern", null],
	[" harris county, tx ", "harris", "TX"],
	["Harris County TX", "Harris", "TX"],
	["Harris County, Texas", "Harris", "TX"],
	["Bell, Texas", "Bell", "TX"],
	["St. John the Baptist Parish, LA", "St. John the Baptist", "LA"],
	["Matanuska-Susitna Borough", "Matanuska-Susitna", null],
	["county line County, OH", "county line", "OH"],
])("%j is a county", (text, county, state) => expect(readCountyName(text)).toEqual({ county, state }));

test.each(["Kern", "County", "Solar, Wind", "Kern County Solar", "Harris TX", "Harris,", ", TX", ""])(
	"%j names no county",
	(text) => expect(readCountyName(text)).toBeUndefined(),
);
