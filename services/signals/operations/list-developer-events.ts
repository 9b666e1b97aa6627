import { notFound } from "#libs/contract/errors.ts";
import type { Handler } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { replyList } from "#libs/postgres/list.ts";
import type { Resources } from "../resources.ts";
import { matchCondition, newsColumns } from "./filters.ts";

export function listDeveloperEvents({ sql, now }: Resources): Handler<"listDeveloperEvents"> {
	return async ({ developer_id, page, per_page, cursor, ...filters }) => {
		const developerId = await resolveDeveloper(sql, developer_id);
		return replyList(
			sql,
			{
				filters: { ...filters, developerId },
				chosen: sql`article_matches m where ${matchCondition(sql, { ...filters, developerId, now: now() })}`,
				sort: [
					{ column: "published_at", order: "desc" },
					{ column: "article_id", order: "desc" },
				],
				columns: sql`m.*`,
				rows: sql`select ${newsColumns(sql)} from page join articles a using (article_id)`,
				fields: { developer: sql`select to_json(canonical_name) from developers where developer_id = ${developerId}` },
			},
			{ page, per_page, cursor },
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
