import { expect, it } from "vitest";
import { namedCounties } from "#libs/counties/find-county.ts";
import { allCorrections, corrected } from "./corrections.ts";
import { locate } from "./geography.ts";

it.each(allCorrections)("$state: $filed is a county only after correction", ({ filed, state, counties }) => {
	expect(namedCounties(state, filed)).toEqual([]);
	const location = locate(filed, state, null);
	expect(location.fips).not.toBeNull();
	expect(location.counties).toHaveLength(counties.length);
});

it("corrects nothing else", () => {
	expect(corrected("Nowhere", "NY")).toBeUndefined();
});
