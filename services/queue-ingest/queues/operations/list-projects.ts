import type { Handler } from "#libs/contract/index.ts";
import { projectCondition } from "#libs/filters/project-condition.ts";
import { readPage, type SortColumn, writePage } from "#libs/postgres/list.ts";
import { isCounted } from "../../counted-filters.ts";
import type { Resources } from "../../resources.ts";

export function listProjects({ sql }: Resources): Handler<"listProjects"> {
	return async ({ page, per_page, cursor, fields, sort, order, ...filters }) => {
		const condition = projectCondition(sql, filters);
		// A cursor of the order by id alone is a position in an index.
		const byId: SortColumn = { column: "id", order: sort === "id" ? order : "asc" };
		const found = await readPage(
			sql,
			{
				filters,
				chosen: sql`projects p where ${condition}`,
				sort: sort === "id" ? [byId] : [{ column: sort, order, nullable: true }, byId],
				rows: sql`select p.body from page join projects p using (id)`,
				isJson: true,
				...(isCounted(filters) && {
					total: sql`select coalesce(sum(p.projects), 0) from project_counts p where ${condition}`,
				}),
				// Of the same snapshot as the rows: changes after it are what the rows lack.
				...(cursor === "*" && { meta: { seq: sql`select coalesce(max(seq), 0) from changes` } }),
			},
			{ page, per_page, cursor, fields },
		);
		return writePage(found, "data");
	};
}
