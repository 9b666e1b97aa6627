import { type Filters, projectCondition } from "#libs/contract/filters/project-condition.ts";
import type { Handler, Reply, Versioned } from "#libs/contract/index.ts";
import { type AsOf, checkDay } from "#libs/contract/operations/as-of.ts";
import { CachedTotals, type ListPage, readPage, type SortColumn, writePage } from "#libs/postgres/replies/list.ts";
import { coverageMeta, fewRequestsAt } from "../../history/past.ts";
import { readFields, scoredRow, scoresOf, showsScores } from "../../history/scored.ts";
import type { Resources } from "../../resources.ts";
import { plantsAt } from "./distinct.ts";

/** Filters that exclude few requests. */
const broadFilters = new Set(["population", "listed", "include_unlisted"]);

export function listProjects(resources: Resources): Handler<"listProjects"> {
	const { sql } = resources;
	const totals = new CachedTotals();
	return async ({ page, per_page, cursor, fields, sort, order, as_of, distinct, ...filters }) => {
		const asOf = { as_of };
		const isPast = asOf.as_of !== undefined;
		checkDay(resources, asOf);
		const filtered = projectCondition(sql, filters);
		const condition = distinct === undefined ? filtered : sql`p.represented_by is null and ${filtered}`;
		// In the order of ids, a cursor is a position in the index.
		const byId: SortColumn = { column: "id", order: sort === "id" ? order : "asc" };
		const chosen = sql`${plantsAt(sql, asOf, distinct)} ${condition}`;
		// If most requests match, the next ones are close in the index; otherwise all requests of the day are read.
		const matchesMost = Object.entries(filters).every(([name, value]) => value === undefined || broadFilters.has(name));
		const usesIdIndex = matchesMost && sort === "id" && distinct === undefined;
		const counted = { ...filters, ...asOf, distinct };
		const summaryTable = distinct === undefined ? findSummaryTable(filters) : undefined;
		const columns = sort === "id" ? sql`id, entry` : sql`${sql(sort)}, id, entry`;
		// Materialized, so that past states are read only once for the page and its total. Otherwise PostgreSQL would read all states in the order
		// of the list, because it does not foresee how few match the day.
		const pastRows =
			isPast && !usesIdIndex ? sql`past_rows as materialized (select ${columns} from ${chosen}),` : undefined;
		const listPage = await readPage(
			sql,
			{
				filters: counted,
				chosen: usesIdIndex ? sql`${fewRequestsAt(sql, asOf)} ${condition}` : chosen,
				...(pastRows && { tables: pastRows, chosen: sql`past_rows p where true` }),
				sort: sort === "id" ? [byId] : [{ column: sort, order, nullable: true }, byId],
				...(isPast && { columns }),
				rows: isPast
					? sql`select state_body(p) as body from page join project_history p using (entry)`
					: sql`select p.body from page join projects p using (id)`,
				isJson: true,
				...(isPast && {
					total: pastRows
						? sql`select count(*) from past_rows`
						: totals.query(sql, counted, sql`select count(*) from ${chosen}`),
				}),
				...(!isPast &&
					summaryTable !== undefined && {
						total: sql`select coalesce(sum(p.projects), 0) from ${sql(summaryTable)} p where ${condition}`,
					}),
				// `seq` is read in the same snapshot as the rows, so that the rows lack only the changes after it.
				meta: {
					...(cursor === "*" && !isPast && { seq: sql`select coalesce(max(seq), 0) from changes` }),
					...coverageMeta(sql, { ...filters, ...asOf }),
				},
			},
			{ page, per_page, cursor, fields: isPast ? readFields(fields) : fields },
		);
		if (isPast && usesIdIndex) totals.keep(counted, listPage.dataVersion, listPage.meta.total);
		return isPast && showsScores(fields) ? scoredPage(resources, listPage, asOf, fields) : writePage(listPage, "data");
	};
}

/** Writes the page with the scores of the day in its rows. */
async function scoredPage(
	resources: Resources,
	{ rows, meta, dataVersion }: ListPage,
	asOf: AsOf,
	fields: readonly string[] | undefined,
): Promise<Versioned<Reply<"listProjects">>> {
	const data = JSON.parse(`[${rows}]`) as { id: string }[];
	const ids = data.map(({ id }) => id);
	const scores = await scoresOf(resources, asOf, ids);
	if (scores === undefined) throw new Error(`no scores were read as of ${asOf.as_of}`);
	const json = JSON.stringify({ data: data.map((row) => scoredRow(row, scores, fields)), meta });
	return { json, dataVersion };
}

/** Columns that each summary table is grouped by, the smallest table first. */
const summaryTables = {
	queue_totals: ["population", "kind", "region", "iso", "fuel_type", "listed", "include_unlisted"],
	project_counts: ["population", "kind", "region", "iso", "fuel_type", "listed", "include_unlisted", "state", "status"],
};

/** Finds the table whose counts add up to the total with these filters; undefined if the requests themselves must be counted. */
function findSummaryTable(filters: Filters): string | undefined {
	const usedFilters = Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [name]));
	return Object.entries(summaryTables).find(([, names]) => usedFilters.every((name) => names.includes(name)))?.[0];
}
