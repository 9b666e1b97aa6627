/** Filters whose totals come from summary tables. */
import type { Filters } from "#libs/contract/filters/project-condition.ts";

/** Columns that each summary table is grouped by, the smallest table first. */
const summaryTables = {
	queue_totals: ["population", "region", "iso", "fuel_type", "listed", "include_unlisted"],
	project_counts: ["population", "region", "iso", "fuel_type", "listed", "include_unlisted", "state", "status"],
};

/** The table whose counts add up to the total under these filters; undefined if the requests themselves must be counted. */
export function summaryTableFor(filters: Filters): string | undefined {
	const usedFilters = Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [name]));
	return Object.entries(summaryTables).find(([, names]) => usedFilters.every((name) => names.includes(name)))?.[0];
}
