import { containing } from "#libs/contract/filters/meanings.ts";
import type { Handler, Params, Reply } from "#libs/contract/index.ts";
import type { DgSource } from "#libs/contract/vocabulary.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { replyList } from "#libs/postgres/replies/list.ts";
import { oneJsonReply } from "#libs/postgres/replies/reply.ts";
import { eia861Distributed, eia861NetMetering } from "./sources/eia861.ts";
import { nyserda } from "./sources/nyserda.ts";
import { pucoOhio } from "./sources/ohio.ts";

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

/** Columns that are compared for equality with the parameter of the same name. */
const equalColumns = [
	"source",
	"kind",
	"state",
	"technology",
	"sector",
	"program",
	"area_type",
	"year",
	"in_totals",
] as const;

function recordCondition(sql: Sql, filters: Filters): Fragment {
	const parts: Fragment[] = [];
	for (const name of equalColumns) {
		const value = filters[name];
		if (value !== undefined) parts.push(sql`r.${sql(name)} = ${value}`);
	}
	if (filters.utility !== undefined) parts.push(sql`r.utility ilike ${containing(filters.utility)}`);
	if (filters.capacity_min !== undefined) parts.push(sql`r.capacity_mw >= ${filters.capacity_min}`);
	return parts.reduce((all, part) => sql`${all} and ${part}`, sql`true`);
}

/** Sources whose rows are what was added in a year, so that years can be summed. The rows of other sources are totals at the end of a year. */
const sourcesOfAdditions: ReadonlySet<DgSource> = new Set(["puco-ohio-der", "nyserda-der"]);

const titles = new Map<string, string>(
	[eia861NetMetering, eia861Distributed, pucoOhio, nyserda].map(({ feed, title }) => [feed, title]),
);

/** Counts one edition of a yearly source, or a source that is published as a whole, in total or for one year. */
export function getDgStats(sql: Sql): Handler<"getDgStats"> {
	const by = (column: string) => sql`
		coalesce((select json_agg(row_to_json(t)) from (
			select ${sql(column)}, ${column === "technology" ? figures(sql, sql``) : figures(sql)} from chosen group by 1
			order by sum(capacity_mw) desc nulls last, ${sql(column)} nulls last) t), '[]')`;
	return async ({ source, year }) =>
		oneJsonReply<Reply<"getDgStats">>(
			sql,
			sql`
			with edition as (
				select edition, published_on from dg_edition_rows
				where source = ${source} and (edition = 'current' or ${year ?? null}::int is null or edition = ${String(year ?? "")})
				order by edition desc limit 1),
			counted as materialized (select * from dg_rows where source = ${source} and in_totals),
			chosen as (
				select * from counted where edition = (select edition from edition)
					and (${year ?? null}::int is null or year = ${year ?? null}))
			select json_build_object('data', (select row_to_json(d) from (
				select ${source}::text as source, ${titles.get(source) ?? source}::text as title, (select edition from edition) as edition,
					(select published_on from edition) as published_on, 'MW' as unit,
					${sourcesOfAdditions.has(source) ? "added" : "existing"}::text as counts, ${figures(sql)},
					${by("state")} as by_state, ${by("technology")} as by_technology, ${by("sector")} as by_sector,
					${by("program")} as by_program,
					coalesce((select json_agg(row_to_json(t)) from (
						select year, ${figures(sql)} from counted group by year order by year nulls last) t), '[]') as by_year
				from chosen) d))`,
		);
}

/** Capacity and customers exclude storage: it is not generation, and its customers are usually counted with their panels. */
const figures = (sql: Sql, customersFilter = sql`filter (where technology is distinct from 'Storage')`) => sql`
	count(*) as records, coalesce(round((sum(capacity_mw) filter (where technology is distinct from 'Storage'))::numeric, 6)::float8, 0)
		as capacity_mw,
	coalesce(round((sum(capacity_mw) filter (where technology = 'Storage'))::numeric, 6)::float8, 0) as storage_mw,
	coalesce(sum(customers) ${customersFilter}, 0) as customers, coalesce(sum(facilities), 0) as facilities,
	coalesce(sum(generators), 0) as generators`;
