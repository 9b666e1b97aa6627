/** What the page shows, as its address says it: the parameters of `/changes`. */

export interface Filters {
	since_days: number;
	region: string | undefined;
	change_type: string | undefined;
}

export const longestDays = 90;

export function readFilters(search: string): Filters {
	const params = new URLSearchParams(search);
	const days = Number(params.get("since_days") ?? 7);
	return {
		since_days: Number.isInteger(days) && days >= 1 && days <= longestDays ? days : 7,
		region: params.get("region") || undefined,
		change_type: params.get("change_type") || undefined,
	};
}

/** The query that says the same, with its question mark. */
export function writeFilters(filters: Filters): string {
	const set = Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
	return `?${new URLSearchParams(set)}`;
}
