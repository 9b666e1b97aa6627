import { expect, test } from "vitest";
import { ago, labelOf, power, safeText } from "./format.ts";

test("power is in GW from 10,000 MW", () => {
	expect([power(0), power(150.25), power(9_998.6), power(10_000), power(1_234_567)]).toEqual([
		"0 MW",
		"150.3 MW",
		"9,999 MW",
		"10.0 GW",
		"1,234.6 GW",
	]);
});

test("names of the API become labels with the field's abbreviations", () =>
	expect(["solar_storage", "cod_change", "capacity_mw"].map(labelOf)).toEqual([
		"Solar storage",
		"COD change",
		"Capacity MW",
	]));

test.each([
	["2026-03-01T00:00:30Z", "just now"],
	["2026-03-01T00:00:00Z", "1 minute ago"],
	["2026-02-27T00:00:00Z", "2 days ago"],
	["2025-03-01T00:00:00Z", "last year"],
])("%s is %s", (moment, text) => expect(ago(moment, Date.parse("2026-03-01T00:01:00Z"))).toBe(text));

test("direction marks and control characters are removed, and long texts are cut", () => {
	expect(safeText("a\u202eb\u0000c")).toBe("abc");
	expect(safeText("x".repeat(10_000))).toHaveLength(201);
});
