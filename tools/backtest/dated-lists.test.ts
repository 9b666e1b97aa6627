import { expect, test } from "vitest";
import { newestReports } from "./dated-lists.ts";

test("the last correction of a month's reports is used, and reports are in the order of months", () => {
	const names = [
		"GIS_Report_October2025.xlsx",
		"GIS_Report_July_2020_CORRECTION2.xlsx",
		"GIS_Report_July_2020.xlsx",
		"GIS_Report_July_2020_CORRECTION.xlsx",
		"GIS_Report_April_2020_revised.xlsx",
		"GIS_Report_April_2020.xlsx",
		"README.md",
	];
	expect(newestReports(names.map((name) => `archive/${name}`))).toEqual([
		{ feed: "ercot", asOf: "2020-04-30", path: "archive/GIS_Report_April_2020_revised.xlsx" },
		{ feed: "ercot", asOf: "2020-07-31", path: "archive/GIS_Report_July_2020_CORRECTION2.xlsx" },
		{ feed: "ercot", asOf: "2025-10-31", path: "archive/GIS_Report_October2025.xlsx" },
	]);
});
