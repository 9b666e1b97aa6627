/** The project in all responses, and its filters. */
import { z } from "zod";
import { share } from "../../envelopes.ts";
import { choice, decimal, flag, integer, isoDate, refuse, several, without, words } from "../../params.ts";
import { dayFilters, fieldFilters, project, severalOf, sortableFields } from "../../records/project.ts";
import { exactTechnology } from "../../technology.ts";
import {
	companyMethods,
	listings,
	nameMethods,
	operatorTerms,
	projectRegions,
	regions,
	relationKinds,
	relationMethods,
	scoreBases,
} from "../../vocabulary.ts";

/** A real request from NYISO's list, for examples. Documents that are generated at run time show a request that is loaded instead. */
export const exampleId = "NYISO-0832";

/** Columns that tell which scores and credits a row as of a past day contains. */
export const scoreOfDay = {
	score_basis: z
		.enum(scoreBases)
		.optional()
		.describe(
			"Only with as_of. published: scores and credits as published when the day ended; unpublished: null, because the request was closed or not yet scored",
		),
	score_version: z.int().min(1).max(2_147_483_647).nullable().optional().describe("Only with as_of"),
};

/** A project, possibly as of a past day. */
export const projectAsOf = project.extend(scoreOfDay);

/** Evidence of a relation between two requests. */
export const relationFields = {
	method: z.enum(relationMethods),
	confidence: share("Share of such pairs, read by hand, that were right"),
	evidence: z.string().describe("What agrees"),
};

/** A project with all other columns as filed, and all its current and former numbers. */
export const projectDetail = projectAsOf.extend({
	aliases: z.array(z.string()),
	developer_match: z
		.strictObject({
			method: z
				.enum(nameMethods)
				.or(z.enum(companyMethods))
				.or(z.string())
				.describe(
					"developer_...: by the filed name. filed_company: by the address of its notices. eia_entity, eia_owner, eia_former_entity: by the company that reports, owns or formerly reported the plant to the EIA. same_company: as other companies of its series. replaced_plant: by the company of the plant that it replaces, or whose surplus it uses. correction: by a person, named in evidence",
				),
			confidence: share(),
			matched_text: z.string(),
			evidence: z
				.string()
				.nullable()
				.describe(
					"Evidence that links the request to the company, or who corrected it, when and why; null if the name alone does",
				),
			plant_id: z.int().nullable().describe("EIA plant code, if a plant is the link"),
		})
		.nullable()
		.describe("How developer_canonical was found: by the filed name, or by EIA data on its plant"),
	relations: z
		.array(
			z.strictObject({
				id: z.string(),
				relation: z
					.enum([...relationKinds, "predecessor_of"])
					.describe("What this request is to the other one; predecessor_of: the other replaces it"),
				...relationFields,
			}),
		)
		.nullable()
		.describe("Other requests for the same plant, by name; null as of a past day"),
	raw: z.record(z.string(), z.string()),
});

/** A region by its name or an alias, in any case. */
export const region = () =>
	z.preprocess((value) => {
		const name = typeof value === "string" ? value.trim().toUpperCase() : "";
		return regions.find((known) => operatorTerms[known].aliases?.includes(name)) ?? value;
	}, choice(regions));

/** Parameters that identify one request. */
export const projectIdParams = {
	project_id: words().describe("<REGION>-<number>, or only the operator's number"),
	region: region().optional().describe("Needed if the number is ambiguous"),
};

/** A region, or a utility outside the seven operators. */
export const projectRegion = () =>
	z.preprocess((value) => {
		const known = region().safeParse(value);
		return known.success ? known.data : typeof value === "string" ? value.trim().toUpperCase() : value;
	}, choice(projectRegions));

export const populations = ["transmission", "all"] as const;
export const population = () => choice(populations).default("transmission");

/** Sort columns. The owner maps each to one SQL identifier. */
export const projectSorts = [
	...sortableFields,
	...(["investability_score", "effective_credit_rate", "estimated_credit_value"] as const),
] as const;

/** Counts each plant once. This is not a filter of requests, because the choice of the request that represents a plant depends on the others. */
export const distinct = choice(["plant"])
	.optional()
	.describe(
		"plant: of the requests for one plant (`relations`) only the one that represents it: listed first, then active, then the furthest, then the newest. With as_of: chosen among the requests of that day, by the relations known now",
	);

/** Like `distinct`, for totals. */
export const distinctTotals = distinct.describe(
	"plant: counts each plant once, with the request that represents it (see /projects); MW are of all its requests but replaced ones and alternatives. With as_of: chosen among the requests of that day, by the relations known now",
);

const { state, fips, construction_stage, developer_tier, ...furtherFilters } = fieldFilters;

/** All filters of interconnection requests. A filter with several values matches any of them. */
export const projectFilters = {
	iso: several(projectRegion()).optional().describe(`Grid operator; the same as region${severalOf}`),
	region: several(projectRegion())
		.optional()
		.describe(`Grid operator, or a utility (with kind or population=all)${severalOf}`),
	state,
	county: words().optional().describe("A county of the request, by name without state, in any case"),
	fips,
	fuel_type: several(exactTechnology()).optional().describe(`type_std exactly, in any case${severalOf}`),
	status: several(words()).optional().describe(`A value of status_std, or a status as filed; in any case${severalOf}`),
	active: flag()
		.optional()
		.describe(
			"Active as in /stats: listed as active or partly in operation, neither void nor of existing rights; false: all others",
		),
	listed: several(choice(listings))
		.optional()
		.describe(`Whether the newest list shows the request; only listed when absent, see include_unlisted${severalOf}`),
	include_unlisted: flag()
		.optional()
		.describe(
			"Also requests that are missing from the newest list or have disappeared; cannot be combined with listed",
		),
	id: several(words(1, 80), 500).optional().describe(`Ids of requests${severalOf}`),
	q: words(2).optional().describe("Any part of name, number, developer or point of interconnection, in any case"),
	developer: words().optional().describe("Any part of the developer's name, in any case"),
	developer_id: several(integer(1), 100).optional().describe(`Number of the canonical developer${severalOf}`),
	poi: words(2).optional().describe("Any part of the point of interconnection, in any case"),
	capacity_min: decimal(-1e6, 1e6, "MW").optional().describe("Least capacity_mw, inclusive"),
	capacity_max: decimal(-1e6, 1e6, "MW").optional().describe("Largest capacity_mw, inclusive"),
	date_from: isoDate().optional().describe("Queue date, inclusive"),
	date_to: isoDate().optional().describe("Queue date, inclusive"),
	cod_from: isoDate().optional().describe("Projected operation, inclusive"),
	cod_to: isoDate().optional().describe("Projected operation, inclusive"),
	ia_from: isoDate()
		.optional()
		.describe("Agreement signed, inclusive. Of the seven operators only ERCOT files this day; elsewhere use ia_status"),
	ia_to: isoDate().optional().describe("Agreement signed, inclusive; see ia_from"),
	withdrawn_from: isoDate().optional().describe("Withdrawal, inclusive"),
	withdrawn_to: isoDate().optional().describe("Withdrawal, inclusive"),
	updated_since: isoDate().optional().describe("Changed in a list of that day (UTC) or later"),
	near: words()
		.optional()
		.describe(
			"County and state, as `Midland, TX`: the distance is from its center; requires radius_km, instead of lat and lon",
		),
	lat: decimal(-90, 90, "degrees").optional().describe("Latitude of the center; requires lon and radius_km"),
	lon: decimal(-180, 180, "degrees").optional().describe("Longitude of the center"),
	radius_km: decimal(0.001, 2_000, "km").optional().describe("Maximum distance from the center"),
	bbox: boundingBox().optional().describe("West,south,east,north in degrees; requests with coordinates inside"),
	polygon: area()
		.optional()
		.describe("Corners of an area, as lon,lat,lon,lat in degrees (3 to 100 corners); requests with coordinates inside"),
	energy_community: flag().optional().describe("Energy-community eligibility; false excludes unknown values"),
	low_income: flag().optional().describe("Low-income eligibility; false excludes unknown values"),
	has_tax_credit: flag().optional().describe("Whether its tax credit is above zero; false excludes unknown values"),
	construction_stage,
	study_phase: words().optional().describe("Standardized or filed study phase, in any case"),
	ia_status: words().optional().describe("Standardized or filed agreement status, in any case"),
	min_confidence: decimal(0, 1, "fraction").optional().describe("Least construction_stage_confidence"),
	developer_tier,
	investable: flag().optional().describe("Passes the investability rule; false excludes projects without a score"),
	needs_capital: flag().optional().describe("Whether its developer needs capital; false excludes unknown values"),
	min_score: integer(0, 100).optional().describe("Least investability_score"),
	population: population().describe(
		"transmission: generation requests; all: also other rows and installations of distributed generation, flagged by kind",
	),
	...furtherFilters,
};

/** `west,south,east,north` in degrees. A box across the 180th meridian needs two requests. */
export function boundingBox() {
	const side = (maxDegrees: number) => decimal(-maxDegrees, maxDegrees);
	return z.preprocess(
		(value) => (typeof value === "string" ? (sidesOf(value) ?? value) : value),
		z
			.tuple([side(180), side(90), side(180), side(90)], {
				error: "must be west,south,east,north in degrees, as in -96,29,-95,31",
			})
			.refine(
				([west, south, east, north]) => west <= east && south <= north,
				"west is above east, or south above north",
			)
			.meta({ examples: [[-96, 29, -95, 31]] }),
	);
}

/** Splits a box into its four sides. Returns undefined if there are not four, so that the error describes the whole format. */
function sidesOf(text: string): string[] | undefined {
	const sides = text.split(",").map((one) => one.trim());
	return sides.length === 4 && sides.every((side) => side !== "" && Number.isFinite(Number(side))) ? sides : undefined;
}

/** A polygon: longitude and latitude of each corner in turn. The last corner is joined to the first. */
function area() {
	const maxCorners = 100;
	const format = `must be 3 to ${maxCorners} corners as lon,lat,lon,lat in degrees, as in -103,31,-101,31,-102,33`;
	return z.preprocess(
		(value) =>
			[value].flat().flatMap((one) => (typeof one === "string" ? one.split(",").map((each) => each.trim()) : one)),
		z
			.array(decimal(-180, 180, "degrees"), { error: format })
			.min(6, format)
			.max(2 * maxCorners, format)
			.refine((corners) => corners.length % 2 === 0, format)
			.refine((corners) => corners.every((degrees, at) => at % 2 === 0 || Math.abs(degrees) <= 90), format)
			.meta({ examples: [[-103, 31, -101, 31, -102, 33]] }),
	);
}

/** Filters of changes. Changes are counted for all kinds of requests, listed or not, so those filters are missing. */
export const changedRequestFilters = without(projectFilters, "population", "include_unlisted", "updated_since", "iso");

type Contradictable = Partial<
	Pick<
		z.output<z.ZodObject<typeof projectFilters>>,
		| ("iso" | "region" | "listed" | "include_unlisted" | "near" | "lat" | "lon" | "radius_km")
		| ("capacity_min" | "capacity_max")
		| `${keyof typeof dayFilters}_${"from" | "to"}`
	>
>;

/** Refuses filters that contradict each other: the list would be empty without an explanation. */
export function refuseContradictions(filters: Contradictable, context: z.RefinementCtx): void {
	const { iso, region, capacity_min, capacity_max, near, lat, lon, radius_km } = filters;
	if (iso !== undefined && region !== undefined && [...iso].sort().join() !== [...region].sort().join())
		refuse(context, "iso", `contradicts region (${iso.join()}, ${region.join()})`);
	if (filters.listed !== undefined && filters.include_unlisted !== undefined)
		refuse(context, "include_unlisted", "cannot be combined with listed");
	if (capacity_min !== undefined && capacity_max !== undefined && capacity_min > capacity_max)
		refuse(context, "capacity_min", "is above capacity_max");
	for (const name of Object.keys(dayFilters) as (keyof typeof dayFilters)[]) {
		const [from, to] = [filters[`${name}_from`], filters[`${name}_to`]];
		if (from !== undefined && to !== undefined && from > to) refuse(context, `${name}_from`, `is after ${name}_to`);
	}
	const circle = [lat, lon, radius_km].filter((value) => value !== undefined).length;
	if (near !== undefined) {
		if (lat !== undefined || lon !== undefined) refuse(context, "near", "cannot be combined with lat and lon");
		if (radius_km === undefined) refuse(context, "near", "requires radius_km");
	} else if (circle > 0 && circle < 3) refuse(context, "radius_km", "lat, lon and radius_km must be given together");
}
