import type { Handler, Reply } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { type ScoreInputs, scoreProject, tablesOf } from "../domain/score/index.ts";
import { filtersOf, listedColumns, pageOf, scored } from "./lists.ts";

type Page = Reply<"listInvestable">;
/** As PostgreSQL answers it: the inputs stand where the explanation that is written of them will. */
interface Found {
	page: { data: (Omit<Page["data"][number], "explanation"> & { inputs: ScoreInputs })[]; meta: Page["meta"] };
	score_version: number;
	data_version: number;
}

export function listInvestable(sql: Sql): Handler<"listInvestable"> {
	return async ({ min_score, page, per_page, ...filters }) => {
		const chosen = sql`${scored(sql)} and s.investable and s.score >= ${min_score ?? 0} and ${filtersOf(sql, filters)}`;
		const rows = sql`select ${listedColumns(sql)}, s.inputs from ${chosen}
			order by s.score desc, p.capacity_mw desc nulls last, p.project_id`;
		const [found] = await sql<Found[]>`
			select (${pageOf(sql, rows, chosen, { page, per_page })}) as page, active_version as score_version,
				(select version from data_version) as data_version from settings`;
		if (found === undefined) throw new Error("the settings of scoring are missing: migrate");
		const tables = tablesOf(found.score_version);
		const reply: Page = {
			data: found.page.data.map(({ inputs, ...row }) => ({
				...row,
				explanation: scoreProject(inputs, tables).explanation,
			})),
			meta: found.page.meta,
		};
		return { json: JSON.stringify(reply), dataVersion: found.data_version };
	};
}
