import type { Handler, Params, Reply } from "#libs/contract/index.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { containing } from "#libs/postgres/containing.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";

export function listDg(sql: Sql): Handler<"listDg"> {
	return async ({ sort, order, page, per_page, ...filters }) => {
		const condition = recordCondition(sql, filters);
		const direction = order === "desc" ? sql`desc nulls last` : sql`asc nulls last`;
		return oneJsonReply<Reply<"listDg">>(
			sql,
			sql`
			select json_build_object(
				'data', coalesce((select json_agg(row_to_json(t)) from (
					select * from dg_rows r where ${condition} order by ${sql(sort)} ${direction}, id limit ${per_page} offset ${(page - 1) * per_page}) t), '[]'),
				'meta', (select json_build_object('total', count(*), 'page', ${page}::int, 'per_page', ${per_page}::int,
					'pages', ceil(count(*) / ${per_page}::float8)) from dg_rows r where ${condition}))`,
		);
	};
}

type Filters = Omit<Params<"listDg">, "sort" | "order" | "page" | "per_page">;

/** Columns that are what the parameter says, word for word. */
const exact = ["source", "kind", "state", "technology", "sector", "program", "area_type", "year", "in_totals"] as const;

function recordCondition(sql: Sql, filters: Filters): Fragment {
	const parts: Fragment[] = [];
	for (const name of exact) {
		const value = filters[name];
		if (value !== undefined) parts.push(sql`r.${sql(name)} = ${value}`);
	}
	if (filters.utility !== undefined) parts.push(sql`r.utility ilike ${containing(filters.utility)}`);
	if (filters.capacity_min !== undefined) parts.push(sql`r.capacity_mw >= ${filters.capacity_min}`);
	return parts.reduce((all, part) => sql`${all} and ${part}`, sql`true`);
}
