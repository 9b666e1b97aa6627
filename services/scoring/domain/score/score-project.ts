/** Computes the investability score of a request: five components, their weighted sum, the grade and the reasons. Pure. */
import { type Grade, type ScoreComponent, scoreComponents } from "#libs/contract/vocabulary.ts";
import {
	builtShare,
	type Chances,
	chanceFactsOf,
	chancesOf,
	combineChances,
	countComparable,
	monthsFrom,
	shareWithin,
} from "./chance.ts";
import { explain, explainUnscored } from "./explain.ts";
import { isScored } from "./inputs.ts";
import { isInvestable, neverInvestable } from "./investable.ts";
import { type Component, contribution, type Deduction, deductionsOf, roundHalfUp, type Score } from "./score.ts";
import { middlePosture, type ScoreInputs, type ScoreTables } from "./tables.ts";
import {
	deductionWords,
	describeChance,
	describeCredit,
	describeDeveloper,
	describePosture,
	milestoneWords,
} from "./words.ts";

/** @throws if the tables have no points for a code in the inputs, which another version of the code may have stored */
export function scoreProject(inputs: ScoreInputs, tables: ScoreTables): Score {
	if (!isScored(inputs)) return createUnscored(inputs, tables);
	// Deductions of zero points are not listed. One that the version lacks makes the score NaN, which is refused below.
	const deductions = deductionsOf(inputs)
		.map((kind) => ({ points: tables.deductions[kind], reason: deductionWords[kind] }))
		.filter(({ points }) => points !== 0);
	const chances = chancesIn(inputs, tables);
	const components = componentsOf(inputs, tables, deductions, chances);
	const score = roundHalfUp(scoreComponents.reduce((sum, name) => sum + contribution(components[name]), 0));
	if (Number.isNaN(score)) throw new Error(`version ${tables.version} cannot score ${JSON.stringify(inputs)}`);
	const candidate = {
		eligible: isEligible(inputs),
		p_cod_36: chances.p_cod_36?.value ?? null,
		cod_months: inputs.cod === null ? null : monthsFrom(inputs.judged_from ?? inputs.cod, inputs.cod),
		incremental_mw: inputs.incremental_mw,
	};
	return {
		scored: true,
		score,
		grade: gradeOf(score, tables),
		candidate,
		investable: isInvestable(candidate),
		components,
		deductions,
		chances,
		// Computed on demand, because few of the thousands of explanations are read.
		get explanation() {
			return explain(this, inputs, tables);
		},
	};
}

/** The chance of operation within `months` (at most 60) of the list's day, for a deadline; null if no chance is stated. */
export function chanceWithin(inputs: ScoreInputs, { model }: ScoreTables, months: number): number | null {
	const facts = chanceFacts(inputs);
	if (facts === null || countComparable(facts, inputs.region, model).reason !== null) return null;
	return combineChances(shareWithin(facts, model.commercial, months), shareBuiltWithin(inputs, months));
}

/** The share of plants with such an EIA report of construction that operate within `months`; 0 without a report. */
function shareBuiltWithin({ judged_from, construction_reported }: ScoreInputs, months: number): number {
	if (judged_from === null || construction_reported === undefined) return 0;
	return builtShare(Math.round(months - monthsFrom(judged_from, construction_reported)));
}

const chancesIn = (inputs: ScoreInputs, { model }: ScoreTables): Chances =>
	chancesOf(chanceFacts(inputs), inputs.region, model, (months) => shareBuiltWithin(inputs, months));

const chanceFacts = (inputs: ScoreInputs) =>
	inputs.judged_from === null ? null : chanceFactsOf(inputs, inputs.judged_from);

/** Whether it meets the criteria of investability without numbers: active, with an agreement, not built, its date ahead or only overdue. */
const isEligible = ({ exclusion, status, has_ia, cod_position }: ScoreInputs): boolean =>
	exclusion === undefined && status === "Active" && has_ia && (cod_position === "ahead" || cod_position === "overdue");

function componentsOf(
	inputs: ScoreInputs,
	tables: ScoreTables,
	deductions: readonly Deduction[],
	chances: Chances,
): Record<ScoreComponent, Component> {
	const { weights, model } = tables;
	const deducted = deductions.reduce((sum, { points }) => sum + points, 0);
	const counted = countedShare(inputs, tables);
	const lead = model.leads[inputs.region];
	return {
		milestone_progress: {
			score: roundPoints(100 * (chances.p_cod_36?.value ?? 0)),
			weight: weights.milestone_progress,
			value: `${milestoneWords[inputs.milestone]}: ${describeChance(chances, inputs)}`,
		},
		iso_posture: {
			score: roundPoints(middlePosture + 50 * (lead ?? 0)),
			weight: weights.iso_posture,
			value: describePosture(lead, inputs.region),
		},
		tax_credit_value: {
			score: creditPoints(inputs, counted, tables),
			weight: weights.tax_credit_value,
			value: describeCredit(inputs, counted),
		},
		deal_cleanliness: {
			score: roundPoints(100 - deducted),
			weight: weights.deal_cleanliness,
			value: deductions.length === 0 ? "no deductions" : deductions.map(({ reason }) => reason).join("; "),
		},
		developer_tier: {
			score: roundPoints(tables.tiers[inputs.developer_tier] + recordPoints(inputs, tables)),
			weight: weights.developer_tier,
			value: describeDeveloper(inputs),
		},
	};
}

/** The share at which the credit counts. A conditional credit depends on the beginning of construction, which construction proves (signals.md 6.6). */
function countedShare({ credit_conditional, milestone }: ScoreInputs, { credit }: ScoreTables): number {
	return credit_conditional && milestone !== "construction" ? credit.conditionalShare : 1;
}

function creditPoints({ credit_rate }: ScoreInputs, counted: number, { credit }: ScoreTables): number {
	return roundPoints(Math.min(1, (credit_rate ?? 0) / credit.fullRate) * 100 * counted);
}

function recordPoints({ developer_record }: ScoreInputs, { developerRecord }: ScoreTables): number {
	if (developer_record === "above") return developerRecord.above;
	return developer_record === "below" ? developerRecord.below : 0;
}

function roundPoints(points: number): number {
	return Math.min(100, Math.max(0, roundHalfUp(points)));
}

function gradeOf(score: number, { grades }: ScoreTables): Grade {
	return grades.find(({ from }) => score >= from)?.grade ?? "F";
}

function createUnscored(inputs: ScoreInputs, { version, weights }: ScoreTables): Score {
	const none = scoreComponents.map((name) => [name, { score: 0, weight: weights[name], value: "not scored" }]);
	return {
		scored: false,
		score: 0,
		grade: "F",
		candidate: neverInvestable,
		investable: false,
		components: Object.fromEntries(none) as Record<ScoreComponent, Component>,
		deductions: [],
		chances: null,
		explanation: explainUnscored(inputs, version),
	};
}
