import { expect, test } from "vitest";
import type { Region } from "../../libs/contract/vocabulary.ts";
import { tableOf } from "../../services/scoring/domain/score/outcomes.ts";
import { factsOf } from "../../test/scoring/support/score-inputs.ts";
import { fitOutcomes } from "./fit-outcomes.ts";
import type { Transition } from "./transitions.ts";

const from = "2025-01-23";

/** Requests of one region; the others of the operator are early ones that are lost. */
function some(region: Region, counts: Partial<Record<Transition["outcome"], number>>, early = 300): Transition[] {
	const agreed = { region, cod: "2026-06-30" };
	const begun = { study_phase: "SIS", construction_stage: "early", ia_status: "System Impact Study" } as const;
	return [
		...Object.entries(counts).flatMap(([outcome, n]) =>
			Array.from({ length: n }, () => ({ facts: factsOf(agreed), from, to: "2026-01-23", outcome }) as Transition),
		),
		...Array.from(
			{ length: early },
			() => ({ facts: factsOf({ ...agreed, ...begun }), from, to: "2026-01-23", outcome: "lost" }) as Transition,
		),
	];
}

const cellOf = (records: ReadonlyMap<Region, Transition[]>, region: Region) =>
	tableOf(fitOutcomes(3, records)).operators.get(region)?.get("agreement 1_to_2_years");

test("many counts stay what they are, few are drawn towards the pooled rate", () => {
	const records = new Map<Region, Transition[]>([
		["ERCOT", some("ERCOT", { built: 500, advancing: 300, waiting: 150, lost: 50 })],
		["CAISO", some("CAISO", { waiting: 5 })],
	]);
	expect(cellOf(records, "ERCOT")).toMatchObject({
		requests: 1000,
		built: 500,
		advancing: 300,
		waiting: 150,
		lost: 50,
	});
	expect(cellOf(records, "ERCOT")?.value).toBeCloseTo(0.8, 1);
	const drawn = cellOf(records, "CAISO")?.value ?? 0;
	expect(drawn).toBeGreaterThan(0.3);
	expect(drawn).toBeLessThan(0.8);
});

test("an operator with fewer than 200 outcomes has no record of its own, and counts in the pool", () => {
	const records = new Map<Region, Transition[]>([["NYISO", some("NYISO", { built: 40 }, 100)]]);
	const table = tableOf(fitOutcomes(3, records));
	expect(table.operators.size).toBe(0);
	expect(table.pooled.get("agreement 1_to_2_years")).toMatchObject({ requests: 40, built: 40 });
});

test("a later stage never has a smaller chance than an earlier one, and an interval holds its value", () => {
	const records = new Map<Region, Transition[]>([["ERCOT", some("ERCOT", { lost: 400 })]]);
	const { operators } = tableOf(fitOutcomes(3, records));
	const values = ["early", "study", "last_study", "negotiated", "agreement_unsecured", "agreement", "construction"].map(
		(stage) => operators.get("ERCOT")?.get(`${stage} 1_to_2_years`)?.value ?? -1,
	);
	expect(values).toEqual([...values].sort((a, b) => a - b));
	for (const { value, low, high } of operators.get("ERCOT")?.values() ?? []) {
		expect(low).toBeLessThanOrEqual(value);
		expect(high).toBeGreaterThanOrEqual(value);
	}
});
