import type { Handler, Reply } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";
import { containing } from "./project-filters.ts";

/** Best first: the number itself, a name or county that is the text, one that begins with it, any other that contains it. */
export function search(sql: Sql): Handler<"search"> {
	return async ({ q, page, per_page }) => {
		const anywhere = containing(q);
		const start = anywhere.slice(1);
		return oneJsonReply<Reply<"search">>(
			sql,
			sql`
			with counties as (
				select 'county' as kind, county as name, state, fips, count(*) as project_count,
					coalesce(round(sum(capacity_mw)::numeric, 3)::float8, 0) as total_capacity_mw,
					case when lower(county) = lower(${q}) then 1 when county ilike ${start} then 3 else 5 end as rank
				from projects where kind = 'generation' and county ilike ${anywhere} and fips is not null group by county, state, fips),
			hits as (
				select 'project' as kind, id, name, developer, capacity_mw, state,
					case when lower(id) = lower(${q}) or lower(queue_id) = lower(${q}) then 0
						when lower(name) = lower(${q}) then 2 when name ilike ${start} or queue_id ilike ${start} then 4
						when name ilike ${anywhere} then 6 when developer ilike ${anywhere} then 7 else 8 end as rank
				from projects where kind = 'generation' and (name ilike ${anywhere} or queue_id ilike ${anywhere}
					or id ilike ${anywhere} or developer ilike ${anywhere} or poi ilike ${anywhere})),
			found as (
				select rank, -project_count as weight, name as sort,
					json_build_object('kind', kind, 'name', name, 'state', state, 'fips', fips, 'project_count', project_count,
						'total_capacity_mw', total_capacity_mw) as hit from counties
				union all
				select rank, -coalesce(capacity_mw, 0), id,
					json_build_object('kind', kind, 'id', id, 'name', name, 'developer', developer, 'capacity_mw', capacity_mw,
						'state', state) from hits
				order by rank, weight, sort limit ${per_page} offset ${(page - 1) * per_page})
			select json_build_object('query', ${q}::text,
				'results', coalesce((select json_agg(hit order by rank, weight, sort) from found), '[]'))`,
		);
	};
}
