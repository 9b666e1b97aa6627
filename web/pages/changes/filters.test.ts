import { expect, test } from "vitest";
import { readFilters, writeFilters } from "./filters.ts";

test("an address says what is shown, and what is shown has an address", () => {
	const filters = { since_days: 30, day: undefined, as_of: undefined, region: "ISO-NE", change_type: "cod_change" };
	expect(readFilters(writeFilters(filters))).toEqual(filters);
	const ofDay = { since_days: 7, day: "2026-11-24", as_of: "2026-11-25", region: undefined, change_type: undefined };
	expect(writeFilters(ofDay)).toBe("?since=2026-11-24&until=2026-11-24&as_of=2026-11-25");
	expect(readFilters(writeFilters(ofDay))).toEqual(ofDay);
});

test.each([
	"",
	"?since_days=0",
	"?since_days=91",
	"?since_days=1.5",
	"?since_days=x&region=",
	"?since=2026-11-24",
	"?as_of=yesterday",
])("%s is a week of all", (search) => {
	expect(readFilters(search)).toEqual({
		since_days: 7,
		day: undefined,
		as_of: undefined,
		region: undefined,
		change_type: undefined,
	});
});
