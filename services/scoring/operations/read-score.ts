import { readFileSync } from "node:fs";
import { notFound } from "#libs/contract/errors.ts";
import type { Handler, Reply, Versioned } from "#libs/contract/index.ts";
import { listDaysOf, pooledWeight, type Region } from "#libs/contract/vocabulary.ts";
import { readDataVersion } from "#libs/postgres/data-version.ts";
import { assess } from "../domain/assess.ts";
import { type Chance, horizonMonths, outcomeDefinition } from "../domain/score/outcomes.ts";
import { confidenceOf, type Score } from "../domain/score/score.ts";
import { scoreProject } from "../domain/score/score-project.ts";
import type { ScoreInputs } from "../domain/score/tables.ts";
import { tablesOf } from "../domain/score/versions/index.ts";
import { kindWords } from "../domain/score/words.ts";
import { isInSample } from "../domain/score-history.ts";
import { loadReferences } from "../references/current.ts";
import type { Resources } from "../resources.ts";
import { readRequests } from "../tables/requests.ts";
import { readInterconnectionCost, readOwnCost } from "./interconnection-cost.ts";
import { checkDay, notPublished, readScoresOfDay } from "./scores-of-day.ts";

interface Stored {
	score_version: number;
	data_version: number;
	/** Null for a request that is not scored, or not known here. */
	inputs: ScoreInputs | null;
	inputs_hash: string | null;
	scored_at: string | null;
	facts_as_of: string | null;
}

/**
 * A score is explained from the inputs that are stored with it. Of a request that is not scored, because it was built or withdrawn,
 * the reason is worked out as it is asked for.
 */
export function readScore(resources: Resources): Handler<"readScore"> {
	const { sql, now, notice_2025_42 } = resources;
	return async ({ project_id, as_of, score_version: asked }) => {
		if (as_of !== undefined) return readScoreOn(resources, project_id, as_of);
		const [stored] = await sql<Stored[]>`
			select t.active_version as score_version, v.version as data_version, s.inputs, s.inputs_hash, iso(s.scored_at) as scored_at,
				left(iso(f.as_of), 10) as facts_as_of
			from settings t cross join data_version v
			left join scores s on s.project_id = ${project_id} and s.score_version = t.active_version
			left join projects p on p.project_id = ${project_id} left join feeds f on f.feed = p.feed`;
		if (stored === undefined) throw new Error("the settings of scoring are missing: migrate");
		const { data_version: dataVersion } = stored;
		const score_version = asked ?? stored.score_version;
		const at = now().toISOString();
		const interconnection_cost = await readInterconnectionCost(sql, project_id);
		const about = { project_id, score_version, ...ageOf(stored.facts_as_of, at), interconnection_cost };
		if (stored.inputs !== null && stored.inputs_hash !== null && stored.scored_at !== null) {
			const score = scoreProject(stored.inputs, tablesOf(score_version));
			const basis = { inputs: { ...stored.inputs }, inputs_hash: stored.inputs_hash, scored_at: stored.scored_at };
			return { json: JSON.stringify(replyOf({ ...about, ...basis }, score, stored.inputs.region)), dataVersion };
		}
		const [request] = await readRequests(sql, [project_id]);
		if (request === undefined) throw notFound(`no score of ${project_id}`);
		const references = await loadReferences(sql);
		const { inputs, hash, scores } = assess(request, [score_version], {
			today: at.slice(0, 10),
			references,
			notice_2025_42,
		});
		const [unscored] = scores;
		if (unscored === undefined) throw new Error(`version ${score_version} gave no score`);
		const basis = { inputs: { ...inputs }, inputs_hash: hash, scored_at: at };
		return { json: JSON.stringify(replyOf({ ...about, ...basis }, unscored.score, inputs.region)), dataVersion };
	};
}

/** The score of a request that stood published when a day ended, explained from the inputs that were stored with it. */
export async function readScoreOn(
	resources: Resources,
	project_id: string,
	as_of: string,
): Promise<Versioned<Reply<"readScore">>> {
	const { sql } = resources;
	checkDay(resources, as_of);
	const dataVersion = await readDataVersion(sql);
	const [published] = await readScoresOfDay(sql, as_of, sql`s.project_id = ${project_id}`);
	if (published === undefined) throw await notPublished(sql, project_id, as_of);
	const { score_version, inputs, inputs_hash, published_at, request } = published;
	const about = {
		project_id,
		score_version,
		...ageOf(request?.facts_as_of ?? null, as_of),
		interconnection_cost: await readOwnCost(sql, project_id, as_of),
		inputs: { ...inputs },
		inputs_hash,
		scored_at: published_at,
	};
	const reply = replyOf(about, scoreProject(inputs, tablesOf(score_version)), inputs.region);
	const ofDay = { as_of, basis: "published" as const, in_sample: isInSample(score_version, as_of) };
	return { json: JSON.stringify({ ...reply, ...ofDay } satisfies Reply<"readScore">), dataVersion };
}

// MERGED services/scoring/operations/read-score.ts: The answer about one score, whichever day it is of.
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

/** As `npm run backtest -- --write` found it. */
const published = JSON.parse(
	readFileSync(new URL("../domain/score/versions/3.backtest.json", import.meta.url), "utf8"),
) as Reply<"getScoreBacktest">;

export function getScoreBacktest(): Handler<"getScoreBacktest"> {
	return async () => ({ json: JSON.stringify(published), dataVersion: 0 });
}
