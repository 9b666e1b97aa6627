import { notFound } from "#libs/contract/errors.ts";
import type { Handler } from "#libs/contract/index.ts";
import { assess } from "../domain/assess.ts";
import { type ScoreInputs, scoreProject, tablesOf } from "../domain/score/index.ts";
import { readRequests } from "../jobs/requests.ts";
import { loadReferences } from "../references.ts";
import type { Resources } from "../resources.ts";
import { readInterconnectionCost } from "./interconnection-cost.ts";
import { readScoreOn } from "./read-score-on.ts";
import { ageOf, replyOf } from "./score-reply.ts";

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
