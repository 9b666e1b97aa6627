import { expect, test } from "vitest";
import { judgedBy, recordPairs } from "./rolling.ts";

const queues = (...days: string[]) => days.map((asOf) => ({ asOf, lists: [] }));
const inDays = (all: ReturnType<typeof queues>, until = all.length - 1) =>
	recordPairs(all, until).map(({ from, to }) => [all[from]?.asOf, all[to]?.asOf]);

test("a list is judged by the one that lies nearest to a year after it, 10 to 18 months", () => {
	const caiso = queues("2024-07-13", "2025-01-23", "2025-08-11", "2025-12-27", "2026-07-20");
	expect(caiso.map((_, at) => caiso[judgedBy(caiso, at)]?.asOf)).toEqual([
		"2025-08-11",
		"2025-12-27",
		"2026-07-20",
		undefined,
		undefined,
	]);
	expect(judgedBy(queues("2020-11-19", "2024-12-10"), 0)).toBe(-1);
});

test("a record is pairs of lists a year apart, one before the other, at most three, newest first", () => {
	const months = Array.from({ length: 60 }, (_, at) => new Date(Date.UTC(2021, at + 1, 0)).toISOString().slice(0, 10));
	expect(inDays(queues(...months))).toEqual([
		["2024-12-31", "2025-12-31"],
		["2023-12-31", "2024-12-31"],
		["2022-12-31", "2023-12-31"],
	]);
	expect(inDays(queues("2024-07-13", "2025-01-23", "2025-08-11", "2026-07-20"))).toEqual([
		["2025-08-11", "2026-07-20"],
		["2024-07-13", "2025-08-11"],
	]);
});

test("nothing after the day is looked at, and without lists a year apart one pair of months stands in", () => {
	const pjm = queues("2024-08-19", "2025-01-23", "2026-05-05");
	expect(inDays(pjm, 1)).toEqual([["2024-08-19", "2025-01-23"]]);
	expect(inDays(pjm)).toEqual([["2025-01-23", "2026-05-05"]]);
	expect(inDays(pjm, 0)).toEqual([]);
	expect(inDays(queues("2024-12-10", "2025-01-09"))).toEqual([]);
});
