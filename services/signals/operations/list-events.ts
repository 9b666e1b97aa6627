import type { Handler } from "#libs/contract/index.ts";
import { replyList } from "#libs/postgres/list.ts";
import type { Resources } from "../resources.ts";
import { matchCondition, newsColumns } from "./filters.ts";

export function listEvents({ sql, now }: Resources): Handler<"listEvents"> {
	return async ({ page, per_page, cursor, ...filters }) =>
		replyList(
			sql,
			{
				filters,
				chosen: sql`article_matches m where ${matchCondition(sql, { ...filters, now: now() })}`,
				sort: [
					{ column: "published_at", order: "desc" },
					{ column: "article_id", order: "desc" },
					{ column: "developer_id" },
				],
				columns: sql`m.*`,
				rows: sql`select d.canonical_name as developer_canonical, ${newsColumns(sql)}
					from page join articles a using (article_id) join developers d using (developer_id)`,
			},
			{ page, per_page, cursor },
		);
}
