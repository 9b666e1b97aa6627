import type { Handler } from "#libs/contract/index.ts";
import { projectCondition } from "#libs/filters/project-condition.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { readPage, writePage } from "#libs/postgres/list.ts";
import { resolveDeveloper } from "./get-developer.ts";

/** The contract's names of the columns; its `_std` is the standardised one here. */
const sortColumns = { capacity_mw: "capacity_mw", queue_date_std: "queue_date", status_std: "status_std" } as const;

export function listDeveloperProjects(sql: Sql): Handler<"listDeveloperProjects"> {
	return async ({ developer_id, sort, order, page, per_page, cursor, fields, ...filters }) => {
		const id = await resolveDeveloper(sql, developer_id);
		const of = (column: "canonical_name" | "total_projects") =>
			sql`select to_json(${sql(column)}) from developers where developer_id = ${id}`;
		const condition = sql`p.developer_id = ${id} and ${projectCondition(sql, filters)}`;
		const isWhole = Object.entries(filters).every(([name, value]) => value === undefined || name === "population");
		const found = await readPage(
			sql,
			{
				filters: { id, ...filters },
				// The largest first come in order from an index (projects_developer_capacity).
				chosen: sql`projects p where ${condition}`,
				sort: [{ column: sortColumns[sort], order, nullable: true }, { column: "id" }],
				rows: sql`select p.id, p.name, p.state, p.capacity_mw, p.construction_stage as stage from page join projects p using (id)`,
				...(isWhole &&
					filters.population === "transmission" && {
						total: sql`select total_projects from developers where developer_id = ${id}`,
					}),
				fields: {
					developer_id: sql`select ${id}::int`,
					developer: of("canonical_name"),
					total_projects: of("total_projects"),
					total_capacity_mw: sql`select portfolio -> 'total_capacity_mw' from developers where developer_id = ${id}`,
					by_stage: sql`select coalesce(json_object_agg(construction_stage, projects), '{}') from (
						select construction_stage, count(*) as projects from projects p where ${condition} group by construction_stage) s`,
				},
			},
			{ page, per_page, cursor, fields },
		);
		return writePage(found, "projects");
	};
}
