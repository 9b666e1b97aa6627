import { containing } from "#libs/contract/filters/containing.ts";
import type { Tag } from "#libs/contract/filters/project-condition.ts";
import type { Handler, Params } from "#libs/contract/index.ts";
import type { Fragment } from "#libs/postgres/connect.ts";
import { replyList, type SortColumn } from "#libs/postgres/list.ts";
import { checkDay, pastMeta } from "../../history/past.ts";
import type { Resources } from "../../resources.ts";
import { developersAt, rowsOf } from "../developers-at.ts";

export function listDevelopers(resources: Resources): Handler<"listDevelopers"> {
	const { sql } = resources;
	return async ({ sort, order, page, per_page, cursor, as_of, ...filters }) => {
		const asOf = { as_of };
		const past = asOf.as_of !== undefined;
		checkDay(resources, asOf);
		return replyList(
			sql,
			{
				filters: { ...filters, ...asOf },
				...(past && { tables: sql`developers_then as materialized (select * from ${developersAt(sql, asOf)} d),` }),
				chosen: sql`${past ? sql`developers_then` : sql`listed_developers`} d where ${developerCondition(sql, filters)}`,
				sort: [
					{ column: sort, order, nullable: true },
					...(sort === "active_capacity_mw" ? [] : [byCapacity]),
					{ column: "developer_id" },
				],
				// Only the page's own portfolios are unpacked.
				rows: past
					? sql`select r.* from page join ${rowsOf(sql, sql`developers_then`)} r using (developer_id)`
					: sql`select r.* from page join developer_rows r using (developer_id)`,
				meta: pastMeta(sql, asOf),
			},
			{ page, per_page, cursor },
		);
	};
}

/** Of equal ones the larger. */
const byCapacity: SortColumn = { column: "active_capacity_mw", order: "desc" };

type Filters = Omit<Params<"listDevelopers">, "sort" | "order" | "page" | "per_page" | "cursor" | "as_of">;

/** On `listed_developers d`, or as they were. */
export function developerCondition<F = Fragment>(
	sql: Tag<F>,
	{ tier, state, min_projects, needs_capital, identifier, q }: Filters,
): F {
	const parts: F[] = [];
	if (tier !== undefined) parts.push(sql`d.tier = ${tier}`);
	if (state !== undefined)
		parts.push(sql`(d.headquarters_state = ${state} or jsonb_exists(d.portfolio -> 'states_active', ${state}))`);
	if (min_projects !== undefined) parts.push(sql`d.total_projects >= ${min_projects}`);
	if (needs_capital !== undefined) parts.push(sql`d.needs_capital = ${needs_capital}`);
	if (identifier !== undefined)
		parts.push(sql`exists (select from developer_identifiers i where i.developer_id = d.developer_id
			and i.scheme || ':' || lower(i.value) = ${identifier})`);
	if (q !== undefined)
		parts.push(sql`(d.canonical_name ilike ${containing(q)} or exists (
			select from developer_aliases a where a.developer_id = d.developer_id and a.alias ilike ${containing(q)}))`);
	return parts.reduce((all, part) => sql`${all} and ${part}`, sql`true`);
}
