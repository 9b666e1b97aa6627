import { expect, test } from "vitest";
import { correctionInName } from "./as-of.ts";

test.each([
	["ercot/GIS_Report_July_2020.xlsx", 0],
	["ercot/GIS_Report_July_2020_CORRECTION.xlsx", 1],
	["ercot/GIS_Report_July_2020_CORRECTION2.xlsx", 2],
	["GIS_Report_April_2020_revised.xlsx", 1],
	["GIS_Report_April_2022_Corrected.xlsx", 1],
	["corrected/GIS_Report_July_2020.xlsx", 0],
	["queue of Correctionville.xlsx", 0],
])("%s is correction %d", (path, number) => {
	expect(correctionInName(path)).toBe(number);
});
