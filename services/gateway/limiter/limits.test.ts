import { describe, expect, it } from "vitest";
import { periodOf } from "./limits.ts";

describe("a calendar month", () => {
	it("is in UTC, with the right length and end", () => {
		expect(periodOf("month", new Date("2026-11-30T23:59:59.500Z"))).toEqual({
			name: "2026-11",
			seconds: 30 * 86_400,
			leftSeconds: 1,
			resetsAt: "2026-12-01T00:00:00Z",
		});
		expect(periodOf("month", new Date("2026-12-01T00:00:00Z"))).toMatchObject({
			name: "2026-12",
			leftSeconds: 31 * 86_400,
		});
		expect(periodOf("month", new Date("2028-02-15T00:00:00+14:00"))).toMatchObject({
			name: "2028-02",
			seconds: 29 * 86_400,
		});
		expect(periodOf("month", new Date("2026-12-31T12:00:00Z")).resetsAt).toBe("2027-01-01T00:00:00Z");
	});
});
