import { projectCondition } from "#libs/contract/filters/project-condition.ts";
import type { Handler } from "#libs/contract/index.ts";
import { readPage, writePage } from "#libs/postgres/list.ts";
import { checkDay, pastMeta, requestsAt } from "../../history/past.ts";
import type { Resources } from "../../resources.ts";
import { resolveDeveloper } from "./get-developer.ts";

/** The contract's names of the columns; its `_std` is the standardised one here. */
const sortColumns = { capacity_mw: "capacity_mw", queue_date_std: "queue_date", status_std: "status_std" } as const;

export function listDeveloperProjects(resources: Resources): Handler<"listDeveloperProjects"> {
	const { sql } = resources;
	return async ({ developer_id, sort, order, page, per_page, cursor, fields, as_of, ...filters }) => {
		const asOf = { as_of };
		const past = asOf.as_of !== undefined;
		checkDay(resources, asOf);
		const id = await resolveDeveloper(sql, developer_id, asOf);
		const condition = sql`p.developer_id = ${id} and ${projectCondition(sql, filters)}`;
		const whole = sql`${requestsAt(sql, asOf)} p.developer_id = ${id} and ${projectCondition(sql, {})}`;
		const isWhole = Object.entries(filters).every(([name, value]) => value === undefined || name === "population");
		const found = await readPage(
			sql,
			{
				filters: { id, ...filters, ...asOf },
				// The largest first come in order from an index (projects_by_developer).
				chosen: sql`${requestsAt(sql, asOf)} ${condition}`,
				sort: [{ column: sortColumns[sort], order, nullable: true }, { column: "id" }],
				...(past && { columns: sql`${sql(sortColumns[sort])}, id, entry` }),
				rows: sql`select p.id, p.name, p.state, p.capacity_mw, p.construction_stage as stage
					from page join ${past ? sql`project_history p using (entry)` : sql`projects p using (id)`}`,
				meta: pastMeta(sql, asOf),
				...(isWhole &&
					!past &&
					filters.population === "transmission" && {
						total: sql`select total_projects from developers where developer_id = ${id}`,
					}),
				fields: {
					developer_id: sql`select ${id}::int`,
					developer: sql`select to_json(canonical_name) from developers where developer_id = ${id}`,
					total_projects: past
						? sql`select count(*) from ${whole}`
						: sql`select to_json(total_projects) from developers where developer_id = ${id}`,
					total_capacity_mw: past
						? sql`select coalesce(round(sum(capacity_mw)::numeric, 3), 0)::float8 from ${whole}`
						: sql`select portfolio -> 'total_capacity_mw' from developers where developer_id = ${id}`,
					by_stage: sql`select coalesce(json_object_agg(construction_stage, projects), '{}') from (
						select construction_stage, count(*) as projects from ${requestsAt(sql, asOf)} ${condition} group by construction_stage) s`,
				},
			},
			{ page, per_page, cursor, fields },
		);
		return writePage(found, "projects");
	};
}
