/** Filters whose totals are kept. */
import type { Filters } from "#libs/filters/project-condition.ts";

/** What the tables are grouped by, the smallest first: under filters on nothing else the sum of their counts is the total. */
const tables = {
	queue_totals: ["population", "region", "iso", "fuel_type", "listed", "include_unlisted"],
	project_counts: ["population", "region", "iso", "fuel_type", "listed", "include_unlisted", "state", "status"],
};

/** Undefined where requests have to be counted. */
export function countsTable(filters: Filters): string | undefined {
	const given = Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [name]));
	return Object.entries(tables).find(([, names]) => given.every((name) => names.includes(name)))?.[0];
}
