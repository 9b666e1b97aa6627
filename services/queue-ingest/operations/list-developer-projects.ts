import type { Handler, Reply } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";
import { resolveDeveloper } from "./get-developer.ts";

/** The contract's names of the columns; its `_std` is the standardised one here. */
const sortColumns = { capacity_mw: "capacity_mw", queue_date_std: "queue_date", status_std: "status_std" } as const;

export function listDeveloperProjects(sql: Sql): Handler<"listDeveloperProjects"> {
	return async ({ developer_id, sort, order, page, per_page }) => {
		const id = await resolveDeveloper(sql, developer_id);
		const direction = order === "desc" ? sql`desc nulls last` : sql`asc nulls last`;
		return oneJsonReply<Reply<"listDeveloperProjects">>(
			sql,
			sql`
			select json_build_object(
				'developer_id', d.developer_id, 'developer', d.canonical_name, 'total_projects', d.total_projects,
				'total_capacity_mw', d.portfolio -> 'total_capacity_mw',
				'by_stage', coalesce((select json_object_agg(construction_stage, projects) from (
					select construction_stage, count(*) as projects from projects
					where developer_id = ${id} and kind = 'generation' group by construction_stage) s), '{}'),
				'projects', coalesce((select json_agg(row) from (
					select json_build_object('id', id, 'name', name, 'state', state, 'capacity_mw', capacity_mw,
						'stage', construction_stage) as row
					from projects where developer_id = ${id} and kind = 'generation'
					order by ${sql(sortColumns[sort])} ${direction}, id limit ${per_page} offset ${(page - 1) * per_page}) rows), '[]'),
				'meta', json_build_object('total', d.total_projects, 'page', ${page}::int, 'per_page', ${per_page}::int,
					'pages', ceil(d.total_projects / ${per_page}::float8)))
			from developers d where d.developer_id = ${id}`,
		);
	};
}
