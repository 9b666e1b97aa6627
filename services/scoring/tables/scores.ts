/** Writes the current scores and credits, and the history of published scores and ratings. */
import { scoreComponents } from "#libs/contract/vocabulary.ts";
import type { Fragment, Transaction } from "#libs/postgres/connect.ts";
import { excluded } from "#libs/postgres/events/copies.ts";
import type { AssessedRequest } from "../domain/assess.ts";
import { chanceColumns } from "../domain/score/chance.ts";
import type { Score } from "../domain/score/score.ts";
import type { ScoreInputs } from "../domain/score/tables.ts";
import { currentVersion } from "../domain/score/version.ts";
import type { StoredRequest } from "./requests.ts";

/** A row of `scores`. The explanation is not stored: it is composed from the inputs when the score is read. */
export function toScoreRow(
	project_id: string,
	score_version: number,
	{ score, grade, investable, candidate, chances, components }: Score,
	inputs: ScoreInputs,
	inputs_hash: string,
) {
	return {
		score_version,
		project_id,
		score,
		grade,
		investable,
		...candidate,
		...chanceColumns(chances),
		...Object.fromEntries(scoreComponents.map((name) => [name, components[name].score])),
		inputs,
		inputs_hash,
	};
}

export async function storeScores(
	tx: Transaction,
	rows: readonly ReturnType<typeof toScoreRow>[],
	now: Date,
): Promise<number> {
	if (rows.length === 0) return 0;
	const scored = rows.map((row) => ({ ...row, scored_at: now.toISOString() }));
	const written = await tx`${upsert(tx, "scores", "project_id, score_version", scored)}`;
	return written.count;
}

/** @returns the developers of requests whose credit changed */
export async function storeCredits(
	tx: Transaction,
	rows: readonly (AssessedRequest["credit"] & { project_id: string })[],
): Promise<(number | null)[]> {
	if (rows.length === 0) return [];
	const differing = await tx<{ developer_id: number | null }[]>`
		with written as (
			${upsert(tx, "credits", "project_id", rows)} where t.* is distinct from excluded.* returning project_id)
		select p.developer_id from written join projects p using (project_id)`;
	return differing.map((row) => row.developer_id);
}

/**
 * Writes rows about requests, each field to the column of the same name, and copies the columns of the request that the table's indexes need.
 * All rows must have the same fields.
 */
function upsert(tx: Transaction, table: string, key: string, rows: readonly object[]): Fragment {
	const columns = Object.keys(rows[0] ?? {}).join(", ");
	const all = `${columns}, project_region, project_state, project_type_std, project_capacity_mw`;
	return tx`
		insert into ${tx(table)} as t (${tx.unsafe(all)})
		select ${tx.unsafe(columns.replaceAll(/\w+/g, "e.$&"))}, p.region, p.state, p.type_std, p.capacity_mw
		from json_populate_recordset(null::${tx(table)}, ${JSON.stringify(rows)}::text::json) e join projects p using (project_id)
		order by ${tx.unsafe(key)}
		on conflict (${tx.unsafe(key)}) do update set (${tx.unsafe(all)}) = (${tx.unsafe(excluded(all))})`;
}

/** Fields of the request that are stored with its published score, for exports as of a past day. */
export const storedRequestFields = [
	...(["queue_id", "name", "region", "state", "county", "counties", "fips", "developer", "type_std"] as const),
	...(["capacity_mw", "queue_date", "cod", "status", "status_std", "poi", "last_changed_at", "lat", "lon"] as const),
	...(["construction_stage", "construction_stage_confidence", "study_phase", "study_phase_filed"] as const),
	...(["ia_status", "ia_status_filed", "plant_state", "request_class", "status_flag"] as const),
];

export interface Assessment {
	request: StoredRequest;
	assessed: AssessedRequest | null;
}

/**
 * Records the newly published scores in the history. When a request closes, its last score ends and no new one begins. If the clock was set
 * back, a score whose recorded time is later gets an empty period.
 */
export async function storePublished(tx: Transaction, assessments: readonly Assessment[], now: Date): Promise<void> {
	const published_at = now.toISOString();
	const rows = assessments.flatMap(({ request: { facts }, assessed }) => {
		if (assessed === null) return [];
		const { score, grade, investable, candidate } = assessed.score;
		const { credit, inputs, hash: inputs_hash } = assessed;
		const { p_cod_36 } = candidate;
		const published = {
			score_version: currentVersion,
			score,
			grade,
			investable,
			p_cod_36,
			inputs,
			inputs_hash,
			credit,
		};
		return [{ project_id: facts.project_id, published_at, ...published }];
	});
	await tx`
		update score_versions set published_until = greatest(published_at, ${published_at}::timestamptz)
		where project_id = any(${assessments.map(({ request }) => request.facts.project_id)}::text[])
			and published_until > ${published_at}::timestamptz`;
	await tx`
		insert into score_versions as t (project_id, published_at, score_version, score, grade, investable, p_cod_36, inputs, inputs_hash, credit, request)
		select e.project_id, e.published_at, e.score_version, e.score, e.grade, e.investable, e.p_cod_36, e.inputs, e.inputs_hash, e.credit, to_jsonb(r)
		from json_populate_recordset(null::score_versions, ${JSON.stringify(rows)}::text::json) e
		cross join lateral (
			select ${tx.unsafe(storedRequestFields.map((name) => `p.${name}`).join(", "))}, left(iso(f.as_of), 10) as facts_as_of
			from projects p left join feeds f using (feed) where p.project_id = e.project_id) r
		order by project_id
		on conflict (project_id, published_at) do update
			set (published_until, score_version, score, grade, investable, p_cod_36, inputs, inputs_hash, credit, request) = ('infinity', excluded.score_version,
				excluded.score, excluded.grade, excluded.investable, excluded.p_cod_36, excluded.inputs, excluded.inputs_hash, excluded.credit, excluded.request)`;
}

interface Rating {
	developer_id: number;
	payload: { distress_level: string; needs_capital: boolean | null };
}

/** Records the parts of ratings that scores and exports as of a past day use. */
export async function storeRatings(tx: Transaction, rated: readonly Rating[], now: Date): Promise<void> {
	const at = now.toISOString();
	const rows = rated.map(({ developer_id, payload }) => ({ ...payload, developer_id, rated_at: at }));
	const incoming = tx`json_populate_recordset(null::developer_rating_versions, ${JSON.stringify(rows)}::text::json) e`;
	const differing = await tx<{ developer_id: number }[]>`
		select e.developer_id from ${incoming}
		left join developer_rating_versions t on t.developer_id = e.developer_id and t.rated_until = 'infinity'
		where (t.distress_level, t.needs_capital) is distinct from (e.distress_level, e.needs_capital)`;
	const ids = differing.map((row) => row.developer_id);
	if (ids.length === 0) return;
	await tx`
		update developer_rating_versions set rated_until = greatest(rated_at, ${at}::timestamptz)
		where developer_id = any(${ids}::integer[]) and rated_until > ${at}::timestamptz`;
	await tx`
		insert into developer_rating_versions as t (developer_id, rated_at, distress_level, needs_capital)
		select developer_id, rated_at, distress_level, needs_capital from ${incoming}
		where developer_id = any(${ids}::integer[]) order by developer_id
		on conflict (developer_id, rated_at) do update set (rated_until, distress_level, needs_capital)
			= ('infinity', excluded.distress_level, excluded.needs_capital)`;
}
