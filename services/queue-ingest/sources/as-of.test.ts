import { expect, test } from "vitest";
import { correctionInName, dateInName, dayInName } from "./as-of.ts";

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

test.each([
	["isone/2024-08-30/report.xlsx", "2024-08-30", "2024-08-30"],
	["ISONE_QueueReport_20240830090927.xlsx", "2024-08-30", "2024-08-30"],
	["publicqueuereport-01052026.xlsx", "2026-01-05", "2026-01-05"],
	["GIS_Report_October2025.xlsx", "2025-10-31", "2025-10-31"],
	["miso/2024-07-approx/queue.csv", "2024-07-01", "2024-07-01"],
	["/data_2026-11/cases/MISO - 2025 - GI Interactive Queue.csv", null, "2025-12-31"],
	["cluster-15-interconnection-requests-2026-01.xlsx", null, "2026-01-01"],
	["2025-01-23/lists/queue.csv", null, "2025-01-23"],
	["PlanningQueues.xlsx", null, null],
])("%s states the day %s, and is dated %s at the latest", (path, day, date) => {
	expect(dayInName(path)).toBe(day);
	expect(dateInName(path)).toBe(date);
});
