import type { Handlers } from "#libs/contract/index.ts";
import type { Resources } from "../resources.ts";
import { capitalOperations } from "./capital.ts";
import { exportScores } from "./export-scores.ts";
import { listOperations } from "./lists.ts";
import { originOperations } from "./origins.ts";
import { readScoreHistory, readScoresOn } from "./published-scores.ts";
import { scoreOperations } from "./read-score.ts";
import { sourceOperations } from "./sources.ts";
import { taxCreditOperations } from "./tax-credits.ts";

/** All operations of this service. A missing one is a compile error. */
export const operations = (resources: Resources): Handlers<"scoring"> => ({
	...scoreOperations(resources),
	readScoreHistory: readScoreHistory(resources),
	readScoresOn: readScoresOn(resources),
	...listOperations(resources),
	exportScores: exportScores(resources),
	...taxCreditOperations(resources),
	...originOperations(resources),
	...capitalOperations(resources),
	...sourceOperations(resources),
});
