import type { Handler, Reply } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { type ScoreInputs, scoreProject, tablesOf } from "../domain/score/index.ts";
import { filtersOf, listedColumns, rowsOf, Totals } from "./lists.ts";

type Page = Reply<"listInvestable">;
interface Found {
	/** As PostgreSQL answers them: the inputs stand where the explanation that is written of them will. */
	data: (Omit<Page["data"][number], "explanation"> & { inputs: ScoreInputs })[];
	total: number | null;
	score_version: number;
	version: number;
}

export function listInvestable(sql: Sql): Handler<"listInvestable"> {
	const totals = new Totals();
	return async ({ page, per_page, ...filters }) => {
		const chosen = sql`scores where score_version = (select active_version from settings) and investable
			and score >= ${filters.min_score ?? 0} and ${filtersOf(sql, filters)}`;
		const rows = rowsOf(
			sql,
			{
				chosen,
				order: sql`score desc, project_capacity_mw desc nulls last, project_id`,
				columns: sql`${listedColumns(sql)}, s.inputs`,
				rowOrder: sql`s.score desc, s.project_capacity_mw desc nulls last, p.project_id`,
			},
			{ page, per_page },
		);
		const found = await totals.read(filters, async (counted) => {
			const [row] = await sql<Found[]>`
				select ${rows} as data, ${counted ? sql`(select count(*) from ${chosen})` : sql`null::bigint`} as total,
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
