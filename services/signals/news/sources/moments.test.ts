import { describe, expect, test } from "vitest";
import { parseCompactTime, parseFeedTime } from "./moments.ts";

describe("compactMoment", () => {
	test("reads GDELT's two forms as UTC", () => {
		expect(parseCompactTime("20260918T031500Z")).toBe("2026-09-18T03:15:00Z");
		expect(parseCompactTime("20260918031500")).toBe("2026-09-18T03:15:00Z");
	});

	test.each([
		"",
		"20260231T000000Z",
		"20260918T241500Z",
		"20261318T031500Z",
		"2026-09-18",
		"00000000000000",
		"x".repeat(1e7),
	])("%.20s is not a time", (stamp) => {
		expect(parseCompactTime(stamp)).toBeNull();
	});
});

describe("feedMoment", () => {
	test.each([
		["Fri, 18 Sep 2026 03:15:00 GMT"],
		["Fri, 18 Sep 2026 03:15:00 +0000"],
		["Fri, 18 Sep 2026 03:15:00 Z"],
		["Fri, 18 Sep 2026 03:15 UT"],
		["18 Sep 2026 03:15:00"],
		["Fri, 18 Sep 26 03:15:00 GMT"],
		["Tuesday, 18 September 2026 03:15:00 GMT"],
		["fri, 18 sept. 2026 03:15:00 gmt"],
		["18-Sep-2026 03:15:00 GMT"],
		["Thu, 17 Sep 2026 23:15:00 -0400"],
		["Thu, 17 Sep 2026 23:15:00 -04:00"],
		["Thu, 17 Sep 2026 23:15:00 EDT"],
		["Thu, 17 Sep 2026 23:15:00 GMT-0400"],
		["Thu, 17 Sep 2026 20:15:00 PDT (Pacific)"],
		["Thu,  17  Sep\n2026 22:15:00 EST"],
		["2026-09-18T03:15:00Z"],
		["2026-09-18T03:15:00.123456Z"],
		["2026-09-18T03:15:00+00:00"],
		["2026-09-17T23:15:00-0400"],
		["2026-09-17T23:15-04:00"],
		["2026-09-18 03:15:00"],
		["2026-09-18 03:15:00 UTC"],
		["2026-09-18 03:15:00+00:00"],
		["Sep 17, 2026 11:15 PM EDT"],
		["Thursday, September 17, 2026 - 11:15pm EDT"],
		["September 18th, 2026 at 3:15 a.m."],
		["09/18/2026 - 03:15"],
		["Fri, 09/18/2026 - 03:15"],
		["20260918T031500Z"],
	])("reads %j", (written) => {
		expect(parseFeedTime(written)).toBe("2026-09-18T03:15:00Z");
	});

	test("a date without a time is midnight", () => {
		for (const day of ["2026-09-18", "18 Sep 2026", "September 18, 2026", "9/18/2026"]) {
			expect(parseFeedTime(day)).toBe("2026-09-18T00:00:00Z");
		}
	});

	test("noon and midnight in 12-hour notation are distinguished", () => {
		expect(parseFeedTime("Sep 18, 2026 12:05 AM")).toBe("2026-09-18T00:05:00Z");
		expect(parseFeedTime("Sep 18, 2026 12:05 PM")).toBe("2026-09-18T12:05:00Z");
	});

	test("a leap second is the last second of its minute", () => {
		expect(parseFeedTime("2016-12-31T23:59:60Z")).toBe("2016-12-31T23:59:59Z");
	});

	test.each([
		"",
		"yesterday",
		"Fri, 31 Feb 2026 03:15:00 GMT",
		"Fri, 18 Foo 2026 03:15:00 GMT",
		"Fri, 18 Sep 2026 25:15:00 GMT",
		"Fri, 18 Sep 2026 03:15:00 XYZ",
		"Fri, 18 Sep 2026 03:15:00 +9900",
		"Fri, 18 Sep 2026 13:15 PM",
		"Thu, 01 Jan 1970 00:00:00 GMT",
		"0001-01-01T00:00:00Z",
		"1789700000",
		" ".repeat(5_000_000),
		"Fri, ".repeat(1_000_000),
	])("%.40j is not a time", (written) => {
		expect(parseFeedTime(written)).toBeNull();
	});
});
