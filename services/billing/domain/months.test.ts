import { expect, test } from "vitest";
import { daysOf, firstDayOf, isMonth, monthOf } from "./months.ts";

test("a time belongs to its month in UTC", () => {
	expect(monthOf(new Date("2026-11-30T23:59:59.999Z"))).toBe("2026-11");
	expect(monthOf(new Date("2026-12-01T00:30:00+01:00"))).toBe("2026-11");
	expect(monthOf(new Date("2026-12-01T00:00:00Z"))).toBe("2026-12");
});

test("only a valid calendar month is accepted", () => {
	expect(["2026-01", "2024-02", "2026-12"].filter(isMonth)).toEqual(["2026-01", "2024-02", "2026-12"]);
	expect(["2026-00", "2026-13", "0000-01", "2026-1", "2026", "2026-011", ""].filter(isMonth)).toEqual([]);
	expect(firstDayOf("2026-02")).toBe("2026-02-01");
});

test("a month has the right number of days, including February in leap years", () => {
	expect(daysOf("2026-11").at(0)).toBe("2026-11-01");
	expect(["2026-11", "2026-12", "2026-02", "2024-02"].map((month) => daysOf(month).at(-1))).toEqual([
		"2026-11-30",
		"2026-12-31",
		"2026-02-28",
		"2024-02-29",
	]);
	expect(daysOf("2024-02").length).toBe(29);
});
