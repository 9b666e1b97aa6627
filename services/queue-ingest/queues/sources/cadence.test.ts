import { expect, test } from "vitest";
import { listDaysOf, regions } from "#libs/contract/vocabulary.ts";
import { operators } from "./index.ts";

test.each(regions)("the publication interval declared for %s is the shortest interval of its lists", (region) => {
	const { lists } = operators[region];
	expect(listDaysOf(region)).toBe(Math.min(...lists.map(({ cadenceHours }) => cadenceHours / 24)));
});
