/** What the page shows, as its address says it: the parameters of `/changes`. */

import type { Query } from "../../lib/api.ts";

export interface Filters {
	since_days: number;
	/** One day (UTC) alone, in place of the last days. */
	day: string | undefined;
	/** The last of the days (UTC); undefined: today. */
	as_of: string | undefined;
	region: string | undefined;
	change_type: string | undefined;
}

export const longestDays = 90;

export function readFilters(search: string): Filters {
	const params = new URLSearchParams(search);
	const days = Number(params.get("since_days") ?? 7);
	return {
		since_days: Number.isInteger(days) && days >= 1 && days <= longestDays ? days : 7,
		day: chosenDay(params),
		as_of: dayIn(params.get("as_of")),
		region: params.get("region") || undefined,
		change_type: params.get("change_type") || undefined,
	};
}

/** A day that is chosen is a span of one day, as `/changes` has it. */
function chosenDay(params: URLSearchParams): string | undefined {
	const [since, until] = [params.get("since"), params.get("until")];
	return since === until ? dayIn(since) : undefined;
}

const dayIn = (text: string | null): string | undefined =>
	text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : undefined;

/** The parameters of `/changes` that say the same. */
export const queryOf = ({ since_days, day, ...others }: Filters): Query => ({
	...(day === undefined ? { since_days } : { since: day, until: day }),
	...others,
});

/** The query that says the same, with its question mark. */
export function writeFilters(filters: Filters): string {
	const set = Object.entries(queryOf(filters)).flatMap(([name, value]) =>
		value === undefined ? [] : [[name, String(value)]],
	);
	return `?${new URLSearchParams(set)}`;
}
