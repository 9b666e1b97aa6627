/** Reads the published scores that were current at the end of a past day (UTC). */
import { type AppError, notFound } from "#libs/contract/errors.ts";
import type { Tag } from "#libs/contract/filters/project-condition.ts";
import type { Handler, Reply } from "#libs/contract/index.ts";
import { checkDay } from "#libs/contract/operations/as-of.ts";
import type { Grade } from "#libs/contract/vocabulary.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { readDataVersion } from "#libs/postgres/data-version.ts";
import { type CreditRow, creditColumns } from "../domain/assess.ts";
import type { ScoreInputs } from "../domain/score/tables.ts";
import type { Resources } from "../resources.ts";

export interface ScoreOfDay {
	project_id: string;
	published_at: string;
	score_version: number;
	score: number;
	grade: Grade;
	investable: boolean;
	inputs: ScoreInputs;
	inputs_hash: string;
	/** Lacks the chance and the expected value if it was published before these were stored. */
	credit: CreditRow;
	/** The request when the score was published; null if it was published before requests were stored with scores. */
	request: { facts_as_of: string | null } | null;
}

/** `among`: a condition on `score_versions s` that selects requests. */
export const readScoresOfDay = (sql: Sql, day: string, among: Fragment): Promise<ScoreOfDay[]> =>
	sql<ScoreOfDay[]>`
		select s.project_id, iso(s.published_at) as published_at, s.score_version, s.score, s.grade, s.investable, s.inputs, s.inputs_hash,
			s.credit, s.request
		from score_versions s where ${wasCurrentOn<Fragment>(sql, day, sql`s.published_at`, sql`s.published_until`)} and ${among}
		order by s.project_id`;

/** Condition: a row valid from `from` until `until` was current at the end of the day. */
export const wasCurrentOn = <F>(sql: Tag<F>, day: string, from: F, until: F): F =>
	sql`${from} < (${day}::text::date + 1)::timestamptz and ${until} >= (${day}::text::date + 1)::timestamptz`;

/** The error 404 with the day on which the request's first score was published, if any. */
export async function createNotPublished(sql: Sql, id: string, day: string): Promise<AppError> {
	const [row] = await sql<{ first: string | null }[]>`
		select to_char(min(published_at) at time zone 'UTC', 'YYYY-MM-DD') as first from score_versions where project_id = ${id}`;
	const first = row?.first ? `: the first was published on ${row.first}` : "";
	return notFound(`no score of ${id} was published at the end of ${day}${first}`);
}

type Page = Reply<"readScoresOn">;

export function readScoresOn(resources: Resources): Handler<"readScoresOn"> {
	const { sql } = resources;
	return async ({ as_of, id, region }) => {
		checkDay(resources, { as_of });
		const ids = id === undefined ? undefined : sql`any(${id}::text[])`;
		const among = ids === undefined ? sql`s.inputs ->> 'region' = ${region ?? ""}` : sql`s.project_id = ${ids}`;
		// The version can be read at the same time as the rows, because no caller caches this reply by its version.
		const [dataVersion, scores, developers] = await Promise.all([
			readDataVersion(sql),
			sql<Published[]>`
				select s.project_id, s.score, s.investable, s.p_cod_36, s.credit, s.score_version from score_versions s
				where ${wasCurrentOn<Fragment>(sql, as_of, sql`s.published_at`, sql`s.published_until`)} and ${among} order by s.project_id`,
			sql<Page["developers"]>`
				select developer_id, needs_capital from developer_rating_versions
				where ${wasCurrentOn<Fragment>(sql, as_of, sql`rated_at`, sql`rated_until`)}
					${ids === undefined ? sql`` : sql`and developer_id in (select developer_id from projects where project_id = ${ids})`}
				order by developer_id`,
		]);
		return {
			json: JSON.stringify({ developers: [...developers], data: scores.map(rowOf) } satisfies Page),
			dataVersion,
		};
	};
}

type Published = Pick<ScoreOfDay, "project_id" | "score" | "investable" | "credit" | "score_version"> & {
	/** Null if the score was published before chances were stored. */
	p_cod_36: number | null;
};

const rowOf = ({
	project_id,
	score,
	investable,
	p_cod_36,
	credit,
	score_version,
}: Published): Page["data"][number] => ({
	id: project_id,
	investability_score: score,
	investable,
	p_cod_36,
	...creditColumns(credit),
	tax_credit_pct: credit.effective_rate,
	score_basis: "published",
	score_version,
});
