import { notFound } from "#libs/contract/errors.ts";
import type { Reply, Versioned } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { isInSample, scoreOn } from "../domain/score-on.ts";
import { readRequestsOn } from "../jobs/requests-on.ts";
import { loadReferences } from "../references.ts";
import type { Resources } from "../resources.ts";
import { checkDay } from "./check-day.ts";
import { readOwnCost } from "./interconnection-cost.ts";
import { ageOf, replyOf } from "./score-reply.ts";

/** The score of a request as of a day under a version, that in use when it is not named. */
export async function readScoreOn(
	resources: Resources,
	project_id: string,
	as_of: string,
	asked: number | undefined,
): Promise<Versioned<Reply<"readScore">>> {
	const { sql, notice_2025_42 } = resources;
	checkDay(resources, as_of);
	const { dataVersion, active } = await readSettings(sql);
	const score_version = asked ?? active;
	const [request] = await readRequestsOn(sql, [as_of], { ids: [project_id] });
	if (request === undefined) throw await unknownThen(sql, project_id, as_of);
	const references = await loadReferences(sql);
	const { score, inputs, hash, basis, since, unknown } = scoreOn(request, score_version, {
		references,
		notice_2025_42,
	});
	const reply = replyOf(
		{
			project_id,
			score_version,
			...ageOf(request.facts.facts_as_of, as_of),
			interconnection_cost: await readOwnCost(sql, project_id, as_of),
			inputs: { ...inputs },
			inputs_hash: hash,
			scored_at: since,
		},
		score,
		inputs.region,
	);
	const ofDay = {
		as_of,
		basis,
		in_sample: isInSample(score_version, as_of),
		unknown_inputs: unknown,
	};
	return { json: JSON.stringify({ ...reply, ...ofDay } satisfies Reply<"readScore">), dataVersion };
}

export async function readSettings(sql: Sql): Promise<{ dataVersion: number; active: number }> {
	const [row] = await sql<{ dataVersion: number; active: number }[]>`
		select v.version as "dataVersion", t.active_version as active from settings t cross join data_version v`;
	if (row === undefined) throw new Error("the settings of scoring are missing: migrate");
	return row;
}

/** 404 with the first day of which anything is known. */
export async function unknownThen(sql: Sql, id: string, day?: string): Promise<Error> {
	const [row] = await sql<{ first: string | null }[]>`
		select min(valid_from) as first from project_states where held and project_id = ${id}`;
	const first = row?.first ?? null;
	if (first === null || day === undefined) return notFound(`no score of ${id}`);
	return notFound(`no score of ${id} as of ${day}: the first list known here that shows it is of ${first}`);
}
