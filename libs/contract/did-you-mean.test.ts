import { expect, test } from "vitest";
import { didYouMean } from "./did-you-mean.ts";

const words = ["Solar", "Storage", "Wind", "ERCOT", "CAISO"];

test.each([
	["solr", "Solar"],
	["Sotrage", "Storage"],
	["ercto", "ERCOT"],
	["wnid", "Wind"],
	[" CASIO ", "CAISO"],
])("%j is probably %j", (given, word) => expect(didYouMean(given, words)).toBe(`; did you mean "${word}"?`));

test.each(["hydro", "", "xx", 7, null, "s".repeat(1_000)])("%j resembles none", (given) =>
	expect(didYouMean(given, words)).toBe(""),
);
