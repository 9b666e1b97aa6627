import type { Handler, Reply } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import type { Start } from "#libs/postgres/page-starts.ts";
import { Pages } from "#libs/postgres/pages.ts";
import { type ScoreInputs, scoreProject, tablesOf } from "../domain/score/index.ts";
import { filtersOf, listedColumns, nearPages, type Place, scoredPageOf } from "./lists.ts";

type Page = Reply<"listInvestable">;
interface Found {
	/** As PostgreSQL answers them: the inputs stand where the explanation that is written of them will. */
	data: (Omit<Page["data"][number], "explanation"> & { inputs: ScoreInputs })[];
	starts: Start<Place>[] | null;
	total: number | null;
	score_version: number;
	version: number;
}

export function listInvestable(sql: Sql): Handler<"listInvestable"> {
	const pages = new Pages<Place>();
	return async ({ page, per_page, ...filters }) => {
		const chosen = sql`scores where score_version = (select active_version from settings) and investable
			and score >= ${filters.min_score ?? 0} and ${filtersOf(sql, filters)}`;
		const asked = { filters, order: "", row: (page - 1) * per_page, seeks: page > nearPages };
		const found = await pages.read(asked, async ({ counted, start }) => {
			const { tables, data, starts } = scoredPageOf(
				sql,
				{
					chosen,
					by: [
						{ column: "score", nullable: false },
						{ column: "project_capacity_mw", nullable: true },
					],
					columns: sql`${listedColumns(sql)}, s.inputs`,
				},
				{ page, per_page },
				start,
			);
			const [row] = await sql<Found[]>`
				with ${tables} select ${data} as data, ${starts} as starts,
					${counted ? sql`(select count(*) from ${chosen})` : sql`null::bigint`} as total,
					active_version as score_version, (select version from data_version) as version from settings`;
			if (row === undefined) throw new Error("the settings of scoring are missing: migrate");
			return row;
		});
		const { total, version } = found;
		const tables = tablesOf(found.score_version);
		const reply: Page = {
			data: found.data.map(({ inputs, ...row }) => ({
				...row,
				explanation: scoreProject(inputs, tables).explanation,
			})),
			meta: { total, page, per_page, pages: Math.ceil(total / per_page) },
		};
		return { json: JSON.stringify(reply), dataVersion: version };
	};
}
