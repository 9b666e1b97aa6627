import type { Params } from "#libs/contract/index.ts";
import { isScoreFilter } from "#libs/contract/vocabulary.ts";

/** Names of the list's parameters that are not filters. */
type OtherName = "fields" | "sort" | "order" | "page" | "per_page" | "cursor" | "as_of" | "distinct";

export type FilterName = Exclude<keyof Params<"listProjects">, OtherName>;
export type Filters = Partial<Record<FilterName, string>>;

export const filterLabels: Record<FilterName, string> = {
	q: "Search",
	id: "Requests",
	iso: "Grid operator",
	region: "Grid operator",
	state: "State",
	county: "County",
	fips: "County",
	near: "Near",
	lat: "Around latitude",
	lon: "Around longitude",
	radius_km: "Within (km)",
	bbox: "Within the box",
	polygon: "Within the area",
	poi: "Point of interconnection",
	poi_id: "Point of interconnection",
	utility: "Transmission owner",
	developer: "Developer",
	developer_id: "Developer",
	developer_tier: "Tier of developer",
	fuel_type: "Technology",
	status: "Status",
	active: "Active, as in the totals",
	listed: "Listed",
	include_unlisted: "Also no longer listed",
	population: "Population",
	kind: "Kind of request",
	capacity_min: "From MW",
	capacity_max: "To MW",
	date_from: "Queued from",
	date_to: "Queued to",
	cod_from: "Projected operation from",
	cod_to: "Projected operation to",
	ia_from: "Agreement from",
	ia_to: "Agreement to",
	withdrawn_from: "Withdrawn from",
	withdrawn_to: "Withdrawn to",
	updated_since: "Changed since",
	energy_community: "In an energy community",
	low_income: "In a low-income area",
	has_tax_credit: "With a tax credit",
	construction_stage: "Stage",
	plant_state: "At the site",
	request_class: "Class of request",
	study_phase: "Study phase",
	ia_status: "Agreement",
	min_confidence: "Confidence of at least",
	investable: "Investable",
	needs_capital: "Needs capital",
	min_score: "Score of at least",
};

export const filterNames = Object.keys(filterLabels) as FilterName[];

export function filtersIn(params: URLSearchParams): Filters {
	const filters: Filters = {};
	for (const name of filterNames) {
		const value = params.get(name)?.trim();
		if (value) filters[name] = value;
	}
	return filters;
}

/** Returns the filters that can be used with `as_of`: the API does not filter past days by scores. */
export const filtersFor = (as_of: string | undefined, filters: Filters): Filters =>
	as_of === undefined ? filters : Object.fromEntries(Object.entries(filters).filter(([name]) => !isScoreFilter(name)));

/** The filters that are set, always in the same order, so that equal filters have equal keys. */
export const activeFilters = (filters: Filters): Record<string, string> =>
	Object.fromEntries(filterNames.flatMap((name) => (filters[name] === undefined ? [] : [[name, filters[name]]])));
