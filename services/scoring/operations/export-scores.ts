import type { Handler, Params } from "#libs/contract/index.ts";
import { checkDay } from "#libs/contract/operations/as-of.ts";
import { scoreTable } from "#libs/contract/operations/scores/score-row.ts";
import { listDaysOf, type Region } from "#libs/contract/vocabulary.ts";
import { exportFile } from "#libs/parquet/file.ts";
import { piece, type Select } from "#libs/parquet/select.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { creditColumns } from "../domain/assess.ts";
import { chanceOf } from "../domain/score/outcomes.ts";
import { confidenceOf } from "../domain/score/score.ts";
import { scoreProject } from "../domain/score/score-project.ts";
import type { ScoreInputs } from "../domain/score/tables.ts";
import { tablesOf } from "../domain/score/versions/index.ts";
import type { Resources } from "../resources.ts";
import { filtersOf, listedColumns } from "./lists.ts";
import { readScoresOfDay, type ScoreOfDay, stoodOn } from "./scores-of-day.ts";

type Input = Params<"exportScores">;

/** Scored requests are open, listed and for generation; in the order of the ids. */
export function exportScores(resources: Resources): Handler<"exportScores"> {
	return (params, context) => {
		const { as_of } = params;
		checkDay(resources, { as_of });
		const choose = async (connection: Sql, generatedAt: string) => ({
			select:
				as_of === undefined
					? scoreSelect(params, await intervalsOf(connection, generatedAt))
					: await scoreSelectOn(connection, params, as_of),
		});
		return exportFile(resources.sql, params, { table: scoreTable, by: ["id"], choose }, context);
	};
}

/** Requests that are alike in what a chance and its interval depend on, and what follows for them. */
interface Interval extends Kind {
	p_built_low: number | null;
	p_built_high: number | null;
	confidence: number | null;
}

interface Kind extends Pick<ScoreInputs, "region" | "milestone" | "cod_position"> {
	cod_distance: NonNullable<ScoreInputs["cod_distance"]> | null;
	/** Day of the list. */
	facts_as_of: string | null;
}

const kindColumns = `s.inputs ->> 'region' as region, s.inputs ->> 'milestone' as milestone,
	s.inputs ->> 'cod_position' as cod_position, s.inputs ->> 'cod_distance' as cod_distance, left(iso(f.as_of), 10) as facts_as_of`;

/** Stages, distances, operators and days of lists: at most some thousands, however many requests there are. */
async function intervalsOf(sql: Sql, generatedAt: string): Promise<Interval[]> {
	const [settings] = await sql<{ active_version: number }[]>`select active_version from settings`;
	if (settings === undefined) throw new Error("the settings of scoring are missing: migrate");
	const tables = tablesOf(settings.active_version);
	const kinds = await sql.unsafe<Kind[]>(`
		select distinct ${kindColumns} from scores s join projects p using (project_id) left join feeds f on f.feed = p.feed
		where s.score_version = (select active_version from settings)`);
	return kinds.map((kind) => {
		const { cod_distance, ...inputs } = kind;
		const known = cod_distance === null ? inputs : { ...inputs, cod_distance };
		const chance = "outcomes" in tables ? chanceOf(known, tables.outcomes) : null;
		return {
			...kind,
			p_built_low: chance?.low ?? null,
			p_built_high: chance?.high ?? null,
			confidence: confidenceOf(chance, ageOf(kind.facts_as_of, generatedAt), listDaysOf(kind.region as Region)),
		};
	});
}

/** On the day of the data, not of the call: the file of a data version is always the same. */
function ageOf(day: string | null, generatedAt: string): number | null {
	return day === null ? null : Math.max(0, Math.floor((Date.parse(generatedAt) - Date.parse(day)) / 86_400_000));
}

function scoreSelect(filters: Input, intervals: readonly Interval[]): Select {
	return piece`
		select ${listedColumns(piece)}, s.investable, s.developer_tier as developer_tier_score,
			s.milestone_progress as milestone_progress_score, s.tax_credit_value as tax_credit_value_score,
			s.iso_posture as iso_posture_score, s.deal_cleanliness as deal_cleanliness_score, i.p_built_low, i.p_built_high,
			i.confidence, s.score_version, s.inputs_hash, i.facts_as_of, s.scored_at
		from scores s join projects p using (project_id) left join credits c using (project_id) left join feeds f on f.feed = p.feed
		join json_to_recordset(${JSON.stringify(intervals)}::json) as i (region text, milestone text, cod_position text,
			cod_distance text, facts_as_of date, p_built_low float8, p_built_high float8, confidence float8)
			on (i.region, i.milestone, i.cod_position) = (s.inputs ->> 'region', s.inputs ->> 'milestone', s.inputs ->> 'cod_position')
			and i.cod_distance is not distinct from s.inputs ->> 'cod_distance'
			and i.facts_as_of is not distinct from left(iso(f.as_of), 10)::date
		where s.score_version = (select active_version from settings) and s.project_id in (
			select p.project_id from scored_requests p
			where p.score_version = (select active_version from settings) and ${filtersOf(piece, filters)})`;
}

/** The scores that stood published when a past day ended, with the request as it was then and the developer that is known now. */
async function scoreSelectOn(sql: Sql, filters: Input, day: string): Promise<Select> {
	const rows = (await readScoresOfDay(sql, day, sql`true`)).map((published) => rowOf(published, day));
	return piece`select p.* from (
			select e.*, e.effective_credit_rate as tax_credit_pct, r.queue_id, r.name, r.region, r.state, r.county, r.counties, r.fips, r.developer,
				p.developer_id, p.developer_canonical, p.developer_tier, r.type_std, r.capacity_mw, r.queue_date, r.cod, r.status, r.status_std, r.poi,
				r.last_changed_at, r.lat, r.lon, r.construction_stage, r.construction_stage_confidence, r.study_phase, r.study_phase_filed,
				r.ia_status, r.ia_status_filed, r.plant_state, r.request_class,
				r.kind, r.listed, r.status_flag, d.needs_capital
			from json_to_recordset(${JSON.stringify(rows)}::json) as e (id text, request jsonb, score_version integer,
				investability_score integer, grade text, investable boolean, tax_credit_type text, tax_credit_status text,
				effective_credit_rate float8, estimated_credit_value float8, energy_community_eligible boolean, low_income_eligible boolean,
				developer_tier_score integer, milestone_progress_score integer, tax_credit_value_score integer, iso_posture_score integer,
				deal_cleanliness_score integer, p_built float8, p_built_low float8, p_built_high float8, confidence float8, inputs_hash text,
				facts_as_of date, scored_at timestamptz)
			join projects p on p.project_id = e.id
			cross join lateral jsonb_populate_record(p, coalesce(e.request, '{}')) r
			left join developer_rating_versions d on d.developer_id = p.developer_id
				and ${stoodOn(piece, day, piece`d.rated_at`, piece`d.rated_until`)}
		) p where ${filtersOf(piece, filters)}`;
}

function rowOf(published: ScoreOfDay, day: string): Record<string, unknown> {
	const { project_id, score_version, inputs, credit, inputs_hash, request } = published;
	const { components, chance } = scoreProject(inputs, tablesOf(score_version));
	const facts_as_of = request?.facts_as_of ?? null;
	return {
		id: project_id,
		request,
		score_version,
		investability_score: published.score,
		grade: published.grade,
		investable: published.investable,
		...creditColumns(credit),
		...Object.fromEntries(Object.entries(components).map(([name, { score }]) => [`${name}_score`, score])),
		p_built: chance?.value ?? null,
		p_built_low: chance?.low ?? null,
		p_built_high: chance?.high ?? null,
		confidence: confidenceOf(chance, ageOf(facts_as_of, day), listDaysOf(inputs.region)),
		inputs_hash,
		facts_as_of,
		scored_at: published.published_at,
	};
}
