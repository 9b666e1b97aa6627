/** The table of scores: a row holds what a score was computed from; its explanation is written when it is read. */
import type { ScoreComponent } from "#libs/contract/vocabulary.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import type { Assessed } from "../domain/assess.ts";
import type { Score } from "../domain/score/score.ts";
import type { ScoreInputs } from "../domain/score/tables.ts";
import type { StoredRequest } from "./requests.ts";

export type ScoreRow = Record<ScoreComponent, number> & {
	score_version: number;
	project_id: string;
	score: number;
	grade: string;
	investable: boolean;
	eligible: boolean;
	p_built: number | null;
	inputs: ScoreInputs;
	inputs_hash: string;
};

export function scoreRow(
	project_id: string,
	score_version: number,
	{ score, grade, investable, eligible, chance, components }: Score,
	inputs: ScoreInputs,
	inputs_hash: string,
): ScoreRow {
	return {
		score_version,
		project_id,
		score,
		grade,
		investable,
		eligible,
		p_built: chance?.value ?? null,
		developer_tier: components.developer_tier.score,
		milestone_progress: components.milestone_progress.score,
		tax_credit_value: components.tax_credit_value.score,
		iso_posture: components.iso_posture.score,
		deal_cleanliness: components.deal_cleanliness.score,
		inputs,
		inputs_hash,
	};
}

/** With what the lists need of the requests. Answers how many were written. */
export async function storeScores(tx: Transaction, rows: readonly ScoreRow[], now: Date): Promise<number> {
	if (rows.length === 0) return 0;
	const written = await tx`
		insert into scores as t (score_version, project_id, score, grade, investable, eligible, p_built, developer_tier, milestone_progress, tax_credit_value,
			iso_posture, deal_cleanliness, inputs, inputs_hash, scored_at, project_region, project_state,
			project_type_std, project_capacity_mw)
		select e.score_version, e.project_id, e.score, e.grade, e.investable, e.eligible, e.p_built, e.developer_tier,
			e.milestone_progress, e.tax_credit_value, e.iso_posture, e.deal_cleanliness, e.inputs, e.inputs_hash, ${now.toISOString()}::timestamptz, p.region, p.state, p.type_std, p.capacity_mw
		from json_to_recordset(${JSON.stringify(rows)}::text::json) as e (
			score_version integer, project_id text, score integer, grade text, investable boolean, eligible boolean,
			p_built float8, developer_tier smallint,
			milestone_progress smallint, tax_credit_value smallint, iso_posture smallint, deal_cleanliness smallint, inputs jsonb,
			inputs_hash text)
		join projects p using (project_id)
		order by project_id, score_version
		on conflict (project_id, score_version) do update set (score, grade, investable, eligible, p_built, developer_tier, milestone_progress,
				tax_credit_value, iso_posture, deal_cleanliness, inputs, inputs_hash, scored_at, project_region, project_state,
				project_type_std, project_capacity_mw)
			= (excluded.score, excluded.grade, excluded.investable, excluded.eligible, excluded.p_built, excluded.developer_tier, excluded.milestone_progress,
				excluded.tax_credit_value, excluded.iso_posture, excluded.deal_cleanliness, excluded.inputs, excluded.inputs_hash,
				excluded.scored_at, excluded.project_region, excluded.project_state, excluded.project_type_std,
				excluded.project_capacity_mw)`;
	return written.count;
}

// MERGED services/scoring/tables/scores.ts: Keeps what was published of each score, and what scores look at in ratings, with the time for which it stood. At any moment one of each: where a clock was set back, what is later by the old one stood for no time.
/** A request and what was made of it; null where it is closed. */
export interface Assessment {
	request: StoredRequest;
	assessed: Assessed | null;
}

/** What is published of these requests from now on under the version that is served; of a closed one nothing is any more. */
export async function keepPublished(
	tx: Transaction,
	active: number,
	assessments: readonly Assessment[],
	now: Date,
): Promise<void> {
	const rows = assessments.flatMap(({ request, assessed }) => {
		const current = assessed?.scores.find(({ version }) => version === active);
		if (assessed === null || current === undefined) return [];
		const { score, grade, investable } = current.score;
		const { credit, inputs, hash } = assessed;
		const { project_id } = request.facts;
		return [{ project_id, score_version: active, score, grade, investable, inputs, inputs_hash: hash, credit }];
	});
	await tx`
		update score_versions set published_until = greatest(published_at, ${now.toISOString()}::timestamptz)
		where project_id = any(${assessments.map(({ request }) => request.facts.project_id)}::text[])
			and published_until > ${now.toISOString()}::timestamptz`;
	await tx`
		insert into score_versions as t (project_id, published_at, score_version, score, grade, investable, inputs, inputs_hash, credit, request)
		select e.project_id, ${now.toISOString()}::timestamptz, e.score_version, e.score, e.grade, e.investable, e.inputs, e.inputs_hash, e.credit,
			to_jsonb(r)
		from json_to_recordset(${JSON.stringify(rows)}::text::json) as e (project_id text, score_version integer, score integer,
			grade text, investable boolean, inputs jsonb, inputs_hash text, credit jsonb)
		cross join lateral (
			select p.queue_id, p.name, p.region, p.state, p.county, p.counties, p.fips, p.developer, p.type_std, p.capacity_mw, p.queue_date,
				p.cod, p.status, p.status_std, p.poi, p.last_changed_at, p.lat, p.lon, p.construction_stage, p.construction_stage_confidence,
				p.study_phase, p.study_phase_filed, p.ia_status, p.ia_status_filed, left(iso(f.as_of), 10) as facts_as_of
			from projects p left join feeds f using (feed) where p.project_id = e.project_id) r
		order by project_id
		on conflict (project_id, published_at) do update
			set (published_until, score_version, score, grade, investable, inputs, inputs_hash, credit, request) = ('infinity', excluded.score_version,
				excluded.score, excluded.grade, excluded.investable, excluded.inputs, excluded.inputs_hash, excluded.credit, excluded.request)`;
}

interface Rating {
	developer_id: number;
	payload: { distress_level: string; needs_capital: boolean };
}

export async function keepRatings(tx: Transaction, rated: readonly Rating[], now: Date): Promise<void> {
	const rows = rated.map(({ developer_id, payload: { distress_level, needs_capital } }) => ({
		developer_id,
		distress_level,
		needs_capital,
	}));
	const incoming = tx`
		json_to_recordset(${JSON.stringify(rows)}::text::json) as e (developer_id integer, distress_level text, needs_capital boolean)`;
	const differing = await tx<{ developer_id: number }[]>`
		select e.developer_id from ${incoming}
		left join developer_rating_versions t on t.developer_id = e.developer_id and t.rated_until = 'infinity'
		where (t.distress_level, t.needs_capital) is distinct from (e.distress_level, e.needs_capital)`;
	const ids = differing.map((row) => row.developer_id);
	if (ids.length === 0) return;
	await tx`
		update developer_rating_versions set rated_until = greatest(rated_at, ${now.toISOString()}::timestamptz)
		where developer_id = any(${ids}::integer[]) and rated_until > ${now.toISOString()}::timestamptz`;
	await tx`
		insert into developer_rating_versions as t (developer_id, rated_at, distress_level, needs_capital)
		select developer_id, ${now.toISOString()}::timestamptz, distress_level, needs_capital from ${incoming}
		where developer_id = any(${ids}::integer[]) order by developer_id
		on conflict (developer_id, rated_at) do update set (rated_until, distress_level, needs_capital)
			= ('infinity', excluded.distress_level, excluded.needs_capital)`;
}
