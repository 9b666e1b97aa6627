/** Scores as they stood published when a day ended, UTC. */
import { type AppError, notFound } from "#libs/contract/errors.ts";
import type { Tag } from "#libs/contract/filters/project-condition.ts";
import type { Grade } from "#libs/contract/vocabulary.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import type { CreditRow } from "../domain/assess.ts";
import type { ScoreInputs } from "../domain/score/tables.ts";

export interface ScoreOfDay {
	project_id: string;
	published_at: string;
	score_version: number;
	score: number;
	grade: Grade;
	investable: boolean;
	inputs: ScoreInputs;
	inputs_hash: string;
	/** Without the chance and the expected value where it was published before these were stored. */
	credit: CreditRow;
	/** The request as it was when the score was published; null for scores from before that was stored. */
	request: { facts_as_of: string | null } | null;
}

/** `among`: the condition on `score_versions s` that chooses requests. */
export const readScoresOfDay = (sql: Sql, day: string, among: Fragment): Promise<ScoreOfDay[]> =>
	sql<ScoreOfDay[]>`
		select s.project_id, iso(s.published_at) as published_at, s.score_version, s.score, s.grade, s.investable, s.inputs, s.inputs_hash,
			s.credit, s.request
		from score_versions s where ${stoodOn<Fragment>(sql, day, sql`s.published_at`, sql`s.published_until`)} and ${among}
		order by s.project_id`;

/** The condition that something stood from one moment until another when the day ended. */
export const stoodOn = <F>(sql: Tag<F>, day: string, from: F, until: F): F =>
	sql`${from} < (${day}::text::date + 1)::timestamptz and ${until} >= (${day}::text::date + 1)::timestamptz`;

/** 404 with the first day on which one stood. */
export async function notPublished(sql: Sql, id: string, day: string): Promise<AppError> {
	const [row] = await sql<{ first: string | null }[]>`
		select to_char(min(published_at) at time zone 'UTC', 'YYYY-MM-DD') as first from score_versions where project_id = ${id}`;
	const first = row?.first ? `: the first was published on ${row.first}` : "";
	return notFound(`no score of ${id} stood published at the end of ${day}${first}`);
}
