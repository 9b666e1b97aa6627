import type { Handler } from "#libs/contract/index.ts";
import { projectCondition } from "#libs/filters/project-condition.ts";
import { KeptTotals } from "#libs/postgres/kept-totals.ts";
import { readPage, type SortColumn, writePage } from "#libs/postgres/list.ts";
import { isCounted } from "../../counted-filters.ts";
import { checkMoment, dayInOrder, isPast, pastMeta, requestsAt } from "../../history/past.ts";
import type { Resources } from "../../resources.ts";

/** Filters that leave most requests. */
const wholeFilters = new Set(["population", "listed", "include_unlisted"]);

export function listProjects(resources: Resources): Handler<"listProjects"> {
	const { sql } = resources;
	const totals = new KeptTotals();
	return async ({ page, per_page, cursor, fields, sort, order, as_of, at_seq, ...filters }) => {
		const moment = { as_of, at_seq };
		const past = isPast(moment);
		await checkMoment(resources, moment);
		const condition = projectCondition(sql, filters);
		// A cursor of the order by id alone is a position in an index.
		const byId: SortColumn = { column: "id", order: sort === "id" ? order : "asc" };
		const chosen = sql`${requestsAt(sql, moment)} ${condition}`;
		// Where most are chosen, the next few are near; else all of the day are looked at.
		const isWhole = Object.entries(filters).every(([name, value]) => value === undefined || wholeFilters.has(name));
		const counted = { ...filters, ...moment };
		const found = await readPage(
			sql,
			{
				filters: counted,
				chosen: as_of !== undefined && sort === "id" && isWhole ? sql`${dayInOrder(sql, as_of)} ${condition}` : chosen,
				sort: sort === "id" ? [byId] : [{ column: sort, order, nullable: true }, byId],
				...(past && { columns: sort === "id" ? sql`id, entry` : sql`${sql(sort)}, id, entry` }),
				rows: past
					? sql`select state_body(p) as body from page join project_history p using (entry)`
					: sql`select p.body from page join projects p using (id)`,
				isJson: true,
				...(past && { total: totals.query(sql, counted, sql`select count(*) from ${chosen}`) }),
				...(!past &&
					isCounted(filters) && {
						total: sql`select coalesce(sum(p.projects), 0) from project_counts p where ${condition}`,
					}),
				// Of the same snapshot as the rows: changes after it are what the rows lack.
				meta: {
					...(cursor === "*" && !past && { seq: sql`select coalesce(max(seq), 0) from changes` }),
					...pastMeta(sql, moment),
				},
			},
			{ page, per_page, cursor, fields },
		);
		if (past) totals.keep(counted, found.dataVersion, found.meta.total);
		return writePage(found, "data");
	};
}
