/** The investability score: what a request's score is computed from, and the score under any version. */
export { type About, hashInputs, inputsOf, isScored, judgedOn, recordOf } from "./inputs.ts";
export { milestoneOf } from "./milestone.ts";
export { horizonMonths, outcomeDefinition } from "./outcome-cells.ts";
export { type Chance, chanceOf, type VersionTables } from "./outcome-table.ts";
export type { Component, Deduction, Score } from "./score.ts";
export { scoreProject } from "./score-project.ts";
export { cumulativeSlipDays, slippedMonths } from "./slip.ts";
export {
	type DeductionKind,
	deductionKinds,
	type Milestone,
	milestones,
	progress,
	type ScoreInputs,
	type ScoreTables,
} from "./tables.ts";
export { currentVersion, scoreVersions, tablesOf } from "./versions/index.ts";
export { kindWords } from "./words.ts";
