/** The bulk files that are due, and the queries for developers' names. */
import { describe, expect, test } from "vitest";
import { buildDeveloperQuery, listBulkFiles } from "./poll.ts";

describe("the bulk files", () => {
	const names = (from: string, to: string) => listBulkFiles(Date.parse(from), Date.parse(to)).map(({ name }) => name);

	test("number 96 a day", () => {
		const files = names("2026-09-18T00:00:00Z", "2026-09-19T00:00:00Z");
		expect(files).toHaveLength(96);
		expect(files.slice(0, 2)).toEqual(["20260918000000.gkg.csv.zip", "20260918001500.gkg.csv.zip"]);
		expect(files.at(-1)).toBe("20260918234500.gkg.csv.zip");
	});

	test("include the start and exclude the end, without rounding into the span", () => {
		expect(names("2026-12-31T23:45:01Z", "2027-01-01T00:15:00Z")).toEqual(["20270101000000.gkg.csv.zip"]);
		expect(names("2026-09-18T00:01:00Z", "2026-09-18T00:14:00Z")).toEqual([]);
		expect(names("2026-09-19T00:00:00Z", "2026-09-18T00:00:00Z")).toEqual([]);
	});
});

const words = "(solar OR wind OR energy OR storage OR power) sourcelang:eng";

test("names are quoted phrases, combined with energy words", () => {
	expect(buildDeveloperQuery(["Pine Gate Renewables", "Nofar Energy, Ltd."], "")).toEqual({
		query: `("Nofar Energy Ltd." OR "Pine Gate Renewables") ${words}`,
		last: "Pine Gate Renewables",
	});
});

test("a single name has no parentheses", () => {
	expect(buildDeveloperQuery(["Pine Gate"], "")?.query).toBe(`"Pine Gate" ${words}`);
});

test("the next query continues after the last name, and wraps around", () => {
	expect(buildDeveloperQuery(["Alpha Sun", "Bravo Sun", "Delta Sun"], "Alpha Sun")?.query).toBe(
		`("Bravo Sun" OR "Delta Sun" OR "Alpha Sun") ${words}`,
	);
	expect(buildDeveloperQuery(["Alpha Sun", "Bravo Sun"], "Bravo Sun")?.last).toBe("Bravo Sun");
});

test("a query has at most 250 characters, and the next one continues after its last name", () => {
	const names = Array.from({ length: 30 }, (_, at) => `Developer number ${at + 10}`);
	const first = buildDeveloperQuery(names, "");
	expect(first?.query.length).toBeLessThanOrEqual(250);
	expect(buildDeveloperQuery(names, first?.last ?? "")?.query).not.toContain(`"${first?.last}"`);
});

test("names with GDELT query syntax, and too short or long names, are omitted", () => {
	expect(buildDeveloperQuery([`Sun "Power" (US): -x`], "")?.query).toBe(`"Sun Power US -x" ${words}`);
	expect(buildDeveloperQuery(["AES", "x".repeat(61), ""], "")).toBeNull();
});
