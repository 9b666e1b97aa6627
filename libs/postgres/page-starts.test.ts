import { expect, test } from "vitest";
import { PageStarts } from "./page-starts.ts";

test("the last known place with at most so many rows before it is found, wherever it was noted", () => {
	const starts = new PageStarts<string>();
	starts.set("a", 1, [
		[250, "e"],
		[450, "i"],
	]);
	starts.set("a", 1, [[100, "b"]]);
	expect(starts.before("a", 450)).toEqual({ start: [450, "i"], version: 1 });
	expect(starts.before("a", 449)).toEqual({ start: [250, "e"], version: 1 });
	expect(starts.before("a", 1_000_000)).toEqual({ start: [450, "i"], version: 1 });
	expect(starts.before("a", 99)).toBeUndefined();
	expect(starts.before("b", 450)).toBeUndefined();
});

test("what was known of an older version is forgotten with the first page of a newer one", () => {
	const starts = new PageStarts<string>();
	starts.set("a", 1, [[50, "b"]]);
	starts.set("a", 2, [[250, "x"]]);
	expect(starts.before("a", 250)).toEqual({ start: [250, "x"], version: 2 });
	expect(starts.before("a", 249)).toBeUndefined();
});

test("lists and their places are bounded, the oldest go first", () => {
	const starts = new PageStarts<string>();
	for (let row = 1; row < 2_100; row++) starts.set("long", 1, [[row, `${row}`]]);
	expect(starts.before("long", 50)).toBeUndefined();
	expect(starts.before("long", 2_050)).toMatchObject({ start: [2_050, "2050"] });
	for (let list = 0; list < 500; list++) starts.set(`${list}`, 1, [[1, "b"]]);
	expect(starts.before("long", 2_050)).toBeUndefined();
	expect(starts.before("0", 2)).toBeDefined();
});
