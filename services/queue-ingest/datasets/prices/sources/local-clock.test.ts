import { expect, it } from "vitest";
import { createLocalClock, readStamp } from "./local-clock.ts";

const clock = createLocalClock("America/New_York");
const utc = (time: number | undefined) => new Date(time ?? 0).toISOString().slice(0, 16);

it("a day has 24 hours, 23 in spring and 25 in autumn, from local midnight", () => {
	const spans = ["2026-06-04", "2026-03-08", "2025-11-02"].map((day) => clock.hoursOf(day));
	expect(spans.map((hours) => [hours.length, utc(hours[0]?.startsAt), utc(hours.at(-1)?.startsAt)])).toEqual([
		[24, "2026-06-04T04:00", "2026-06-05T03:00"],
		[23, "2026-03-08T05:00", "2026-03-09T03:00"],
		[25, "2025-11-02T04:00", "2025-11-03T04:00"],
	]);
});

it("a repeated autumn hour maps to two times, a skipped spring hour to none", () => {
	const at = (day: string, hour: number) => clock.timesOf({ day, hour, minute: 30, second: 0 }).map(utc);
	expect(at("2025-11-02", 1)).toEqual(["2025-11-02T05:30", "2025-11-02T06:30"]);
	expect(at("2025-11-02", 2)).toEqual(["2025-11-02T07:30"]);
	expect(at("2026-03-08", 2)).toEqual([]);
	expect(clock.dayOf(Date.parse("2026-06-05T03:59:59Z"))).toBe("2026-06-04");
});

it("MISO's clock has no daylight-saving time", () => {
	const hours = createLocalClock("Etc/GMT+5").hoursOf("2026-03-08");
	expect([hours.length, utc(hours[0]?.startsAt)]).toEqual([24, "2026-03-08T05:00"]);
});

it.each([
	["07/18/2022 00:05:00", "2022-07-18", 0, 5, 0],
	["07/18/2022 16:59:05", "2022-07-18", 16, 59, 5],
	["6/1/24 0:00", "2024-06-01", 0, 0, 0],
	["2024/06/01 00:15:00", "2024-06-01", 0, 15, 0],
	["6/16/2025 4:00:00 AM", "2025-06-16", 4, 0, 0],
	["6/16/2025 12:00:00 AM", "2025-06-16", 0, 0, 0],
	["6/16/2025 12:00:00 PM", "2025-06-16", 12, 0, 0],
	["2025-06-16T13:00:00", "2025-06-16", 13, 0, 0],
])("%s is read", (written, day, hour, minute, second) => {
	expect(readStamp(written)).toEqual({ day, hour, minute, second });
});

it.each(["2/30/2024 0:00", "6/1/24", "6/1/24 24:00", "6/1/24 13:00 PM", "0/1/24 1:00", "tomorrow", null])(
	"%s is not a time",
	(written) => {
		expect(readStamp(written)).toBeNull();
	},
);
