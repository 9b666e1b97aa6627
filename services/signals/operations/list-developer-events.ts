import { notFound } from "#libs/contract/errors.ts";
import type { Handler, Reply } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";
import type { Resources } from "../resources.ts";
import { matchCondition, newsColumns, pageMeta } from "./filters.ts";

export function listDeveloperEvents({ sql, now }: Resources): Handler<"listDeveloperEvents"> {
	return async ({ developer_id, page, per_page, ...filters }) => {
		const developerId = await resolveDeveloper(sql, developer_id);
		const condition = matchCondition(sql, { ...filters, developerId, now: now() });
		return oneJsonReply<Reply<"listDeveloperEvents">>(
			sql,
			sql`
			select json_build_object(
				'developer', (select canonical_name from developers where developer_id = ${developerId}),
				'data', coalesce((select json_agg(row_to_json(t)) from (
					select ${newsColumns(sql)}
					from (select * from article_matches m where ${condition} order by published_at desc, article_id desc
						limit ${per_page} offset ${(page - 1) * per_page}) m
					join articles a using (article_id)
					order by m.published_at desc, m.article_id desc) t), '[]'),
				'meta', ${pageMeta(sql, sql`select count(*) from article_matches m where ${condition}`, page, per_page)})`,
		);
	};
}

/** The developer that a caller means by its number, its canonical name or a name that is its alone. Throws 404. */
async function resolveDeveloper(sql: Sql, wanted: string): Promise<number> {
	const number = /^\d{1,9}$/.test(wanted) ? Number(wanted) : null;
	const [found] = await sql<{ developer_id: number }[]>`
		select developer_id from (
			select developer_id, 0 as rank from developers where developer_id = ${number}::integer
			union all
			select developer_id, 1 from developers where lower(canonical_name) = lower(${wanted})
			union all
			select min(developer_id), 2 from developers d, jsonb_array_elements(d.aliases) a
			where lower(a ->> 'alias') = lower(${wanted}) having count(distinct developer_id) = 1) named
		order by rank, developer_id limit 1`;
	if (found === undefined) throw notFound(`no developer ${wanted}`);
	return found.developer_id;
}
