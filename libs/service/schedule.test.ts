import { expect, test } from "vitest";
import { dueAt } from "./schedule.ts";

const now = new Date("2026-03-01T12:00:00Z");
const after = (failures: number) => dueAt({ everyMs: 1_000 }, now, failures, 0).getTime() - now.getTime();

test("an interval is counted from the end of the run", () => expect(after(0)).toBe(1_000));

test("a failed job is retried after one interval, then after increasing pauses of up to 16 intervals", () => {
	expect([1, 2, 3, 4, 5, 6, 60].map(after)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 16_000, 16_000]);
});

test("a time of day stays the same after failures, apart from the jitter", () => {
	const nextAt = (from: Date) => new Date(`${from.toISOString().slice(0, 10)}T18:00:00Z`);
	expect(dueAt({ nextAt }, now, 3, 250).toISOString()).toBe("2026-03-01T18:00:00.250Z");
});
