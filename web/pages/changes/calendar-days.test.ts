import { expect, test } from "vitest";
import { calendarDays, levelOf } from "./calendar-days.ts";

test("a calendar begins with a Monday twelve weeks before this one, and ends today", () => {
	const rows = [
		{ day: "2026-11-24", count: 2 },
		{ day: "2026-11-24", count: 3 },
		{ day: "2025-01-01", count: 9 },
	];
	const days = calendarDays(rows, new Date("2026-11-25T23:59:59Z"));
	expect(days[0]).toEqual({ day: "2026-08-31", weekday: 0, changes: 0 });
	expect(days.slice(-2)).toEqual([
		{ day: "2026-11-24", weekday: 1, changes: 5 },
		{ day: "2026-11-25", weekday: 2, changes: 0 },
	]);
	expect(days.length).toBe(12 * 7 + 3);
});

test.each([
	[0, 100, 0],
	[1, 10_000, 1],
	[100, 10_000, 3],
	[10_000, 10_000, 4],
	[1, 1, 4],
])("%i of at most %i is level %i", (changes, most, level) => {
	expect(levelOf(changes, most)).toBe(level);
});
