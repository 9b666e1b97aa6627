import { expect, test } from "vitest";
import { alertsOf } from "./usage.ts";

const resets_at = "2026-12-01T00:00:00Z";
const month = (used: number, limit: number | null) => ({ of: "month" as const, used, limit, resets_at });

test.each([
	[24, 50, undefined],
	[25, 50, 0.5],
	[39, 50, 0.5],
	[40, 50, 0.8],
	[49, 50, 0.8],
	[50, 50, 1],
	[70, 50, 1],
	[0, 1, undefined],
	[1, 1, 1],
	[1_000, null, undefined],
])("%i of %s triggers the alert at %s", (used, limit, share) => {
	expect(alertsOf([month(used, limit)])).toEqual(
		share === undefined ? [] : [{ of: "month", share, used, limit, resets_at }],
	);
});

test("each limit has its own alert", () => {
	const day = { of: "key_day" as const, used: 9, limit: 10, resets_at: "2026-11-26T00:00:00Z" };
	expect(alertsOf([month(30, 50), day]).map(({ of, share }) => [of, share])).toEqual([
		["month", 0.5],
		["key_day", 0.8],
	]);
});
