import type { Handler, Reply } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";

/** Those with most projects first. */
export function listNameReviews(sql: Sql): Handler<"listNameReviews"> {
	return async ({ page, per_page }) =>
		oneJsonReply<Reply<"listNameReviews">>(
			sql,
			sql`
			with reviews as (
				select l.raw_name, coalesce(l.reason, '') as reason, l.candidates,
					(select count(*) from projects p where p.developer = l.raw_name) as project_count
				from developer_links l where l.outcome = 'review')
			select json_build_object(
				'data', coalesce((select json_agg(row_to_json(t)) from (
					select raw_name, reason, project_count, coalesce(candidates, '[]') as candidates from reviews
					order by project_count desc, raw_name limit ${per_page} offset ${(page - 1) * per_page}) t), '[]'),
				'meta', (select json_build_object('total', count(*), 'page', ${page}::int, 'per_page', ${per_page}::int,
					'pages', ceil(count(*) / ${per_page}::float8)) from reviews))`,
		);
}
