import { notFound } from "#libs/contract/errors.ts";
import type { Reply, Versioned } from "#libs/contract/index.ts";
import type { AsOf } from "#libs/contract/operations/as-of.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { isInSample, scoreOn } from "../domain/score-on.ts";
import { type Moment, readRequestsAt } from "../jobs/requests-on.ts";
import { loadReferences } from "../references.ts";
import type { Resources } from "../resources.ts";
import { readOwnCost } from "./interconnection-cost.ts";
import { momentOf } from "./moment.ts";
import { ageOf, replyOf } from "./score-reply.ts";

/** The score of a request as of a day, or after a change, under a version, that in use when it is not named. */
export async function readScoreOn(
	resources: Resources,
	project_id: string,
	asked_of: AsOf,
	asked: number | undefined,
): Promise<Versioned<Reply<"readScore">>> {
	const { sql, notice_2025_42 } = resources;
	const moment = await momentOf(resources, asked_of);
	const { day: as_of, at_seq } = moment;
	const { dataVersion, active } = await readSettings(sql);
	const score_version = asked ?? active;
	const [request] = await readRequestsAt(sql, moment, { ids: [project_id] });
	if (request === undefined) throw await unknownThen(sql, project_id, moment);
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
		...(at_seq !== undefined && { at_seq }),
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
export async function unknownThen(sql: Sql, id: string, moment?: Moment): Promise<Error> {
	const [row] = await sql<{ first: string | null }[]>`
		select min(valid_from) as first from project_states where held and project_id = ${id}`;
	const first = row?.first ?? null;
	if (first === null || moment === undefined) return notFound(`no score of ${id}`);
	const { day, at_seq } = moment;
	if (at_seq !== undefined)
		return notFound(`no score of ${id} after change ${at_seq}: no list that was loaded then shows it`);
	return notFound(`no score of ${id} as of ${day}: the first list known here that shows it is of ${first}`);
}
