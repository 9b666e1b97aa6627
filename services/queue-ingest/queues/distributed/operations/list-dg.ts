import { containing } from "#libs/contract/filters/containing.ts";
import type { Handler, Params } from "#libs/contract/index.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { replyList } from "#libs/postgres/list.ts";

export function listDg(sql: Sql): Handler<"listDg"> {
	return async ({ sort, order, page, per_page, cursor, ...filters }) =>
		replyList(
			sql,
			{
				filters,
				chosen: sql`dg_rows r where ${recordCondition(sql, filters)}`,
				sort: sort === "id" ? [{ column: "id", order }] : [{ column: sort, order, nullable: true }, { column: "id" }],
				columns: sql`r.*`,
				rows: sql`select * from page`,
			},
			{ page, per_page, cursor },
		);
}

type Filters = Omit<Params<"listDg">, "sort" | "order" | "page" | "per_page" | "cursor">;

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
