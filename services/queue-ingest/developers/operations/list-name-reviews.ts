import type { Handler } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { replyList } from "#libs/postgres/list.ts";

/** Those with most projects first. */
export function listNameReviews(sql: Sql): Handler<"listNameReviews"> {
	return async (request) =>
		replyList(
			sql,
			{
				filters: {},
				tables: sql`reviews as (
					select l.raw_name, coalesce(l.reason, '') as reason, coalesce(l.candidates, '[]') as candidates,
						(select count(*) from projects p where p.developer = l.raw_name) as project_count
					from developer_links l where l.outcome = 'review'),`,
				chosen: sql`reviews where true`,
				sort: [{ column: "project_count", order: "desc" }, { column: "raw_name" }],
				columns: sql`*`,
				rows: sql`select raw_name, reason, project_count, candidates from page`,
			},
			request,
		);
}
