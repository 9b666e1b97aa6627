import { containing } from "#libs/contract/filters/meanings.ts";
import type { Tag } from "#libs/contract/filters/project-condition.ts";
import type { Handler, Params, Reply } from "#libs/contract/index.ts";
import { checkDay } from "#libs/contract/operations/as-of.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { replyList, type SortColumn } from "#libs/postgres/replies/list.ts";
import { oneJsonReply } from "#libs/postgres/replies/reply.ts";
import { coverageMeta, metaPart } from "../../history/past.ts";
import type { Resources } from "../../resources.ts";
import { developersAt, toDeveloperRows } from "../developers-at.ts";

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
				...(past && { tables: sql`past_developers as materialized (select * from ${developersAt(sql, asOf)} d),` }),
				chosen: sql`${past ? sql`past_developers` : sql`listed_developers`} d where ${developerCondition(sql, filters)}`,
				sort: [
					{ column: sort, order, nullable: true },
					...(sort === "active_capacity_mw" ? [] : [byCapacity]),
					{ column: "developer_id" },
				],
				// Unpacks only the portfolios of this page.
				rows: past
					? sql`select r.* from page join ${toDeveloperRows(sql, sql`past_developers`)} r using (developer_id)`
					: sql`select r.* from page join developer_rows r using (developer_id)`,
				meta: coverageMeta(sql, asOf),
			},
			{ page, per_page, cursor },
		);
	};
}

const byCapacity: SortColumn = { column: "active_capacity_mw", order: "desc" };

type Filters = Omit<Params<"listDevelopers">, "sort" | "order" | "page" | "per_page" | "cursor" | "as_of">;

export function developerCondition<F = Fragment>(
	sql: Tag<F>,
	{ tier, company_kind, state, min_projects, needs_capital, identifier, q }: Filters,
): F {
	const parts: F[] = [];
	if (tier !== undefined) parts.push(sql`d.tier = ${tier}`);
	if (company_kind !== undefined) parts.push(sql`d.company_kind = ${company_kind}`);
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

export function getDeveloperStats(resources: Resources): Handler<"getDeveloperStats"> {
	const { sql } = resources;
	return async (asOf) => {
		checkDay(resources, asOf);
		return oneJsonReply<Reply<"getDeveloperStats">>(
			sql,
			sql`
			with d as materialized (select * from ${developersAt(sql, asOf)} d)
			select json_build_object(${metaPart(sql, asOf)}
				'total_developers', (select count(*) from d),
				'by_tier', coalesce((select json_agg(row_to_json(t)) from (
					select tier, count(*) as count, mw(sum((portfolio ->> 'total_capacity_mw')::float8)) as total_capacity_mw
					from d group by tier order by 3 desc, tier) t), '[]'),
				'needs_capital_count', ${asOf.as_of !== undefined ? sql`null::integer` : sql`(select count(*) from d where needs_capital)`},
				'active_states_avg', (select coalesce(round(avg(jsonb_array_length(portfolio -> 'states_active')), 2), 0)
					from d where portfolio -> 'states_active' <> '[]'))`,
		);
	};
}

export function listNameReviews(sql: Sql): Handler<"listNameReviews"> {
	return async (request) =>
		replyList(
			sql,
			{
				filters: {},
				tables: sql`reviews as (
					select l.raw_name, coalesce(l.reason, '') as reason, coalesce(l.candidates, '[]') as candidates,
						(select count(*) from projects p where p.developer = l.raw_name) as project_count
					from developer_links l where l.outcome = 'review'),`,
				chosen: sql`reviews where true`,
				sort: [{ column: "project_count", order: "desc" }, { column: "raw_name" }],
				columns: sql`*`,
				rows: sql`select raw_name, reason, project_count, candidates from page`,
			},
			request,
		);
}
