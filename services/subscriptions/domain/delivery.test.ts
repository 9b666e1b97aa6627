import { expect, test } from "vitest";
import { isDue, nextAttempt, retryForMs } from "./delivery.ts";

const first = new Date("2026-11-21T10:00:00Z");

test("pauses grow from five seconds to eight hours, and the last attempt is three days after the first", () => {
	const pauses: number[] = [];
	let now = first;
	for (let attempts = 1; ; attempts++) {
		const next = nextAttempt(attempts, first, now, 5_000);
		if (next === null) break;
		pauses.push((next.getTime() - now.getTime()) / 1_000);
		now = next;
	}
	expect(pauses.slice(0, 5)).toEqual([5, 15, 45, 135, 405]);
	expect(Math.max(...pauses)).toBe(8 * 3_600);
	expect(now.getTime() - first.getTime()).toBe(retryForMs);
	expect(pauses.length).toBe(17);
});

test("an attempt that ends more than three days after the first is the last", () => {
	expect(nextAttempt(3, first, new Date(first.getTime() + retryForMs + 1), 5_000)).toBeNull();
	expect(nextAttempt(3, first, new Date(first.getTime() + retryForMs - 1), 5_000)).toEqual(
		new Date(first.getTime() + retryForMs),
	);
});

test("an attempt planned while the clock was a day ahead is due once the clock is right; a clock an hour behind does not make it due", () => {
	const ahead = new Date(first.getTime() + 86_400_000);
	const planned = nextAttempt(1, ahead, ahead, 5_000) ?? first;
	expect([isDue(planned, first), isDue(planned, ahead), isDue(planned, new Date(ahead.getTime() - 3_600_000))]).toEqual(
		[true, false, false],
	);
});
