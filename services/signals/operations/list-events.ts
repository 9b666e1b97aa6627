import type { Handler, Reply } from "#libs/contract/index.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";
import type { Resources } from "../resources.ts";
import { matchCondition, newsColumns, pageMeta } from "./filters.ts";

export function listEvents({ sql, now }: Resources): Handler<"listEvents"> {
	return async ({ page, per_page, ...filters }) => {
		const condition = matchCondition(sql, { ...filters, now: now() });
		return oneJsonReply<Reply<"listEvents">>(
			sql,
			sql`
			select json_build_object(
				'data', coalesce((select json_agg(row_to_json(t)) from (
					select d.canonical_name as developer_canonical, ${newsColumns(sql)}
					from (select * from article_matches m where ${condition}
						order by published_at desc, article_id desc, developer_id
						limit ${per_page} offset ${(page - 1) * per_page}) m
					join articles a using (article_id) join developers d using (developer_id)
					order by m.published_at desc, m.article_id desc, m.developer_id) t), '[]'),
				'meta', ${pageMeta(sql, sql`select count(*) from article_matches m where ${condition}`, page, per_page)})`,
		);
	};
}
