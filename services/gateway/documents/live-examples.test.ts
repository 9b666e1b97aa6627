import { expect, test } from "vitest";
import { shorten } from "./live-examples.ts";

const row = (n: number) => ({ id: n, name: "x".repeat(100) });

test("the example of a list contains its first two rows, complete", () => {
	expect(shorten({ data: [row(1), row(2), row(3)] }, 1_000)).toEqual({
		value: { data: [row(1), row(2)] },
		isCut: true,
		isWhole: true,
	});
});

test("a short response is unchanged", () => {
	const value = { data: [row(1)], words: ["a", "b", "c"], none: null, yes: true };
	expect(shorten(value, 1_000)).toEqual({ value, isCut: false, isWhole: true });
});

test("one row is shown if two are too long, and only then are its fields and texts shortened", () => {
	expect(shorten([row(1), row(2)], 150)).toEqual({ value: [row(1)], isCut: true, isWhole: true });
	const wide = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`field_${n}`, "y".repeat(200)]));
	const short = shorten(wide, 2_500);
	expect(short).toMatchObject({ isCut: true, isWhole: false });
	expect(Buffer.byteLength(JSON.stringify(short?.value))).toBeLessThanOrEqual(2_500);
	expect(JSON.stringify(short?.value)).toContain("…");
});

test("a response that is too long even when shortened is not shown", () => {
	const deep = { a: { b: { c: { d: "z".repeat(30) } } } };
	expect(shorten(deep, 10)).toBeUndefined();
});
