/** The state of the page, which is stored in its URL: parameters of `/changes`, and the two days that are compared. */
import type { Query } from "../../lib/api/request.ts";
import { activeFilters, type Filters as FurtherFilters, filtersFor, filtersIn } from "../../lib/requests/filters.ts";

export interface Filters {
	/** Number of days up to `as_of`, if no span is selected. */
	since_days: number;
	/** The first and the last day (UTC) of a span. */
	since: string | undefined;
	until: string | undefined;
	/** The last of the `since_days` days (UTC); undefined: today. */
	as_of: string | undefined;
	/** Whether the URL contains days. If not, the page chooses them. */
	hasDays: boolean;
	change_type: string | undefined;
	further: FurtherFilters;
	/** The days that are compared; undefined: a year ago and today. */
	from: string | undefined;
	to: string | undefined;
}

export const longestDays = 90;
const dayMs = 86_400_000;

export function readFilters(search: string): Filters {
	const params = new URLSearchParams(search);
	const days = Number(params.get("since_days") ?? 7);
	return {
		since_days: Number.isInteger(days) && days >= 1 && days <= longestDays ? days : 7,
		since: dayIn(params.get("since")),
		until: dayIn(params.get("until")),
		as_of: dayIn(params.get("as_of")),
		hasDays: ["since_days", "since", "until", "as_of"].some((name) => params.has(name)),
		change_type: params.get("change_type") || undefined,
		further: filtersIn(params),
		from: dayIn(params.get("from")),
		to: dayIn(params.get("to")),
	};
}

const dayIn = (text: string | null): string | undefined =>
	text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : undefined;

export const hasSpan = ({ since, until }: Pick<Filters, "since" | "until">): boolean =>
	since !== undefined || until !== undefined;

/** The day of the span, if it is a single day. */
export const singleDay = ({ since, until }: Pick<Filters, "since" | "until">): string | undefined =>
	since === until ? since : undefined;

/** The parameters of `/changes` for these filters. */
export const queryOf = ({ since_days, since, until, as_of, change_type, further }: Filters): Query => ({
	...(hasSpan({ since, until }) ? { since, until } : { since_days }),
	as_of,
	...activeFilters(filtersFor(as_of, further)),
	change_type,
});

/** The parameters for exporting the same changes. The export has no parameter for a number of days. */
export function exportQuery(filters: Filters): Query {
	const { since_days, ...query } = queryOf(filters);
	if (since_days === undefined) return query;
	const end = filters.as_of === undefined ? Date.now() : Date.parse(filters.as_of);
	return { ...query, since: new Date(end - Number(since_days) * dayMs).toISOString().slice(0, 10) };
}

/** The days of the summary. The API limits their number; `isPart` is true if there are more. */
export function summedDays(filters: Filters): { since_days: number; as_of: string | undefined; isPart: boolean } {
	const { since_days, since, until, as_of } = filters;
	if (!hasSpan(filters)) return { since_days, as_of, isPart: false };
	const last = [until, as_of].filter((day) => day !== undefined).toSorted()[0];
	const end = Date.parse(last ?? new Date().toISOString().slice(0, 10));
	const days = since === undefined ? Number.POSITIVE_INFINITY : Math.round((end - Date.parse(since)) / dayMs) + 1;
	return { since_days: Math.max(1, Math.min(longestDays, days)), as_of: last, isPart: days > longestDays };
}

/**
 * The state to store after the user has changed what the page shows from `shown` to `chosen`. An `as_of` that the page chose itself is stored only
 * if the user edits the days, and never with a span of days, whose fields do not show it.
 */
export function keepDays(inAddress: Filters, shown: Filters, chosen: Filters): Filters {
	const isEdited = (["since_days", "since", "until", "as_of"] as const).some((name) => chosen[name] !== shown[name]);
	if (!isEdited) return { ...chosen, as_of: inAddress.as_of };
	return { ...chosen, as_of: hasSpan(chosen) ? undefined : chosen.as_of, hasDays: true };
}

/** The query of the page's URL, with its question mark. */
export function writeFilters(filters: Filters): string {
	const { hasDays, from, to } = filters;
	const { since_days, ...query } = queryOf(filters);
	const set = Object.entries({ since_days: hasDays ? since_days : undefined, ...query, from, to }).flatMap(
		([name, value]) => (value === undefined ? [] : [[name, String(value)]]),
	);
	return set.length > 0 ? `?${new URLSearchParams(set).toString().replaceAll("%2C", ",")}` : "";
}
