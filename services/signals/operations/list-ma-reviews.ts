import type { Handler, Reply } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";
import { pageMeta } from "./filters.ts";

export function listMaReviews(sql: Sql): Handler<"listMaReviews"> {
	return async ({ page, per_page }) =>
		oneJsonReply<Reply<"listMaReviews">>(
			sql,
			sql`
			select json_build_object(
				'data', coalesce((select json_agg(row_to_json(t)) from (
					select region, iso(as_of) as as_of, kind, old_developer, new_developer, projects, reason
					from ma_reviews order by id desc limit ${per_page} offset ${(page - 1) * per_page}) t), '[]'),
				'meta', ${pageMeta(sql, sql`select count(*) from ma_reviews`, page, per_page)})`,
		);
}
