import { expect, test } from "vitest";
import { wellFormed } from "./in-thread.ts";

test("lone surrogates are replaced at any depth, in values and names; everything else is unchanged", () => {
	const day = new Date(0);
	const bytes = new Uint8Array([1, 2]);
	const value = {
		name: "a\ud800b",
		rows: [["x", "\udc00", null, 1, true], ["é😀"]],
		raw: { "k\ud800": { deep: "\ud800" } },
		day,
		bytes,
	};
	expect(wellFormed(value)).toEqual({
		...{ name: "a\ufffdb", rows: [["x", "\ufffd", null, 1, true], ["é😀"]] },
		...{ raw: { "k\ufffd": { deep: "\ufffd" } }, day, bytes },
	});
	expect(wellFormed("\ud800")).toBe("\ufffd");
	expect(wellFormed(undefined)).toBe(undefined);
});
