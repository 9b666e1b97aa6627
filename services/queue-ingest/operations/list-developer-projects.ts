import type { Handler } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { Totals } from "#libs/postgres/totals.ts";
import { resolveDeveloper } from "./get-developer.ts";

/** The contract's names of the columns; its `_std` is the standardised one here. */
const sortColumns = { capacity_mw: "capacity_mw", queue_date_std: "queue_date", status_std: "status_std" } as const;

export function listDeveloperProjects(sql: Sql): Handler<"listDeveloperProjects"> {
	/** By developer, as JSON: how many of its requests are at which stage. */
	const stages = new Totals<string>();
	return async ({ developer_id, sort, order, page, per_page }) => {
		const id = await resolveDeveloper(sql, developer_id);
		const direction = order === "desc" ? sql`desc nulls last` : sql`asc nulls last`;
		const found = await stages.read({ id }, undefined, async ({ counted }) => {
			const count = sql`(select coalesce(json_object_agg(construction_stage, projects), '{}')::text from (
				select construction_stage, count(*) as projects from projects
				where developer_id = ${id} and kind = 'generation' group by construction_stage) s)`;
			// The largest first come in order from an index (projects_developer_capacity).
			const [row] = await sql<{ head: string; rows: string; total: string | null; version: number }[]>`
				select json_build_object(
						'developer_id', d.developer_id, 'developer', d.canonical_name, 'total_projects', d.total_projects,
						'total_capacity_mw', d.portfolio -> 'total_capacity_mw',
						'meta', json_build_object('total', d.total_projects, 'page', ${page}::int, 'per_page', ${per_page}::int,
							'pages', ceil(d.total_projects / ${per_page}::float8)))::text as head,
					(select coalesce(json_agg(row), '[]')::text from (
						select json_build_object('id', id, 'name', name, 'state', state, 'capacity_mw', capacity_mw,
							'stage', construction_stage) as row
						from projects where developer_id = ${id} and kind = 'generation'
						order by ${sql(sortColumns[sort])} ${direction}, id limit ${per_page} offset ${(page - 1) * per_page}) rows) as rows,
					${counted ? count : sql`null::text`} as total, (select version from data_version) as version
				from developers d where d.developer_id = ${id}`;
			if (row === undefined) throw new Error("a developer went while it was read");
			return row;
		});
		const { head, rows, total, version } = found;
		return { json: `${head.slice(0, -1)},"by_stage":${total},"projects":${rows}}`, dataVersion: version };
	};
}
