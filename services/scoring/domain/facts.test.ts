import { describe, expect, test } from "vitest";
import { cumulativeSlipDays, slippedMonths } from "./facts.ts";

const moved = (on: string, old: string | null, now: string | null) => ({ on, old, new: now });
const since = "2024-11-20";

describe("months slipped since a day", () => {
	test("are none without moves, without a date, and where the date came nearer", () => {
		expect(slippedMonths([], "2027-01-01", since)).toBe(0);
		expect(slippedMonths([moved("2025-03-01", "2026-01-01", null)], null, since)).toBe(0);
		expect(slippedMonths([moved("2025-03-01", "2027-01-01", "2026-01-01")], "2026-01-01", since)).toBe(0);
	});

	test("count all moves after the day and none before it or on it", () => {
		const moves = [
			moved("2023-05-01", "2020-01-01", "2024-06-01"),
			moved("2024-11-20", "2024-06-01", "2026-01-01"),
			moved("2025-03-01", "2026-01-01", "2026-07-01"),
			moved("2026-02-01", "2026-07-01", "2027-01-01"),
		];
		expect(slippedMonths(moves, "2027-01-01", since)).toBe(12);
		expect(slippedMonths(moves, "2027-01-01", "2024-11-19")).toBe(31);
		expect(slippedMonths(moves, "2027-01-01", "2026-02-01")).toBe(0);
	});

	test("count a change back against earlier ones", () => {
		const moves = [moved("2025-03-01", "2026-01-01", "2036-01-01"), moved("2025-04-01", "2036-01-01", "2026-03-01")];
		expect(slippedMonths(moves, "2026-03-01", since)).toBe(2);
	});

	test("begin with the first date stated, where none was stated on the day", () => {
		expect(slippedMonths([moved("2025-03-01", null, "2026-01-01")], "2026-01-01", since)).toBe(0);
		const moves = [moved("2025-03-01", null, "2026-01-01"), moved("2025-09-01", "2026-01-01", "2027-02-01")];
		expect(slippedMonths(moves, "2027-02-01", since)).toBe(13);
	});

	test.each([
		["2026-01-15", "2027-01-14", 11],
		["2026-01-15", "2027-01-15", 12],
		["2025-12-31", "2026-12-30", 11],
		["2024-02-29", "2025-02-28", 12],
		["2026-01-31", "2026-02-28", 1],
		["2026-01-31", "2026-02-27", 0],
	])("from %s to %s are %i", (old, cod, months) => {
		expect(slippedMonths([moved("2025-03-01", old, cod)], cod, since)).toBe(months);
	});
});

describe("days slipped in all", () => {
	test("run from the first date known to the present one", () => {
		const moves = [moved("2023-05-01", "2025-01-01", "2025-04-01"), moved("2025-05-01", "2025-04-01", "2025-06-30")];
		expect(cumulativeSlipDays(moves, "2025-06-30")).toBe(180);
	});

	test("are none without moves, without dates, and where the date came nearer", () => {
		expect(cumulativeSlipDays([], "2027-01-01")).toBe(0);
		expect(cumulativeSlipDays([], null)).toBe(0);
		expect(cumulativeSlipDays([moved("2025-05-01", null, null)], null)).toBe(0);
		expect(cumulativeSlipDays([moved("2025-05-01", "2027-01-01", "2026-01-01")], "2026-01-01")).toBe(0);
	});

	test("ignore a change that was reversed", () => {
		const moves = [moved("2025-03-01", "2026-01-01", "2062-01-01"), moved("2025-04-01", "2062-01-01", "2026-01-01")];
		expect(cumulativeSlipDays(moves, "2026-01-01")).toBe(0);
	});

	test("remain where a date is no longer stated", () => {
		const moves = [moved("2025-03-01", "2026-01-01", "2026-03-02"), moved("2025-04-01", "2026-03-02", null)];
		expect(cumulativeSlipDays(moves, null)).toBe(60);
	});
});
