import { expect, test } from "vitest";
import { developerQuery } from "./developer-query.ts";

const words = "(solar OR wind OR energy OR storage OR power) sourcelang:eng";

test("names stand as phrases beside a word of energy", () => {
	expect(developerQuery(["Pine Gate Renewables", "Nofar Energy, Ltd."], "")).toEqual({
		query: `("Nofar Energy Ltd." OR "Pine Gate Renewables") ${words}`,
		last: "Pine Gate Renewables",
	});
});

test("one name alone stands without brackets", () => {
	expect(developerQuery(["Pine Gate"], "")?.query).toBe(`"Pine Gate" ${words}`);
});

test("the names behind the last one follow, and the first ones behind the end", () => {
	expect(developerQuery(["Alpha Sun", "Bravo Sun", "Delta Sun"], "Alpha Sun")?.query).toBe(
		`("Bravo Sun" OR "Delta Sun" OR "Alpha Sun") ${words}`,
	);
	expect(developerQuery(["Alpha Sun", "Bravo Sun"], "Bravo Sun")?.last).toBe("Bravo Sun");
});

test("a question has at most 250 characters, and its last name is where the next begins", () => {
	const names = Array.from({ length: 30 }, (_, at) => `Developer number ${at + 10}`);
	const first = developerQuery(names, "");
	expect(first?.query.length).toBeLessThanOrEqual(250);
	expect(developerQuery(names, first?.last ?? "")?.query).not.toContain(`"${first?.last}"`);
});

test("what would mean something in a question is left out, and so are names that are too short or too long", () => {
	expect(developerQuery([`Sun "Power" (US): -x`], "")?.query).toBe(`"Sun Power US -x" ${words}`);
	expect(developerQuery(["AES", "x".repeat(61), ""], "")).toBeNull();
});
