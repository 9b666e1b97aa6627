import { expect, it } from "vitest";
import { parentCompany } from "./parents.ts";

it.each([
	["Brookfield", "Brookfield"],
	["AES Corp (take-private pending)", "AES Corp"],
	["municipal", null],
	["Private", null],
	["CPP Investments and GIP", null],
	["management, CDPQ, Blackstone", null],
	["in ch.11 since 2025-11-06", null],
	[null, null],
])("the parent company of %j is %j", (stated, company) => {
	expect(parentCompany(stated)).toBe(company);
});
