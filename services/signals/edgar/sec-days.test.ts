import { expect, test } from "vitest";
import { addDays, secDay, workingDays } from "./latest-filings.ts";

test.each([
	["2026-11-18T04:59:00Z", "2026-11-17"],
	["2026-11-18T05:00:00Z", "2026-11-18"],
	["2026-07-01T03:59:00Z", "2026-06-30"],
	["2026-07-01T04:00:00Z", "2026-07-01"],
])("at %s it is %s in New York", (moment, day) => expect(secDay(new Date(moment))).toBe(day));

test("days are counted over months and leap days", () => {
	expect([addDays("2026-12-31", 1), addDays("2024-03-01", -1)]).toEqual(["2027-01-01", "2024-02-29"]);
});

test("weekends and the end day are not counted as working days", () => {
	expect(workingDays("2026-11-13", "2026-11-18", 9)).toEqual(["2026-11-13", "2026-11-16", "2026-11-17"]);
	expect(workingDays("2026-11-13", "2026-12-31", 2)).toEqual(["2026-11-13", "2026-11-16"]);
	expect(workingDays("2026-11-18", "2026-11-18", 9)).toEqual([]);
});
