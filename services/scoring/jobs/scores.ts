/** The table of scores: a row holds what a score was computed from; its explanation is written when it is read. */
import type { ScoreComponent } from "#libs/contract/vocabulary.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import type { Score, ScoreInputs } from "../domain/score/index.ts";

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
