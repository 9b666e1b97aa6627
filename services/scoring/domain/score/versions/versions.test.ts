import { describe, expect, test } from "vitest";
import { constructionStages, developerTiers, grades, regions, scoreComponents } from "#libs/contract/vocabulary.ts";
import { deductionKinds, middlePosture, milestones, progress } from "../tables.ts";
import { version1 } from "./1.ts";
import { version2 } from "./2.ts";
import { currentVersion, scoreVersions } from "./index.ts";

const keys = (table: object) => Object.keys(table).sort();
const sorted = (words: readonly string[]) => [...words].sort();

test("version numbers are 1 to the current one, and each version is registered under its own number", () => {
	expect([...scoreVersions.keys()]).toEqual(Array.from({ length: currentVersion }, (_, at) => at + 1));
	for (const [version, tables] of scoreVersions) expect(tables.version).toBe(version);
});

describe.each([...scoreVersions.values()])("version $version", (tables) => {
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

	test("deducts more for the longer wait and for the graver distress, and whole points", () => {
		const { deductions } = tables;
		expect(deductions.queued_over_4_years).toBeGreaterThanOrEqual(deductions.queued_2_to_4_years);
		expect(deductions.distress_high).toBeGreaterThanOrEqual(deductions.distress_elevated);
		for (const points of Object.values(deductions)) expect(Number.isInteger(points)).toBe(true);
	});

	test("grades from A down to F, which begins at 0", () => {
		expect(tables.grades.map(({ grade }) => grade)).toEqual(grades);
		const from = tables.grades.map((row) => row.from);
		expect(from).toEqual([...from].sort((a, b) => b - a));
		expect(from.at(-1)).toBe(0);
	});

	test("rates credits against a positive rate, and a conditional one at part of its worth", () => {
		expect(tables.credit.fullRate).toBeGreaterThan(0);
		expect(tables.credit.conditionalShare).toBeGreaterThanOrEqual(0);
		expect(tables.credit.conditionalShare).toBeLessThanOrEqual(1);
		expect(tables.developerRecord.above).toBeGreaterThanOrEqual(0);
		expect(tables.developerRecord.below).toBeLessThanOrEqual(0);
	});

	test("calls nothing investable at an early stage", () => {
		const closed = ["operational", "withdrawn", "suspended"] as const;
		for (const stage of tables.investable.stages) {
			expect(constructionStages).toContain(stage);
			expect(closed).not.toContain(stage);
		}
	});
});

describe.each([version1, version2])("version $version, whose milestones are points,", (tables) => {
	test("has points for every milestone and for regions alone, each within 0 and 100", () => {
		expect(keys(tables.milestones)).toEqual(sorted(milestones));
		expect(regions).toEqual(expect.arrayContaining(keys(tables.posture)));
		for (const points of [tables.milestones, tables.posture].flatMap((table) => Object.values(table))) {
			expect(points).toBeGreaterThanOrEqual(0);
			expect(points).toBeLessThanOrEqual(100);
		}
	});

	test("gives a later milestone no fewer points than an earlier one", () => {
		const points = progress.map((milestone) => tables.milestones[milestone]);
		expect(points).toEqual([...points].sort((a, b) => a - b));
	});

	test("gives a suspended request fewer points than any with an agreement", () => {
		expect(tables.milestones.suspended).toBeLessThan(tables.milestones.agreement_unsecured);
	});
});

describe("version 1 is the domain sheet's formula", () => {
	test("in its weights", () => {
		expect(version1.weights).toEqual({
			milestone_progress: 0.45,
			iso_posture: 0.15,
			tax_credit_value: 0.15,
			deal_cleanliness: 0.15,
			developer_tier: 0.1,
		});
	});

	test("in its milestones", () => {
		expect(version1.milestones).toMatchObject({
			not_started: 10,
			feasibility: 15,
			cluster_phase_1: 20,
			impact_study: 25,
			full_study: 25,
			impact_study_complete: 35,
			cluster_phase_2: 35,
			facilities_study_pjm: 35,
			facilities_study: 45,
			full_study_complete: 45,
			agreement_negotiated: 55,
			agreement_unsecured: 60,
			agreement_executed: 60,
			agreement_secured: 70,
			construction: 90,
			suspended: 15,
		});
	});

	test("in its tiers, deductions, grades and the rule of what is investable", () => {
		expect(Object.values(version1.tiers)).toEqual([90, 85, 75, 70, 65, 45, 30]);
		expect(Object.values(version1.deductions)).toEqual([25, 15, 30, 10, 15, 10, 10, 20, 10, 15, 8]);
		expect(version1.grades.map(({ from }) => from)).toEqual([80, 65, 50, 35, 0]);
		expect(version1.investable).toEqual({ score: 65, stages: ["mid", "late", "construction"] });
	});

	// Share built and median months from request to operation of LBNL's requests of 2000-2020; built after the agreement where the
	// dates of withdrawn requests' agreements are known (queues.md 7.1).
	test.each([
		["ERCOT", 29.6, 79.7, 44.3],
		["PJM", 20.5, null, 37.9],
		["NYISO", 19.4, 70, 55.3],
		["MISO", 18.1, 34.9, 39.1],
		["CAISO", 12.1, null, 70.5],
	] as const)("in the posture of %s", (region, built, afterAgreement, months) => {
		const posture =
			50 + 1.5 * (built - 17) + (afterAgreement === null ? 0 : 0.25 * (afterAgreement - 60)) - 0.3 * (months - 45);
		expect(version1.posture[region]).toBe(Math.round(Math.min(90, Math.max(20, posture))));
	});

	test("in the posture of regions with little or no record", () => {
		expect(version1.posture.SPP).toBe(Math.round(50 + 1.5 * (15 - 17)));
		expect(regions.filter((region) => version1.posture[region] === undefined)).toEqual(["ISO-NE"]);
		expect(middlePosture).toBe(50);
	});
});

test("version 2 is version 1 with the fitted weights and posture, and every region has a record", () => {
	const { version, title, weights, posture } = version2;
	expect(version2).toEqual({ ...version1, version, title, weights, posture });
	expect(Object.values(weights)).toEqual([0.6, 0.15, 0.05, 0.1, 0.1]);
	expect(posture).toEqual({ PJM: 32, MISO: 32, ERCOT: 90, CAISO: 66, NYISO: 34, SPP: 39, "ISO-NE": 40 });
});
