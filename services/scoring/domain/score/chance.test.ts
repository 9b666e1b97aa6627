import { describe, expect, test } from "vitest";
import { tablesWith } from "../../../../test/scoring/support/score-inputs.ts";
import {
	builtShare,
	type ChanceFacts,
	chanceFactsOf,
	chanceStageOf,
	chanceStages,
	chancesOf,
	nearestMonth,
	shareWithin,
	withInterval,
} from "./chance.ts";
import { orderedMilestones } from "./milestone.ts";
import { scoreTables } from "./version.ts";

const facts = (changed: Partial<ChanceFacts> = {}): ChanceFacts => ({
	region: "ERCOT",
	stage: "agreement_secured",
	technology: "Solar",
	mw: 200,
	monthsToCod: 10,
	agreementMonths: 18,
	...changed,
});

describe("a chance", () => {
	test("of a plant that the EIA lists as under construction is raised to the share of such units that operate, without ties", () => {
		expect([0, 14.9, 15, 20.9, 21, 60].map(builtShare)).toEqual([0, 0, 0.76, 0.76, 0.84, 0.84]);
		const wind = facts({ region: "NYISO", stage: "agreement", technology: "Offshore Wind", monthsToCod: 23 });
		const [alone, built] = [() => 0, (months: number) => builtShare(months - 19)].map((share) =>
			chancesOf(wind, "NYISO", scoreTables.model, share),
		);
		const chance = alone?.p_cod_36?.value ?? 1;
		expect(chance).toBeLessThan(0.3);
		expect(built).toMatchObject({
			p_cod_24: alone?.p_cod_24,
			p_cod_36: { value: expect.closeTo(1 - 0.24 * (1 - chance), 5) },
		});
		const inErcot = chancesOf(facts({ monthsToCod: 90 }), "ERCOT", scoreTables.model, builtShare);
		expect(inErcot.p_cod_36?.value).toBeGreaterThan(0.84);
		expect(inErcot.p_energized_36?.value).toBeGreaterThanOrEqual(inErcot.p_cod_36?.value ?? 1);
	});

	test("is 1 minus the product of the survival of each period, with partial periods in proportion", () => {
		const { model } = tablesWith(0.6);
		for (const [months, left] of [
			[36, 0.4],
			[18, 0.4 ** 0.5],
			[2, 0.4 ** (2 / 36)],
			[0, 1],
			[60, 0.4 ** (60 / 36)],
			[600, 0.4 ** (60 / 36)],
		] as const)
			expect(shareWithin(facts(), model.commercial, months)).toBeCloseTo(1 - left, 9);
	});

	test("never falls with the months, and stays within 0 and 1, for every stage and date", () => {
		for (const stage of chanceStages)
			for (const monthsToCod of [-400, -12, 0, 3, 24, 90, 400, null])
				for (const agreementMonths of [null, -5, 0, 500]) {
					const chances = [1, 12, 24, 30, 36, 60].map((months) =>
						shareWithin(facts({ stage, monthsToCod, agreementMonths }), scoreTables.model.commercial, months),
					);
					expect(chances).toEqual(chances.toSorted((a, b) => a - b));
					for (const chance of chances) expect(chance > 0 && chance < 1).toBe(true);
				}
	});

	test("of requests with different dates or sizes differs", () => {
		const chances = [10, 10.5, 11, 14].flatMap((monthsToCod) =>
			[100, 101, 200].map((mw) => chancesOf(facts({ monthsToCod, mw }), "ERCOT", scoreTables.model).p_cod_36?.value),
		);
		expect(new Set(chances).size).toBe(chances.length);
	});

	test("of a battery exceeds that of a solar plant in ERCOT and CAISO, and falls short of it elsewhere", () => {
		const { commercial } = scoreTables.model;
		const chance = (region: ChanceFacts["region"], technology: string) =>
			shareWithin(facts({ region, technology }), commercial, 36);
		for (const region of ["ERCOT", "CAISO"] as const)
			expect(chance(region, "Storage")).toBeGreaterThan(chance(region, "Solar"));
		for (const region of ["PJM", "MISO", "SPP"] as const)
			expect(chance(region, "Storage")).toBeLessThan(chance(region, "Solar"));
	});

	test("is lower the further the projected date lies ahead, and the less has been agreed", () => {
		const { commercial } = scoreTables.model;
		const byDate = [3, 12, 24, 36, 60].map((monthsToCod) => shareWithin(facts({ monthsToCod }), commercial, 24));
		expect(byDate).toEqual(byDate.toSorted((a, b) => b - a));
		const stages = ["study", "last_study", "agreement_unsecured", "agreement_secured"] as const;
		const byStage = stages.map((stage) => shareWithin(facts({ stage, monthsToCod: 20 }), commercial, 36));
		expect(byStage).toEqual(byStage.toSorted((a, b) => a - b));
	});

	test("is not lower for a date that passed during late studies or construction, but is lower after an agreement", () => {
		const within = (stage: ChanceFacts["stage"], monthsToCod: number) =>
			shareWithin(facts({ region: "MISO", stage, monthsToCod }), scoreTables.model.commercial, 24);
		for (const stage of ["study", "negotiated", "construction"] as const)
			expect(within(stage, -30)).toBe(within(stage, 0));
		expect(within("agreement", -30)).toBeLessThan(within("agreement", 0));
	});

	test("of energization is stated only for ERCOT, and not for energized requests", () => {
		expect(chancesOf(facts(), "ERCOT", scoreTables.model).p_energized_24).not.toBeNull();
		expect(chancesOf(facts({ stage: "energized" }), "ERCOT", scoreTables.model).p_energized_24).toBeNull();
		const pjm = chancesOf(facts({ region: "PJM" }), "PJM", scoreTables.model);
		expect([pjm.p_energized_36, typeof pjm.p_cod_36?.value]).toEqual([null, "number"]);
	});

	test("is null with a reason for a suspended request and for an operator with few outcomes", () => {
		const none = { p_cod_24: null, p_cod_36: null, p_energized_24: null, p_energized_36: null };
		expect(chancesOf(null, "ERCOT", scoreTables.model)).toEqual({ reason: "suspended", n: 0, ...none });
		const few = chancesOf(facts({ region: "NYISO" }), "NYISO", tablesWith(0.5).model);
		expect(few).toEqual({ reason: "too_few_outcomes", n: 0, ...none });
	});
});

test("the interval contains the chance, and narrows with more requests, but less than if they were independent", () => {
	const widths = [0, 10, 100, 10_000].map((n) => {
		const { value, low, high } = withInterval(0.6, n);
		expect(low <= value && value <= high).toBe(true);
		return high - low;
	});
	expect(widths).toEqual(widths.toSorted((a, b) => b - a));
	expect(widths.at(-1)).toBeGreaterThan(0.3);
	expect(withInterval(0, 50).low).toBe(0);
	expect(withInterval(1, 50).high).toBe(1);
});

test("every milestone but suspended has a stage, and construction in ERCOT is energization", () => {
	for (const milestone of orderedMilestones) expect(chanceStages).toContain(chanceStageOf(milestone, "PJM"));
	expect(chanceStageOf("construction", "ERCOT")).toBe("energized");
	expect(chanceStageOf("suspended", "PJM")).toBeNull();
});

test("the months of a chance are counted from the nearest first of a month", () => {
	expect(["2025-10-31", "2025-11-15", "2025-11-16", "2025-12-31"].map(nearestMonth)).toEqual([
		"2025-11-01",
		"2025-11-01",
		"2025-12-01",
		"2026-01-01",
	]);
	const filed = { region: "PJM", milestone: "agreement_secured", technology: "Wind", capacity_mw: 100 } as const;
	const dated = chanceFactsOf({ ...filed, cod: "2027-11-01", ia_date: "2024-11-01" }, "2025-11-01");
	expect([dated?.monthsToCod, dated?.agreementMonths]).toEqual([expect.closeTo(24, 1), expect.closeTo(12, 1)]);
	expect(chanceFactsOf({ ...filed, cod: null, ia_date: null }, "2025-11-01")).toMatchObject({
		monthsToCod: null,
		agreementMonths: null,
	});
});
