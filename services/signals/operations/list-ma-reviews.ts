import type { Handler } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { replyList } from "#libs/postgres/list.ts";

export function listMaReviews(sql: Sql): Handler<"listMaReviews"> {
	return async (request) =>
		replyList(
			sql,
			{
				filters: {},
				chosen: sql`ma_reviews where true`,
				sort: [{ column: "id", order: "desc" }],
				rows: sql`select region, iso(as_of) as as_of, kind, old_developer, new_developer, projects, reason
					from page join ma_reviews using (id)`,
			},
			request,
		);
}
