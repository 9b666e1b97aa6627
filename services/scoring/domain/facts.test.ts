import { describe, expect, test } from "vitest";
import { cumulativeSlipDays } from "./facts.ts";

const moved = (on: string, old: string | null, now: string | null) => ({ on, old, new: now });

describe("total days slipped", () => {
	test("run from the first known date to the present one", () => {
		const moves = [moved("2023-05-01", "2025-01-01", "2025-04-01"), moved("2025-05-01", "2025-04-01", "2025-06-30")];
		expect(cumulativeSlipDays(moves, "2025-06-30")).toBe(180);
	});

	test("are zero without moves, without dates, and if the date moved earlier", () => {
		expect(cumulativeSlipDays([], "2027-01-01")).toBe(0);
		expect(cumulativeSlipDays([], null)).toBe(0);
		expect(cumulativeSlipDays([moved("2025-05-01", null, null)], null)).toBe(0);
		expect(cumulativeSlipDays([moved("2025-05-01", "2027-01-01", "2026-01-01")], "2026-01-01")).toBe(0);
	});

	test("ignore a change that was reversed", () => {
		const moves = [moved("2025-03-01", "2026-01-01", "2062-01-01"), moved("2025-04-01", "2062-01-01", "2026-01-01")];
		expect(cumulativeSlipDays(moves, "2026-01-01")).toBe(0);
	});

	test("are retained if the date is no longer stated", () => {
		const moves = [moved("2025-03-01", "2026-01-01", "2026-03-02"), moved("2025-04-01", "2026-03-02", null)];
		expect(cumulativeSlipDays(moves, null)).toBe(60);
	});
});
