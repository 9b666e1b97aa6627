/** Properties of the score over a grid of its inputs. */
import { describe, expect, test } from "vitest";
import { developerTiers, regions, requestKinds, scoreComponents, statuses } from "#libs/contract/vocabulary.ts";
import { inputs } from "../../../../test/scoring/support/score-inputs.ts";
import { hashInputs } from "./inputs.ts";
import { milestones } from "./milestone.ts";
import { scoreProject } from "./score-project.ts";
import type { ScoreInputs } from "./tables.ts";
import { scoreTables as tables } from "./version.ts";

/** One fault each; the grid takes every combination of the first few and all of them at once. */
const faults: Partial<ScoreInputs>[] = [
	{ cod_position: "past" },
	{ high_ic_cost: true },
	{ duplicate: true },
	{ distress: "Elevated" },
	{ distress: "High" },
];

const credits: Partial<ScoreInputs>[] = [
	{ credit_rate: null, credit_type: null },
	{ credit_rate: 0, credit_type: null },
	{ credit_rate: 0.06 },
	{ credit_rate: 0.3, credit_type: "PTC", credit_conditional: true },
	{ credit_rate: 0.5 },
];

function* grid(): Generator<ScoreInputs> {
	for (const milestone of milestones)
		for (const region of regions)
			for (const developer_tier of developerTiers)
				for (const credit of credits)
					for (const fault of [{}, ...faults, Object.assign({}, ...faults)])
						yield inputs({ milestone, region, developer_tier, ...credit, ...fault });
}

describe("over a grid of inputs, the score", () => {
	test("keeps every component and score an integer from 0 to 100, and names every deduction", () => {
		let bad = 0;
		for (const given of grid()) {
			const { score, components, deductions, explanation } = scoreProject(given, tables);
			const numbers = [score, ...scoreComponents.map((name) => components[name].score)];
			const isWhole = numbers.every((points) => Number.isInteger(points) && points >= 0 && points <= 100);
			const isNamed = deductions.every(({ points, reason }) => explanation.includes(`${reason} (-${points}`));
			const isWorded = !/undefined|NaN|null/.test(explanation) && explanation.endsWith("; not investment advice.");
			if (!isWhole || !isNamed || !isWorded) bad++;
		}
		expect(bad).toBe(0);
	});

	test("gives every score the weighted sum of its components", () => {
		let wrong = 0;
		for (const given of grid()) {
			const { score, components } = scoreProject(given, tables);
			const thousandths = scoreComponents.reduce(
				(sum, name) => sum + components[name].score * Math.round(components[name].weight * 1000),
				0,
			);
			if (score !== Math.floor((thousandths + 500) / 1000)) wrong++;
		}
		expect(wrong).toBe(0);
	});

	test("never raises a score for a deduction", () => {
		for (const milestone of milestones)
			for (const first of [{}, ...faults])
				for (const second of faults) {
					const before = inputs({ milestone, ...first });
					// Two faults of one kind: the graver replaces the other, and the order of the list is that of gravity.
					const isReplaced = Object.keys(second).some((key) => Object.hasOwn(first, key));
					if (isReplaced) continue;
					const after = scoreProject({ ...before, ...second }, tables).score;
					expect(after).toBeLessThanOrEqual(scoreProject(before, tables).score);
				}
	});

	test("never lowers a score for a higher credit, fewer conditions or a better record", () => {
		for (const milestone of milestones) {
			const of = (changed: Partial<ScoreInputs>) => scoreProject(inputs({ milestone, ...changed }), tables).score;
			const rates = Array.from({ length: 61 }, (_, at) => of({ credit_rate: at / 100 }));
			expect(rates).toEqual([...rates].sort((a, b) => a - b));
			expect(of({ credit_conditional: true })).toBeLessThanOrEqual(of({ credit_conditional: false }));
			expect(of({ developer_record: "below" })).toBeLessThanOrEqual(of({ developer_record: "usual" }));
			expect(of({ developer_record: "usual" })).toBeLessThanOrEqual(of({ developer_record: "above" }));
		}
	});

	test("marks only active generation requests with an agreement as investable, by the criteria", () => {
		for (const kind of requestKinds)
			for (const status of statuses)
				for (const has_ia of [true, false])
					for (const milestone of milestones) {
						const { investable, scored, score, chances } = scoreProject(
							inputs({ kind, status, has_ia, milestone }),
							tables,
						);
						const may = kind === "generation" && status === "Active" && has_ia;
						expect(investable).toBe(may && (chances?.p_cod_36?.value ?? 0) >= 0.5);
						expect(scored).toBe(kind === "generation" && (status === "Active" || status === "Suspended"));
						if (!scored) expect(score).toBe(0);
					}
	});

	test("yields the same score for inputs that were stored and read back", () => {
		for (const milestone of milestones)
			for (const credit of credits) {
				const given = inputs({ milestone, ...credit });
				const stored: ScoreInputs = JSON.parse(JSON.stringify(given));
				expect(scoreProject(stored, tables)).toEqual(scoreProject(given, tables));
				expect(hashInputs(stored)).toBe(hashInputs(given));
			}
	});
});
