import { expect, test } from "vitest";
import { dayFromNumber, dayNumber, mergeListDays, sliderStop } from "./list-days.ts";

const days = mergeListDays([{ list_days: ["2026-01-10", "2026-03-01"] }, { list_days: ["2026-02-01", "2026-03-01"] }]);
const today = dayNumber("2026-04-01");
const rest = (from: string, to: string) => dayFromNumber(sliderStop(days, dayNumber(from), dayNumber(to), today));

test("days of all operators are in order, each with its number of lists", () =>
	expect(days.map(({ day, operators }) => [dayFromNumber(day), operators])).toEqual([
		["2026-01-10", 1],
		["2026-02-01", 1],
		["2026-03-01", 2],
	]));

test.each([
	["2026-03-01", "2026-02-28", "2026-02-01"],
	["2026-02-01", "2026-02-02", "2026-03-01"],
	["2026-04-01", "2026-03-20", "2026-03-01"],
	["2026-03-01", "2026-03-02", "2026-04-01"],
	["2026-02-01", "2026-01-01", "2026-01-01"],
	["2026-03-01", "2026-05-01", "2026-04-01"],
])("moved from %s to %s it stops at %s", (from, to, at) => expect(rest(from, to)).toBe(at));
