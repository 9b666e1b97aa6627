import { expect, test } from "vitest";
import { PageStarts } from "./page-starts.ts";

test("the nearest known beginning at or before a page is found, not one that is far", () => {
	const starts = new PageStarts<string>();
	starts.set("a", 1, { page: 5, after: "e" });
	starts.set("a", 1, { page: 9, after: "i" });
	expect(starts.before("a", 9)).toEqual({ page: 9, after: "i", version: 1 });
	expect(starts.before("a", 8)).toEqual({ page: 5, after: "e", version: 1 });
	expect(starts.before("a", 4)).toBeUndefined();
	expect(starts.before("a", 200)).toBeUndefined();
	expect(starts.before("b", 9)).toBeUndefined();
});

test("what was known of an older version is forgotten with the first page of a newer one", () => {
	const starts = new PageStarts<string>();
	starts.set("a", 1, { page: 2, after: "b" });
	starts.set("a", 2, { page: 5, after: "x" });
	expect(starts.before("a", 5)).toEqual({ page: 5, after: "x", version: 2 });
	expect(starts.before("a", 4)).toBeUndefined();
});

test("lists and their pages are bounded, the oldest go first", () => {
	const starts = new PageStarts<string>();
	for (let page = 2; page < 2_100; page++) starts.set("long", 1, { page, after: `${page}` });
	expect(starts.before("long", 50)).toBeUndefined();
	expect(starts.before("long", 2_050)).toMatchObject({ page: 2_050 });
	for (let list = 0; list < 500; list++) starts.set(`${list}`, 1, { page: 2, after: "b" });
	expect(starts.before("long", 2_050)).toBeUndefined();
	expect(starts.before("0", 2)).toBeDefined();
});
