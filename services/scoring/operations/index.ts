import type { Handlers } from "#libs/contract/index.ts";
import type { Resources } from "../resources.ts";
import { calculateTaxCredits } from "./calculate-tax-credits.ts";
import { describeScoringDatabases } from "./describe-scoring-databases.ts";
import { exportScores } from "./export-scores.ts";
import { getCapitalLeaderboard } from "./get-capital-leaderboard.ts";
import { getDeveloperCapital } from "./get-developer-capital.ts";
import { getScoreBacktest } from "./get-score-backtest.ts";
import { listInvestable } from "./list-investable.ts";
import { listItcDeals } from "./list-itc-deals.ts";
import { listScoringPipelines } from "./list-scoring-pipelines.ts";
import { listScoringSources } from "./list-scoring-sources.ts";
import { readOrigins } from "./read-origins.ts";
import { readScore } from "./read-score.ts";
import { readScoreHistory } from "./read-score-history.ts";
import { readScoresOn } from "./read-scores-on.ts";
import { readTaxCredit } from "./read-tax-credit.ts";

/** Every operation this service owns. A missing one does not compile. */
export function operations(resources: Resources): Handlers<"scoring"> {
	const { sql, now } = resources;
	return {
		readScore: readScore(resources),
		readScoreHistory: readScoreHistory(resources),
		readScoresOn: readScoresOn(resources),
		getScoreBacktest: getScoreBacktest(),
		listInvestable: listInvestable(resources),
		exportScores: exportScores(resources),
		listItcDeals: listItcDeals(resources),
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
