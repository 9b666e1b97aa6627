import { describe, expect, test } from "vitest";
import { developerTiers, grades, scoreComponents } from "#libs/contract/vocabulary.ts";
import { deductionKinds } from "./tables.ts";
import { scoreTables as tables } from "./version.ts";

const keys = (table: object) => Object.keys(table).sort();
const sorted = (words: readonly string[]) => [...words].sort();

describe("the current version", () => {
	test("reads the model that was fitted for it", () => {
		expect(tables.model.version).toBe(tables.version);
	});

	test("weights the five components with non-negative weights of three decimals that sum to 1", () => {
		expect(keys(tables.weights)).toEqual(sorted(scoreComponents));
		const thousandths = Object.values(tables.weights).map((weight) => weight * 1000);
		for (const weight of thousandths) {
			expect(weight).toBeGreaterThanOrEqual(0);
			expect(weight).toBeCloseTo(Math.round(weight), 9);
		}
		expect(thousandths.reduce((sum, weight) => sum + Math.round(weight), 0)).toBe(1000);
	});

	test("has points for every code, each within 0 and 100", () => {
		expect(keys(tables.tiers)).toEqual(sorted(developerTiers));
		expect(keys(tables.deductions)).toEqual(sorted(deductionKinds));
		for (const table of [tables.tiers, tables.deductions])
			for (const points of Object.values(table)) {
				expect(points).toBeGreaterThanOrEqual(0);
				expect(points).toBeLessThanOrEqual(100);
			}
	});

	test("deducts more for higher distress, in whole points", () => {
		const { deductions } = tables;
		expect(deductions.distress_high).toBeGreaterThanOrEqual(deductions.distress_elevated);
		for (const points of Object.values(deductions)) expect(Number.isInteger(points)).toBe(true);
	});

	test("has grades from A down to F, which begins at 0", () => {
		expect(tables.grades.map(({ grade }) => grade)).toEqual(grades);
		const from = tables.grades.map((row) => row.from);
		expect(from).toEqual([...from].sort((a, b) => b - a));
		expect(from.at(-1)).toBe(0);
	});

	test("compares credits with a positive rate, and counts a conditional credit in part", () => {
		expect(tables.credit.fullRate).toBeGreaterThan(0);
		expect(tables.credit.conditionalShare).toBeGreaterThanOrEqual(0);
		expect(tables.credit.conditionalShare).toBeLessThanOrEqual(1);
		expect(tables.developerRecord.above).toBeGreaterThanOrEqual(0);
		expect(tables.developerRecord.below).toBeLessThanOrEqual(0);
	});
});
