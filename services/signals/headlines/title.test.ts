/** Headlines as feeds write them, and as a person would. */
import { expect, test } from "vitest";
import { longestTitle, tidyTitle } from "./title.ts";

test.each([
	["Pine Gate 's lenders", "Pine Gate's lenders"],
	["Pine Gate ’s lenders", "Pine Gate’s lenders"],
	["Reeves issues £1 . 5bn loan", "Reeves issues £1.5bn loan"],
	["Exxon to cut 2 , 000 jobs", "Exxon to cut 2,000 jobs"],
	["Good - bye , coal", "Good-bye, coal"],
	["Feds Cancel 6 . 2 - GW Plant", "Feds Cancel 6.2-GW Plant"],
	["Eyes 10 % Share", "Eyes 10% Share"],
	["U . S . Offshore Wind", "U.S. Offshore Wind"],
	["Chevron ( CVX ) Tumbles", "Chevron (CVX) Tumbles"],
	["Block 5 / 6 / 7 Case", "Block 5/6/7 Case"],
	["Is it over ? ", "Is it over?"],
])("GDELT's extra spaces are removed: %s", (raw, tidy) => {
	expect(tidyTitle(raw)).toBe(tidy);
});

test("a hyphen between two capitalised words is kept, because it may precede the publisher", () => {
	expect(tidyTitle("Shell sells unit - Reuters")).toBe("Shell sells unit - Reuters");
});

test("entities are decoded once", () => {
	expect(tidyTitle("PG&amp;E &#8217;s &quot;plan&quot; &#x2013; &amp;lt;b&gt;")).toBe('PG&E’s "plan" – &lt;b>');
});

test("text that is neither an entity nor a character is unchanged", () => {
	expect(tidyTitle("R&D &nosuch; &#0; &#x110000; &#xD800;")).toBe("R&D &nosuch; &#0; &#x110000; \ufffd");
	expect(tidyTitle("&valueOf; &toString;")).toBe("&valueOf; &toString;");
});

test("letters are composed; control, invisible and direction characters are removed", () => {
	expect(tidyTitle("Orste\u0301d\u0000\u202e \u00ad\u200bwind\t\n farm")).toBe("Orstéd wind farm");
});

test("a title has at most 500 characters and no split character", () => {
	expect(tidyTitle("wind ".repeat(1_000_000)).length).toBeLessThanOrEqual(longestTitle);
	expect(tidyTitle(`${"a".repeat(longestTitle - 1)}😀`).isWellFormed()).toBe(true);
});
