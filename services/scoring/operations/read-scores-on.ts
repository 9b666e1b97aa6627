import type { Handler, Reply } from "#libs/contract/index.ts";
import { checkDay } from "#libs/contract/operations/as-of.ts";
import type { Fragment } from "#libs/postgres/connect.ts";
import { readDataVersion } from "#libs/postgres/data-version.ts";
import { creditColumns } from "../domain/assess.ts";
import type { Resources } from "../resources.ts";
import { type ScoreOfDay, stoodOn } from "./scores-of-day.ts";

type Page = Reply<"readScoresOn">;

export function readScoresOn(resources: Resources): Handler<"readScoresOn"> {
	const { sql } = resources;
	return async ({ as_of, id, region }) => {
		checkDay(resources, { as_of });
		const ids = id === undefined ? undefined : sql`any(${id}::text[])`;
		const among = ids === undefined ? sql`s.inputs ->> 'region' = ${region ?? ""}` : sql`s.project_id = ${ids}`;
		// No caller caches these by their version, so it need not be read before them.
		const [dataVersion, scores, developers] = await Promise.all([
			readDataVersion(sql),
			sql<Published[]>`
				select s.project_id, s.score, s.investable, s.credit, s.score_version from score_versions s
				where ${stoodOn<Fragment>(sql, as_of, sql`s.published_at`, sql`s.published_until`)} and ${among} order by s.project_id`,
			sql<Page["developers"]>`
				select developer_id, needs_capital from developer_rating_versions
				where ${stoodOn<Fragment>(sql, as_of, sql`rated_at`, sql`rated_until`)}
					${ids === undefined ? sql`` : sql`and developer_id in (select developer_id from projects where project_id = ${ids})`}
				order by developer_id`,
		]);
		return {
			json: JSON.stringify({ developers: [...developers], data: scores.map(rowOf) } satisfies Page),
			dataVersion,
		};
	};
}

type Published = Pick<ScoreOfDay, "project_id" | "score" | "investable" | "credit" | "score_version">;

const rowOf = ({ project_id, score, investable, credit, score_version }: Published): Page["data"][number] => ({
	id: project_id,
	investability_score: score,
	investable,
	...creditColumns(credit),
	tax_credit_pct: credit.effective_rate,
	score_basis: "published",
	score_version,
});
