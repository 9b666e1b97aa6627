/** Interprets filter values, so that SQL conditions and in-memory predicates agree. */
import type { Params } from "#libs/contract/index.ts";
import type { FilterField } from "#libs/contract/records/project.ts";
import { statuses } from "#libs/contract/vocabulary.ts";
import { countyCodes } from "#libs/counties/codes.ts";
import { findPlace } from "#libs/counties/find-county.ts";

export type Filters = Partial<
	Omit<Params<"listProjects">, "sort" | "order" | "page" | "per_page" | "cursor" | "as_of" | "distinct">
>;

/** The selected `listed` values; undefined for all. */
export const listedOf = ({ listed, include_unlisted }: Filters): Filters["listed"] =>
	listed ?? (include_unlisted ? undefined : ["listed"]);

/** The values of a field's filter in the form that rows contain: county codes of any edition are converted to those of 2020. */
export const fieldValues = (filters: Filters, name: FilterField): readonly string[] | undefined =>
	name === "fips" ? filters.fips?.flatMap(countyCodes) : filters[name];

/** Splits statuses into standard ones and others. The others are in lower case, and are compared with the filed status. */
export function statusesOf(values: readonly string[]): { standard: string[]; filed: string[] } {
	const standard = values.flatMap((value) => statuses.filter((status) => status.toLowerCase() === value.toLowerCase()));
	const filed = values
		.map((value) => value.toLowerCase())
		.filter((value) => !standard.some((status) => status.toLowerCase() === value));
	return { standard, filed };
}

export function circleOf({ near, radius_km, ...center }: Filters) {
	const { lat, lon } = near === undefined ? center : (findPlace(near) ?? {});
	return lat === undefined || lon === undefined || radius_km === undefined ? undefined : { lat, lon, radius_km };
}

/** A county's name as in the gazetteer: "kern" for "Kern County". */
export const countyName = (text: string): string =>
	text.toLowerCase().replace(/ (county|parish|borough|census area|municipio)$/, "");

/** A pattern for `ilike`: the text anywhere, in any case, with `%` and `_` escaped. */
export const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;
