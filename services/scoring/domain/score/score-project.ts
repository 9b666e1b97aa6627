/** The investability score of a request: five components, their weighted sum, the grade and the reasons. Pure. */
import { type Grade, type ScoreComponent, scoreComponents } from "#libs/contract/vocabulary.ts";
import { explain, explainUnscored } from "./explain.ts";
import { isScored } from "./inputs.ts";
import { type Chance, chanceOf, type VersionTables } from "./outcomes.ts";
import {
	type Component,
	contribution,
	type Deduction,
	deductionsOf,
	isOverdue,
	roundHalfUp,
	type Score,
} from "./score.ts";
import { middlePosture, type ScoreInputs, type ScoreTables } from "./tables.ts";
import { creditWords, deductionWords, developerWords, milestoneWords, outcomeWords, postureWords } from "./words.ts";

/** @throws where the tables have no points for a code of the inputs, which other code may have stored */
export function scoreProject(inputs: ScoreInputs, tables: VersionTables): Score {
	if (!isScored(inputs)) return unscored(inputs, tables);
	// A kind with zero points is not listed; one that the version lacks makes the score NaN, which is refused below.
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
		investable: isEligible(inputs, tables) && score >= tables.investable.score,
		eligible: isEligible(inputs, tables),
		components,
		deductions,
		chance: "outcomes" in tables ? chanceOf(inputs, tables.outcomes) : null,
		// Lazy, because few explanations of thousands of scores are read.
		get explanation() {
			return explain(this, inputs, tables);
		},
	};
}

/** In every version, a date that has passed means that the plan is no longer valid; in inputs from before November 2026 unless it is built. */
function isEligible(inputs: ScoreInputs, { investable }: VersionTables): boolean {
	return (
		inputs.exclusion === undefined &&
		inputs.status === "Active" &&
		!isOverdue(inputs) &&
		investable.stages.includes(inputs.stage)
	);
}

function componentsOf(
	inputs: ScoreInputs,
	tables: VersionTables,
	deductions: readonly Deduction[],
): Record<ScoreComponent, Component> {
	const { weights } = tables;
	const deducted = deductions.reduce((sum, { points }) => sum + points, 0);
	const counted = countedShare(inputs, tables);
	const record =
		"outcomes" in tables ? byOutcomes(inputs, chanceOf(inputs, tables.outcomes)) : byPoints(inputs, tables);
	return {
		milestone_progress: { weight: weights.milestone_progress, ...record.milestone_progress },
		iso_posture: { weight: weights.iso_posture, ...record.iso_posture },
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

type RecordComponents = Record<"milestone_progress" | "iso_posture", Pick<Component, "score" | "value">>;

function byPoints({ milestone, region }: ScoreInputs, { milestones, posture }: ScoreTables): RecordComponents {
	return {
		milestone_progress: { score: bounded(milestones[milestone]), value: milestoneWords[milestone] },
		iso_posture: {
			score: bounded(posture[region] ?? middlePosture),
			value:
				posture[region] === undefined
					? `no usable record of ${region}'s requests`
					: `${region}'s record of finishing requests`,
		},
	};
}

/** The chance in points, and the operator's record compared with that of such requests in all regions, which is 50. */
function byOutcomes({ milestone, region }: ScoreInputs, chance: Chance): RecordComponents {
	return {
		milestone_progress: {
			score: bounded(100 * chance.value),
			value: `${milestoneWords[milestone]}: ${outcomeWords(chance, region)}`,
		},
		iso_posture: {
			score: bounded(middlePosture + 50 * chance.lead),
			value: postureWords(chance, region),
		},
	};
}

/** A conditional credit depends on the beginning of construction, which construction proves (signals.md 6.6). */
function countedShare({ credit_conditional, milestone }: ScoreInputs, { credit }: VersionTables): number {
	return credit_conditional && milestone !== "construction" ? credit.conditionalShare : 1;
}

function creditPoints({ credit_rate }: ScoreInputs, counted: number, { credit }: VersionTables): number {
	return bounded(Math.min(1, (credit_rate ?? 0) / credit.fullRate) * 100 * counted);
}

function recordPoints({ developer_record }: ScoreInputs, { developerRecord }: VersionTables): number {
	if (developer_record === "above") return developerRecord.above;
	return developer_record === "below" ? developerRecord.below : 0;
}

function bounded(points: number): number {
	return Math.min(100, Math.max(0, roundHalfUp(points)));
}

function gradeOf(score: number, { grades }: VersionTables): Grade {
	return grades.find(({ from }) => score >= from)?.grade ?? "F";
}

function unscored(inputs: ScoreInputs, { version, weights }: VersionTables): Score {
	const none = scoreComponents.map((name) => [name, { score: 0, weight: weights[name], value: "not scored" }]);
	return {
		scored: false,
		score: 0,
		grade: "F",
		investable: false,
		eligible: false,
		components: Object.fromEntries(none) as Record<ScoreComponent, Component>,
		deductions: [],
		chance: null,
		explanation: explainUnscored(inputs, version),
	};
}
