/** The file of scores as of a past day: the rows of the scores of then, each as `/score/{project_id}` of then explains it. */
import type { Params } from "#libs/contract/index.ts";
import { chosenScoreColumns } from "#libs/contract/operations/score-row.ts";
import { listDaysOf } from "#libs/contract/vocabulary.ts";
import { columnsOf, most, piece, type Select } from "#libs/exports/select.ts";
import { confidenceOf } from "../domain/confidence.ts";
import { creditColumns } from "../domain/credit-columns.ts";
import { scoreProject, tablesOf } from "../domain/score/index.ts";
import { filtersOf } from "./lists.ts";
import { ageOf } from "./score-reply.ts";
import type { ScoredOn, ScoresOn } from "./scores-on.ts";

type Input = Params<"exportScores">;

/** In the order of the ids. */
export function scoreSelectOn(
	{ limit, format = "csv", fields, as_of, compression: _, ...filters }: Input,
	{ day, rows, score_version }: ScoresOn,
): Select {
	const columns = columnsOf(chosenScoreColumns({ fields, as_of }), "p", format);
	const said = [...rows].map(([id, scored]) => ({ id, score_version, ...rowOf(scored, score_version, day) }));
	return piece`select ${columns} from (
			select e.*, e.effective_credit_rate as tax_credit_pct, v.queue_id, v.name, v.region, v.state, v.county, v.counties, v.fips,
				v.developer, v.developer_id, v.developer_canonical, v.developer_tier, v.type_std, v.capacity_mw, v.queue_date, v.cod, v.status,
				v.status_std, v.poi, v.last_changed_at, v.lat, v.lon, v.construction_stage, v.construction_stage_confidence, v.study_phase,
				v.study_phase_filed, v.ia_status, v.ia_status_filed
			from json_to_recordset(${JSON.stringify(said)}::json) as e (id text, entry bigint, score_version integer,
				investability_score integer, grade text, investable boolean, needs_capital boolean, tax_credit_type text,
				tax_credit_status text, effective_credit_rate float8, estimated_credit_value float8, energy_community_eligible boolean,
				low_income_eligible boolean, developer_tier_score integer, milestone_progress_score integer, tax_credit_value_score integer,
				iso_posture_score integer, deal_cleanliness_score integer, p_built float8, p_built_low float8, p_built_high float8,
				confidence float8, inputs_hash text, facts_as_of date, scored_at timestamptz, basis text)
			join project_states v on v.project_id = e.id and v.entry = e.entry
		) p where ${filtersOf(piece, filters)} order by p.id${most(limit)}`;
}

function rowOf({ inputs, credit, ...scored }: ScoredOn, version: number, day: string): Record<string, unknown> {
	const { components, chance } = scoreProject(inputs, tablesOf(version));
	const { facts_age_days } = ageOf(scored.facts_as_of, day);
	return {
		entry: scored.entry,
		investability_score: scored.score,
		grade: scored.grade,
		investable: scored.investable,
		needs_capital: scored.needs_capital,
		...creditColumns(credit),
		...Object.fromEntries(Object.entries(components).map(([name, { score }]) => [`${name}_score`, score])),
		p_built: scored.p_built,
		p_built_low: chance?.low ?? null,
		p_built_high: chance?.high ?? null,
		confidence: confidenceOf(chance, facts_age_days, listDaysOf(inputs.region)),
		inputs_hash: scored.hash,
		facts_as_of: scored.facts_as_of,
		scored_at: scored.since,
		basis: scored.basis,
	};
}
