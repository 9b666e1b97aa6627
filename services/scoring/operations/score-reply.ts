/** The answer about one score, whichever day it is of. */
import type { Reply } from "#libs/contract/index.ts";
import { listDaysOf, pooledWeight, type Region } from "#libs/contract/vocabulary.ts";
import { confidenceOf } from "../domain/confidence.ts";
import { type Chance, horizonMonths, kindWords, outcomeDefinition, type Score } from "../domain/score/index.ts";

type Basis = Pick<
	Reply<"readScore">,
	| "project_id"
	| "facts_as_of"
	| "facts_age_days"
	| "interconnection_cost"
	| "score_version"
	| "inputs"
	| "inputs_hash"
	| "scored_at"
>;

export function ageOf(day: string | null, now: string): Pick<Basis, "facts_as_of" | "facts_age_days"> {
	if (day === null) return { facts_as_of: null, facts_age_days: null };
	const days = Math.floor((Date.parse(now) - Date.parse(day)) / 86_400_000);
	return { facts_as_of: day, facts_age_days: Math.max(0, days) };
}

export function replyOf(basis: Basis, { score, eligible, chance, ...rest }: Score, region: Region): Reply<"readScore"> {
	return {
		...basis,
		investability_score: score,
		p_built: chance === null ? null : chanceOf(chance),
		confidence: rest.scored ? confidenceOf(chance, basis.facts_age_days, listDaysOf(region)) : null,
		...rest,
	};
}

function chanceOf({
	value,
	low,
	high,
	basis,
	own,
	pooled,
	stage,
	date,
}: Chance): Reply<"readScore">["p_built"] & object {
	return {
		value,
		low,
		high,
		horizon_months: horizonMonths,
		definition: outcomeDefinition,
		kind: kindWords({ stage, date }),
		basis,
		operator: own === null ? null : countsOf(own),
		pooled: { ...countsOf(pooled), value: pooled.value, weight: pooledWeight },
	};
}

const countsOf = ({ requests, built, advancing, waiting, lost }: Chance["pooled"]) => ({
	requests,
	built,
	advancing,
	waiting,
	lost,
});
