import type { Handler, Reply } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";
import { containing } from "./project-filters.ts";

/** Best first: the number or developer itself, a name or county that is the text, one that begins with it, any other that contains it. */
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
			developer_hits as (
				select d.developer_id, d.canonical_name, d.total_projects, d.portfolio, min(rank) as rank from listed_developers d
				cross join lateral (
					select case when lower(name) = lower(${q}) then 0 when name ilike ${start} then 3 else 5 end as rank
					from (select d.canonical_name as name union select a.alias from developer_aliases a
						where a.developer_id = d.developer_id) names
					where name ilike ${anywhere}) hit
				group by 1, 2, 3, 4),
			found as (
				select rank, -total_projects as weight, canonical_name as sort,
					json_build_object('kind', 'developer', 'developer_id', developer_id, 'name', canonical_name,
						'match_score', case rank when 0 then 1 when 3 then 0.9 else 0.8 end, 'project_count', total_projects,
						'total_capacity_mw', portfolio -> 'total_capacity_mw') as hit from developer_hits
				union all
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
