import type { Reply, Versioned } from "#libs/contract/index.ts";
import { readDataVersion } from "#libs/postgres/data-version.ts";
import { isInSample } from "../domain/in-sample.ts";
import { scoreProject, tablesOf } from "../domain/score/index.ts";
import type { Resources } from "../resources.ts";
import { checkDay } from "./check-day.ts";
import { readOwnCost } from "./interconnection-cost.ts";
import { ageOf, replyOf } from "./score-reply.ts";
import { notPublished, readScoresOfDay } from "./scores-of-day.ts";

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
