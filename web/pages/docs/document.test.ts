import { expect, test } from "vitest";
import { jsonText } from "./document.ts";

test("direction marks become escapes in equal JSON", () => {
	const value = { name: "a\u202eb\u{e0001}\u0085" };
	expect(jsonText(value)).toBe('{\n  "name": "a\\u202eb\\udb40\\udc01\\u0085"\n}');
	expect(JSON.parse(jsonText(value))).toEqual(value);
});
