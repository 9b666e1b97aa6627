/** The investability score of a request: five components, their weighted sum, the grade and the reasons. Pure. */
import { type Grade, type ScoreComponent, scoreComponents } from "#libs/contract/vocabulary.ts";
import { deductionsOf, isOverdue } from "./deductions.ts";
import { explain, explainUnscored } from "./explain.ts";
import { isScored } from "./inputs.ts";
import { roundHalfUp } from "./rounding.ts";
import { type Component, contribution, type Deduction, type Score } from "./score.ts";
import { middlePosture, type ScoreInputs, type ScoreTables } from "./tables.ts";
import { creditWords, deductionWords, developerWords, milestoneWords } from "./words.ts";

/** Throws where the tables have no points for a word of the inputs, as they may be of inputs stored by other code. */
export function scoreProject(inputs: ScoreInputs, tables: ScoreTables): Score {
	if (!isScored(inputs)) return unscored(inputs, tables);
	// What a version deducts nothing for is not listed; a kind that it does not know stays, and is refused below.
	const deductions = deductionsOf(inputs)
		.map((kind) => ({ points: tables.deductions[kind], reason: deductionWords[kind] }))
		.filter(({ points }) => points !== 0);
	const components = componentsOf(inputs, tables, deductions);
	const score = roundHalfUp(scoreComponents.reduce((sum, name) => sum + contribution(components[name]), 0));
	if (Number.isNaN(score)) throw new Error(`version ${tables.version} cannot score ${JSON.stringify(inputs)}`);
	return {
		scored: true,
		score,
		grade: gradeOf(score, tables),
		investable: isInvestable(score, inputs, tables),
		components,
		deductions,
		// Written when it is read: of thousands that are scored, few are.
		get explanation() {
			return explain(this, inputs, tables);
		},
	};
}

/** Not part of a version's arithmetic: a date that has passed without construction says that the plan no longer holds. */
function isInvestable(score: number, inputs: ScoreInputs, { investable }: ScoreTables): boolean {
	return (
		inputs.status === "Active" &&
		!isOverdue(inputs) &&
		score >= investable.score &&
		investable.stages.includes(inputs.stage)
	);
}

function componentsOf(
	inputs: ScoreInputs,
	tables: ScoreTables,
	deductions: readonly Deduction[],
): Record<ScoreComponent, Component> {
	const { weights } = tables;
	const deducted = deductions.reduce((sum, { points }) => sum + points, 0);
	const counted = countedShare(inputs, tables);
	return {
		milestone_progress: {
			score: bounded(tables.milestones[inputs.milestone]),
			weight: weights.milestone_progress,
			value: milestoneWords[inputs.milestone],
		},
		iso_posture: {
			score: bounded(tables.posture[inputs.region] ?? middlePosture),
			weight: weights.iso_posture,
			value:
				tables.posture[inputs.region] === undefined
					? `no usable record of ${inputs.region}'s requests`
					: `${inputs.region}'s record of finishing requests`,
		},
		tax_credit_value: {
			score: creditPoints(inputs, counted, tables),
			weight: weights.tax_credit_value,
			value: creditWords(inputs, counted),
		},
		deal_cleanliness: {
			score: bounded(100 - deducted),
			weight: weights.deal_cleanliness,
			value: deductions.length === 0 ? "no deductions" : deductions.map(({ reason }) => reason).join("; "),
		},
		developer_tier: {
			score: bounded(tables.tiers[inputs.developer_tier] + recordPoints(inputs, tables)),
			weight: weights.developer_tier,
			value: developerWords(inputs),
		},
	};
}

/** Steel in the ground shows the beginning of construction that a conditional credit depends on (signals.md 6.6). */
function countedShare({ credit_conditional, milestone }: ScoreInputs, { credit }: ScoreTables): number {
	return credit_conditional && milestone !== "construction" ? credit.conditionalShare : 1;
}

function creditPoints({ credit_rate }: ScoreInputs, counted: number, { credit }: ScoreTables): number {
	return bounded(Math.min(1, (credit_rate ?? 0) / credit.fullRate) * 100 * counted);
}

function recordPoints({ developer_record }: ScoreInputs, { developerRecord }: ScoreTables): number {
	if (developer_record === "above") return developerRecord.above;
	return developer_record === "below" ? developerRecord.below : 0;
}

function bounded(points: number): number {
	return Math.min(100, Math.max(0, roundHalfUp(points)));
}

function gradeOf(score: number, { grades }: ScoreTables): Grade {
	return grades.find(({ from }) => score >= from)?.grade ?? "F";
}

function unscored(inputs: ScoreInputs, { version, weights }: ScoreTables): Score {
	const none = (name: ScoreComponent): Component => ({ score: 0, weight: weights[name], value: "not scored" });
	return {
		scored: false,
		score: 0,
		grade: "F",
		investable: false,
		components: {
			milestone_progress: none("milestone_progress"),
			iso_posture: none("iso_posture"),
			tax_credit_value: none("tax_credit_value"),
			deal_cleanliness: none("deal_cleanliness"),
			developer_tier: none("developer_tier"),
		},
		deductions: [],
		explanation: explainUnscored(inputs, version),
	};
}
