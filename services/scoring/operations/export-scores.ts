import type { Handler, Params } from "#libs/contract/index.ts";
import { checkDay } from "#libs/contract/operations/as-of.ts";
import { scoreTable } from "#libs/contract/operations/scores/score-row.ts";
import { chanceNames, listDaysOf, type Region, scoreComponents } from "#libs/contract/vocabulary.ts";
import { exportFile } from "#libs/parquet/file.ts";
import { piece, type Select, text } from "#libs/parquet/select.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { creditColumns } from "../domain/assess.ts";
import { chanceColumns } from "../domain/score/chance.ts";
import { ageInDays, confidenceOf, freshnessOf } from "../domain/score/score.ts";
import { scoreProject } from "../domain/score/score-project.ts";
import { tablesOf } from "../domain/score/version.ts";
import type { Resources } from "../resources.ts";
import { storedRequestFields } from "../tables/scores.ts";
import { filtersOf, listedColumns } from "./lists.ts";
import { readScoresOfDay, type ScoreOfDay, wasCurrentOn } from "./published-scores.ts";

type Input = Params<"exportScores">;

/** Exports the scores of open, listed generation requests, in the order of their ids. */
export function exportScores(resources: Resources): Handler<"exportScores"> {
	return (params, context) => {
		const { as_of } = params;
		checkDay(resources, { as_of });
		const choose = async (connection: Sql, generatedAt: string) => ({
			select:
				as_of === undefined
					? selectScores(params, await readFreshness(connection, generatedAt))
					: await selectScoresOn(connection, params, as_of),
		});
		return exportFile(resources.sql, params, { table: scoreTable, by: ["id"], choose }, context);
	};
}

/**
 * Reads the freshness of each list as of the last change of the data, not as of the call: exports of one data version must not change from
 * day to day.
 */
async function readFreshness(sql: Sql, generatedAt: string): Promise<string> {
	const feeds = await sql<{ feed: string; region: Region; day: string }[]>`
		select distinct feed, region, left(iso(f.as_of), 10) as day from feeds f join projects p using (feed) where p.open`;
	return JSON.stringify(
		feeds.map(({ region, ...feed }) => ({
			...feed,
			freshness: freshnessOf(ageInDays(feed.day, generatedAt) ?? 0, listDaysOf(region)),
		})),
	);
}

const selectScores = (filters: Input, freshness: string): Select => piece`
	select ${listedColumns(piece)}, s.investable, s.developer_tier as developer_tier_score,
		s.milestone_progress as milestone_progress_score, s.tax_credit_value as tax_credit_value_score,
		s.iso_posture as iso_posture_score, s.deal_cleanliness as deal_cleanliness_score,
		floor(100 * (1 - s.p_cod_36_high + s.p_cod_36_low) * f.freshness + 0.5) / 100 as confidence,
		s.score_version, s.inputs_hash, f.day as facts_as_of, s.scored_at
	from scores s join projects p using (project_id) left join credits c using (project_id)
	left join json_to_recordset(${freshness}::json) as f (feed text, day date, freshness float8) on f.feed = p.feed
	where s.score_version = (select active_version from settings) and s.project_id in (
		select p.project_id from scored_requests p
		where p.score_version = (select active_version from settings) and ${filtersOf(piece, filters)})`;

const chanceTypes = text(
	chanceNames.map((name) => `${name} float8, ${name}_low float8, ${name}_high float8`).join(", "),
);

/** Selects the scores that were current at the end of a past day, with the request as it was then and its developer as known today. */
async function selectScoresOn(sql: Sql, filters: Input, day: string): Promise<Select> {
	const rows = (await readScoresOfDay(sql, day, sql`true`)).map((published) => rowOf(published, day));
	return piece`select p.* from (
			select e.*, e.effective_credit_rate as tax_credit_pct, ${text(storedRequestFields.map((name) => `r.${name}`).join(", "))},
				r.kind, r.listed, p.developer_id, p.developer_canonical, p.developer_tier, d.needs_capital
			from json_to_recordset(${JSON.stringify(rows)}::json) as e (id text, request jsonb, score_version integer,
				investability_score integer, grade text, investable boolean, tax_credit_type text, tax_credit_status text,
				effective_credit_rate float8, estimated_credit_value float8, p_credit float8, expected_credit_value float8, energy_community_eligible boolean, low_income_eligible boolean,
				developer_tier_score integer, milestone_progress_score integer, tax_credit_value_score integer, iso_posture_score integer,
				deal_cleanliness_score integer, ${chanceTypes}, comparable_requests integer, p_reason text, confidence float8,
				inputs_hash text, facts_as_of date, scored_at timestamptz)
			join projects p on p.project_id = e.id
			cross join lateral jsonb_populate_record(p, coalesce(e.request, '{}')) r
			left join developer_rating_versions d on d.developer_id = p.developer_id
				and ${wasCurrentOn(piece, day, piece`d.rated_at`, piece`d.rated_until`)}
		) p where ${filtersOf(piece, filters)}`;
}

function rowOf(published: ScoreOfDay, day: string): Record<string, unknown> {
	const { project_id, score_version, inputs, credit, inputs_hash, request } = published;
	const tables = tablesOf(score_version);
	const { components = null, chances = null } = tables === undefined ? {} : scoreProject(inputs, tables);
	const facts_as_of = request?.facts_as_of ?? null;
	return {
		id: project_id,
		request,
		score_version,
		investability_score: published.score,
		grade: published.grade,
		investable: published.investable,
		...creditColumns(credit),
		p_credit: credit.p_credit ?? null,
		expected_credit_value: credit.expected_value ?? null,
		...Object.fromEntries(scoreComponents.map((name) => [`${name}_score`, components?.[name].score ?? null])),
		...chanceColumns(chances),
		confidence: confidenceOf(chances?.p_cod_36 ?? null, ageInDays(facts_as_of, day), listDaysOf(inputs.region)),
		inputs_hash,
		facts_as_of,
		scored_at: published.published_at,
	};
}
