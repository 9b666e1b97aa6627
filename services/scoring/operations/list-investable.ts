import type { Handler, Reply } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";
import { filtersOf, listedColumns, pageOf, scored } from "./lists.ts";

export function listInvestable(sql: Sql): Handler<"listInvestable"> {
	return async ({ min_score, page, per_page, ...filters }) => {
		const chosen = sql`${scored(sql)} and s.investable and s.score >= ${min_score ?? 0} and ${filtersOf(sql, filters)}`;
		return oneJsonReply<Reply<"listInvestable">>(
			sql,
			pageOf(
				sql,
				sql`select ${listedColumns(sql)}, s.explanation from ${chosen}
					order by s.score desc, p.capacity_mw desc nulls last, p.project_id`,
				chosen,
				{ page, per_page },
			),
		);
	};
}
