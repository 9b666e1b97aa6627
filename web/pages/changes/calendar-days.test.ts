import { expect, test } from "vitest";
import { calendarDays, gapsOf, levelOf } from "./calendar-days.ts";

test("a calendar begins on a Monday twelve weeks ago, ends today, and marks days with a list", () => {
	const rows = [
		{ day: "2026-11-24", count: 2 },
		{ day: "2026-11-24", count: 3 },
		{ day: "2025-01-01", count: 9 },
	];
	const lists = [{ region: "MISO", list_days: ["2026-11-23", "2026-11-24"] }];
	const days = calendarDays(rows, lists, new Date("2026-11-25T23:59:59Z"));
	expect(days[0]).toEqual({ day: "2026-08-31", weekday: 0, changes: 0, hasList: false });
	expect(days.slice(-3)).toEqual([
		{ day: "2026-11-23", weekday: 0, changes: 0, hasList: true },
		{ day: "2026-11-24", weekday: 1, changes: 5, hasList: true },
		{ day: "2026-11-25", weekday: 2, changes: 0, hasList: false },
	]);
	expect(days.length).toBe(12 * 7 + 3);
});

test.each([
	[["2026-06-30", "2026-11-24"], ["MISO: no list between 2026-06-30 and 2026-11-24."]],
	[["2026-06-30"], ["MISO: no list since 2026-06-30."]],
	[["2026-06-30", "2026-12-24"], ["MISO: no list between 2026-06-30 and 2026-12-24."]],
	[["2026-11-24"], ["MISO: no list before 2026-11-24."]],
	[["2026-12-24"], ["MISO: no list before 2026-12-24."]],
	[[], ["MISO: no list until 2026-11-25."]],
	[["2026-01-01", "2026-08-01", "2026-08-30", "2026-09-30", "2026-10-30", "2026-11-20"], []],
])("for lists of the days %j it states %j", (list_days, gaps) => {
	expect(gapsOf([{ region: "MISO", list_days }], "2026-08-31", "2026-11-25")).toEqual(gaps);
});

test("operators without lists of the same days share a sentence", () => {
	const lists = ["MISO", "PJM"].map((region) => ({ region, list_days: ["2026-06-30"] }));
	expect(gapsOf(lists, "2026-08-31", "2026-11-25")).toEqual(["MISO, PJM: no list since 2026-06-30."]);
});

test.each([
	[0, 100, 0],
	[1, 10_000, 1],
	[100, 10_000, 3],
	[10_000, 10_000, 4],
	[1, 1, 4],
])("%i of at most %i is level %i", (changes, max, level) => {
	expect(levelOf(changes, max)).toBe(level);
});
