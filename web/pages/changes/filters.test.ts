import { expect, test } from "vitest";
import { type Filters, keepDays, queryOf, readFilters, summedDays, writeFilters } from "./filters.ts";

test.each([
	"?since_days=30&region=ISO-NE&change_type=cod_change",
	"?since=2026-11-24&until=2026-11-24&as_of=2026-11-25",
	"?since=2026-01-01&until=2026-03-31&state=TX,NM&developer_id=12",
	"?since_days=7&from=2025-01-01&to=2025-06-30",
])("%s is read and written unchanged", (address) => expect(writeFilters(readFilters(address))).toBe(address));

test.each(["?since_days=0", "?since_days=91", "?since_days=1.5", "?since_days=x&region=", "?as_of=yesterday"])(
	"%s is the last week without filters",
	(search) => expect(writeFilters(readFilters(search))).toBe("?since_days=7"),
);

test.each([
	["", ""],
	["?utm=1", ""],
	["?state=WY", "?state=WY"],
])("%s names no days, and is written as %s", (search, written) =>
	expect(writeFilters(readFilters(search))).toBe(written),
);

test.each<[string, Partial<Filters>, string]>([
	["", { change_type: "cod_change" }, "?change_type=cod_change"],
	["", { as_of: undefined }, "?since_days=7"],
	["", { since_days: 30 }, "?since_days=30&as_of=2026-06-30"],
	["", { since: "2026-06-30", until: "2026-06-30" }, "?since=2026-06-30&until=2026-06-30"],
	[
		"?since=2026-06-01&as_of=2026-06-30",
		{ change_type: "cod_change" },
		"?since=2026-06-01&as_of=2026-06-30&change_type=cod_change",
	],
])("on a page that %j opens on 2026-06-30, the choice %j leads to %j", (search, choice, written) => {
	const inAddress = readFilters(search);
	const shown = { ...inAddress, as_of: "2026-06-30" };
	expect(writeFilters(keepDays(inAddress, shown, { ...shown, ...choice }))).toBe(written);
});

test("past days are not filtered by score", () => {
	const { further } = readFilters("?min_score=60&state=TX");
	expect(queryOf(readFilters("?min_score=60&state=TX"))).toMatchObject(further);
	const ofDay = queryOf(readFilters("?min_score=60&state=TX&as_of=2025-06-30"));
	expect(ofDay).toMatchObject({ state: "TX", as_of: "2025-06-30" });
	expect(ofDay).not.toHaveProperty("min_score");
});

test("the days that are compared are not parameters of /changes", () =>
	expect(queryOf(readFilters("?from=2025-01-01&to=2025-06-30"))).not.toHaveProperty("from"));

test.each([
	["?since_days=30", { since_days: 30, as_of: undefined, isPart: false }],
	["?since=2026-01-01&until=2026-01-31", { since_days: 31, as_of: "2026-01-31", isPart: false }],
	["?since=2026-01-01&until=2026-01-31&as_of=2026-01-15", { since_days: 15, as_of: "2026-01-15", isPart: false }],
	["?since=2025-01-01&until=2026-01-31", { since_days: 90, as_of: "2026-01-31", isPart: true }],
	["?until=2026-01-31", { since_days: 90, as_of: "2026-01-31", isPart: true }],
])("the summary of %s has these days", (search, days) => expect(summedDays(readFilters(search))).toEqual(days));
