/** Filters whose totals are kept. */
import type { Filters } from "#libs/filters/project-condition.ts";

/** What `project_counts` is grouped by: under these filters alone its counts are the totals. */
const countedFilters = new Set([
	"population",
	"region",
	"iso",
	"state",
	"fuel_type",
	"status",
	"listed",
	"include_unlisted",
]);

export const isCounted = (filters: Filters): boolean =>
	Object.entries(filters).every(([name, value]) => value === undefined || countedFilters.has(name));
