import { expect, test } from "vitest";
import { regions } from "#libs/contract/vocabulary.ts";
import { type Candidate, executedAgreements, isInvestable } from "./investable.ts";

const candidate: Candidate = { eligible: true, p_cod_36: 0.5, cod_months: 36, incremental_mw: 5 };

test.each<[Partial<Candidate>, boolean]>([
	[{}, true],
	[{ eligible: false }, false],
	[{ p_cod_36: 0.4999 }, false],
	[{ p_cod_36: null }, false],
	[{ cod_months: 36.01 }, false],
	[{ cod_months: null }, false],
	[{ incremental_mw: 4.99 }, false],
	[{ incremental_mw: null }, false],
])("%j: %s", (changed, expected) => {
	expect(isInvestable({ ...candidate, ...changed })).toBe(expected);
});

test("the criteria can be wider or narrower", () => {
	const wide = { min_p: 0.2, max_months: 60, min_mw: 1 };
	expect(isInvestable({ eligible: true, p_cod_36: 0.2, cod_months: 60, incremental_mw: 1 }, wide)).toBe(true);
	expect(isInvestable(candidate, { min_p: 0.6, max_months: 36, min_mw: 5 })).toBe(false);
});

test("every operator defines what counts as an executed agreement", () => {
	expect(Object.keys(executedAgreements).sort()).toEqual([...regions].sort());
});
