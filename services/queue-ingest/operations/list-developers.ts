import type { Handler, Params, Reply } from "#libs/contract/index.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { containing } from "#libs/postgres/containing.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";

export function listDevelopers(sql: Sql): Handler<"listDevelopers"> {
	return async ({ sort, order, page, per_page, ...filters }) => {
		const condition = developerCondition(sql, filters);
		const direction = order === "desc" ? sql`desc nulls last` : sql`asc nulls last`;
		const by = sql`${sql(sort)} ${direction}, developer_id`;
		return oneJsonReply<Reply<"listDevelopers">>(
			sql,
			sql`
			select json_build_object(
				'data', coalesce((select json_agg(row_to_json(r)) from (
					-- Only the page's own portfolios are unpacked.
					select r.* from (
						select d.developer_id from listed_developers d where ${condition}
						order by ${by} limit ${per_page} offset ${(page - 1) * per_page}) as ids
					join developer_rows r using (developer_id) order by ${by}) r), '[]'),
				'meta', (select json_build_object('total', count(*), 'page', ${page}::int, 'per_page', ${per_page}::int,
					'pages', ceil(count(*) / ${per_page}::float8)) from listed_developers d where ${condition}))`,
		);
	};
}

type Filters = Omit<Params<"listDevelopers">, "sort" | "order" | "page" | "per_page">;

function developerCondition(sql: Sql, { tier, state, min_projects, needs_capital, q }: Filters): Fragment {
	const parts: Fragment[] = [];
	if (tier !== undefined) parts.push(sql`d.tier = ${tier}`);
	if (state !== undefined)
		parts.push(sql`(d.headquarters_state = ${state} or jsonb_exists(d.portfolio -> 'states_active', ${state}))`);
	if (min_projects !== undefined) parts.push(sql`d.total_projects >= ${min_projects}`);
	if (needs_capital !== undefined) parts.push(sql`d.needs_capital = ${needs_capital}`);
	if (q !== undefined)
		parts.push(sql`(d.canonical_name ilike ${containing(q)} or exists (
			select from developer_aliases a where a.developer_id = d.developer_id and a.alias ilike ${containing(q)}))`);
	return parts.reduce((all, part) => sql`${all} and ${part}`, sql`true`);
}
