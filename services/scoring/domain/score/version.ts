/**
 * milestone_progress is the chance of operating within 36 months (`p_cod_36`) in points; iso_posture is the difference of that chance from that
 * of such requests of other operators. Both come from the model in `model.json`, which is fitted on the outcomes of past requests;
 * docs/scores.md shows how well it predicted days on which it was not fitted. The credit and the developer's tier measure value, not chance. Grades
 * are cut where the chance changes: of the requests open in November 2026, A is the best tenth, with chances of 0.4 and more.
 */
import { readFileSync } from "node:fs";
import { type ChanceModel, chanceModel } from "./chance.ts";
import type { ScoreTables } from "./tables.ts";

let model: ChanceModel | undefined;

function readModel(): ChanceModel {
	try {
		return chanceModel.parse(JSON.parse(readFileSync(new URL("./model.json", import.meta.url), "utf8")));
	} catch (cause) {
		throw new Error(`the score's model.json cannot be read: write it with \`npm run backtest -- --write\``, {
			cause,
		});
	}
}

export const scoreTables: ScoreTables = {
	version: 7,
	weights: {
		milestone_progress: 0.7,
		iso_posture: 0.05,
		tax_credit_value: 0.1,
		deal_cleanliness: 0.1,
		developer_tier: 0.05,
	},
	get model() {
		model ??= readModel();
		return model;
	},
	tiers: {
		major_utility: 90,
		major_ipp: 85,
		oil_major: 75,
		mid_platform: 70,
		pe_fund: 65,
		independent: 45,
		unknown: 30,
	},
	developerRecord: { above: 10, below: -10 },
	// A conditional credit counts half, because no source reports whether construction began off-site (safe harbor).
	credit: { fullRate: 0.5, conditionalShare: 0.5 },
	deductions: { high_ic_cost: 20, duplicate: 10, distress_high: 15, distress_elevated: 8 },
	grades: [
		{ grade: "A", from: 50 },
		{ grade: "B", from: 40 },
		{ grade: "C", from: 30 },
		{ grade: "D", from: 25 },
		{ grade: "F", from: 0 },
	],
};

export const currentVersion = scoreTables.version;

/** Undefined for a version that is no longer computed: of its published scores only the stored values are returned, without components. */
export const tablesOf = (version: number): ScoreTables | undefined =>
	version === currentVersion ? scoreTables : undefined;
