import type { Handlers } from "#libs/contract/index.ts";
import type { Resources } from "../resources.ts";
import { getCapitalLeaderboard, getDeveloperCapital } from "./capital.ts";
import { exportScores } from "./export-scores.ts";
import { listOperations } from "./lists.ts";
import { readOrigins } from "./origins.ts";
import { getScoreBacktest, readScore } from "./read-score.ts";
import { readScoreHistory } from "./read-score-history.ts";
import { readScoresOn } from "./read-scores-on.ts";
import { describeScoringDatabases, listScoringPipelines, listScoringSources } from "./sources.ts";
import { calculateTaxCredits, readTaxCredit } from "./tax-credits.ts";

/** Every operation this service owns. A missing one does not compile. */
export function operations(resources: Resources): Handlers<"scoring"> {
	const { sql, now } = resources;
	return {
		readScore: readScore(resources),
		readScoreHistory: readScoreHistory(resources),
		readScoresOn: readScoresOn(resources),
		getScoreBacktest: getScoreBacktest(),
		...listOperations(resources),
		exportScores: exportScores(resources),
		calculateTaxCredits: calculateTaxCredits(resources),
		readTaxCredit: readTaxCredit(resources),
		readOrigins: readOrigins(resources),
		getCapitalLeaderboard: getCapitalLeaderboard(sql),
		getDeveloperCapital: getDeveloperCapital(resources),
		listScoringPipelines: listScoringPipelines(sql, now),
		listScoringSources: listScoringSources(sql),
		describeScoringDatabases: describeScoringDatabases(sql),
	};
}
