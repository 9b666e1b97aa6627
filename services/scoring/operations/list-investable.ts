import type { Handler, Reply } from "#libs/contract/index.ts";
import { onlyFields } from "#libs/contract/only-fields.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { readPage, type SortColumn } from "#libs/postgres/list.ts";
import { type ScoreInputs, scoreProject, tablesOf } from "../domain/score/index.ts";
import type { Resources } from "../resources.ts";
import { filtersOf, listedColumns, scoredPage } from "./lists.ts";

type Page = Reply<"listInvestable">;
/** As PostgreSQL answers it: the inputs stand where the explanation that is written of them will. */
type Row = Omit<Page["data"][number], "explanation"> & { inputs: ScoreInputs };

/** The rule of the version that is served, or the same with another score. */
const asked = (sql: Sql, minScore: number | undefined): Fragment =>
	minScore === undefined ? sql`investable` : sql`eligible and score >= ${minScore}`;

const sort: readonly SortColumn[] = [
	{ column: "score", order: "desc" },
	{ column: "project_capacity_mw", order: "desc", nullable: true },
	{ column: "project_id" },
];

export function listInvestable({ sql }: Resources): Handler<"listInvestable"> {
	return async ({ page, per_page, cursor, fields: chosen, ...filters }) => {
		const { min_score, ...others } = filters;
		const { rows, meta, fields, dataVersion } = await readPage(
			sql,
			{
				filters,
				chosen: sql`scored_requests p where score_version = (select active_version from settings)
					and ${asked(sql, min_score)} and ${filtersOf(sql, others)}`,
				sort,
				rows: sql`select ${listedColumns(sql)}, s.inputs from ${scoredPage(sql)}`,
				fields: { version: sql`select active_version from settings` },
			},
			{ page, per_page, cursor },
		);
		const tables = tablesOf(Number(fields.version));
		const data = (JSON.parse(`[${rows}]`) as Row[]).map(({ inputs, ...row }) => ({
			...row,
			explanation: scoreProject(inputs, tables).explanation,
		}));
		const whole = { data, meta } satisfies Page;
		const shown = whole.data.map((row) => onlyFields(row, chosen));
		return { json: JSON.stringify({ ...whole, data: shown }), dataVersion };
	};
}
