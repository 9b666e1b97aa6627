/**
 * Counted outcomes: milestone_progress is the chance p_built in points, iso_posture compares the operator's record with that of such
 * requests in all regions. Both are read from `3.outcomes.csv`, which counts the outcomes within a year of requests that had come as far
 * with a projected date as far ahead in the operator's recent lists, shrunk towards the rate of all operators where they are few. `npm run backtest` fits the
 * table again and says whether it is still the one beside this file; docs/scores.md shows its results on days that it was not fitted on.
 * Beyond these two, age, slip of the date, size and technology showed nothing that held in ERCOT's reports and in the pairs of the other
 * operators (observed and expected differ by less than 0.03 in nearly all classes): they cost nothing any more, nor does a column that
 * an operator does not publish. A credit and the developer's tier are value, not chance.
 */
import { type CountedTables, type OutcomeTable, readOutcomeTable } from "../outcomes.ts";
import { version1 } from "./1.ts";

const version = 3;
let table: OutcomeTable | undefined;

const { tiers, developerRecord, credit, grades, investable } = version1;

export const version3: CountedTables = {
	version,
	title: "The chance that such requests are built or advance, counted in each operator's recent lists",
	// A request with a credit of 30 %, of an unknown developer and without deductions has 65 where its chance is 0.64.
	weights: {
		milestone_progress: 0.7,
		iso_posture: 0.05,
		tax_credit_value: 0.1,
		deal_cleanliness: 0.1,
		developer_tier: 0.05,
	},
	get outcomes() {
		table ??= readOutcomeTable(new URL("./3.outcomes.csv", import.meta.url), version);
		return table;
	},
	tiers,
	developerRecord,
	credit,
	deductions: {
		cod_slipped: 0,
		cod_past: 0,
		queued_over_4_years: 0,
		queued_2_to_4_years: 0,
		no_poi: 0,
		not_located: 0,
		no_cod: 0,
		high_ic_cost: 20,
		duplicate: 10,
		distress_high: 15,
		distress_elevated: 8,
	},
	grades,
	investable,
};
