/** Data centers: existing facilities and planned ones. */
import { z } from "zod";
import { count, day, megawatts, named, page, quantity } from "../../envelopes.ts";
import { queueIngestOperation } from "../../operation.ts";
import { choice, decimal, flag, listParams, sortParams, stateCode, words } from "../../params.ts";
import {
	datacenterStatuses,
	placePrecisions,
	plannedDatacenterStatuses,
	projectRegions,
	regions,
} from "../../vocabulary.ts";
import { near, requireLatAndLon } from "./place.ts";

const facilitySources = ["datacenter-map", "datacenter-energy", "datacenter-guide"] as const;
const pipelineKinds = ["facility", "other"] as const;
const pipelineRecords = ["proposal", "load_request"] as const;

const asOf = () => day().nullable().describe("Day stated by the list or its file name; null if neither states one");

const sources = z.array(
	named("Datacenter", {
		source: z.string(),
		records: count().describe("Rows stored, repeats included"),
		as_of: asOf(),
		says: z.string().describe("Content of the list, and which of its values are estimates"),
	}),
);

const notLoaded = z.array(z.string()).describe("Lists that are not loaded");

const facility = z.strictObject({
	id: z.string(),
	same_as: z.string().nullable().describe("Id of the better placed row of the same facility: name and place agree"),
	name: z.string().nullable().describe("As filed; null if the list names only the brand"),
	operator: z.string().nullable().describe("Operator or brand, as filed"),
	status: z.enum(datacenterStatuses).nullable().describe("Null if the list does not state it"),
	status_filed: z.string().nullable().describe("Status as published"),
	facility_type: z.string().nullable().describe("As filed: Hyperscale, Colocation"),
	address: z.string().nullable(),
	city: z.string().nullable(),
	county: z.string().nullable(),
	state: z.string(),
	lat: quantity("degrees", "Null if the list's coordinates are in another state").nullable(),
	lon: quantity("degrees", "Null if the list's coordinates are in another state").nullable(),
	location_precision: z
		.enum(placePrecisions)
		.nullable()
		.describe("Precision of the coordinates; city and county mean their center"),
	capacity_mw: megawatts("Estimate of the list datacenter-guide, MW").nullable(),
	energy_low_mwh_year: quantity("MWh/year", "Low end of the list datacenter-energy's estimate, MWh a year").nullable(),
	energy_high_mwh_year: quantity(
		"MWh/year",
		"High end of the list datacenter-energy's estimate, MWh a year",
	).nullable(),
	market: z.string().nullable().describe("Market as datacenter-map counts it, mostly a city"),
	year_opened: z.int().nullable().describe("Past or planned, as filed"),
	may_repeat: z.boolean().describe("True if no address is known, so that another list may contain the same facility"),
	source: z.string(),
	as_of: asOf(),
});

export const listDatacenters = queueIngestOperation({
	summary: "Data centers with operator, address and estimated power, each recognized facility once.",
	params: listParams(
		{
			state: stateCode().optional().describe("State, two letters"),
			operator: words()
				.optional()
				.describe("Any part of the operator's name, or of the facility's if no operator is stated"),
			q: words().optional().describe("Any part of name, operator, address, city or market"),
			status: choice(datacenterStatuses).optional().describe("Status, of lists that state one"),
			capacity_min: decimal(0, 100_000, "MW").optional().describe("Least capacity (MW), of lists that estimate one"),
			source: choice(facilitySources).optional().describe("Name of a list"),
			duplicates: flag().default(false).describe("Include rows that repeat the facility of another row"),
			...near,
			...sortParams(["name", "capacity_mw", "state"], "asc"),
		},
		500,
	).superRefine(requireLatAndLon),
	reply: page(facility).extend({ coverage: z.strictObject({ sources, not_loaded: notLoaded }) }),
	http: { method: "GET", path: "/datacenters", price: "standard" },
	example: { state: "VA" },
});

const planned = named("PlannedDatacenter", {
	record: z
		.enum(pipelineRecords)
		.describe("proposal: listed by a tracker; load_request: in an operator's queue. A project may appear as both"),
	id: z.string().describe("Id; for a load request, its id in /projects"),
	kind: z
		.enum(pipelineKinds)
		.describe(
			"facility: a data center; other: a record that may lead to one or prevent it (a zoning ordinance, land for sale)",
		),
	name: z.string().nullable(),
	region: z.enum(projectRegions).nullable().describe("For load requests only"),
	queue_id: z.string().nullable().describe("For load requests only"),
	kind_filed: z
		.string()
		.nullable()
		.describe("As filed, such as Data Center or Zoning Ordinance; for a load request its end use (DAT-AI)"),
	known_by: z
		.enum(["end_use", "name"])
		.nullable()
		.describe("How a load request was identified as a data center: by name if no end use is published"),
	status_std: z.enum(datacenterStatuses).nullable(),
	status: z.string().nullable().describe("As filed"),
	outcome_detail: z.string().nullable().describe("Outcome, as published"),
	capacity_mw: megawatts(
		"As stated, MW: for a load request the peak load, for some proposals the power plant on the site",
	).nullable(),
	companies: z.array(z.string()).describe("Empty if they are undisclosed"),
	state: z.string().nullable(),
	county: z.string().nullable(),
	counties: z.array(z.string()),
	town: z.string().nullable().describe("Town, as published"),
	address: z.string().nullable(),
	lat: quantity("degrees").nullable(),
	lon: quantity("degrees").nullable(),
	location_precision: z.enum([...placePrecisions, "poi", "state"]).nullable(),
	size_acres: quantity("acres").nullable().describe("Size of the site, acres"),
	announced: z.string().nullable().describe("Year, month or day, as far as known"),
	opening_year: z.int().nullable(),
	queue_date: day().nullable(),
	cod: day().nullable().describe("Projected date of operation of a load request"),
	poi: z.string().nullable(),
	utility: z.string().nullable(),
	zoning_allowed: z.boolean().nullable(),
	land_sold: z.boolean().nullable(),
	own_generation: z.boolean().nullable(),
	source: z.string(),
	as_of: asOf(),
	updated_on: day().nullable(),
});

export const listDatacenterPipeline = queueIngestOperation({
	summary:
		"Planned data centers: a tracker's proposals, and load requests published by operators. Optionally also those that operate, or were withdrawn or denied.",
	params: listParams(
		{
			state: stateCode().optional().describe("State, two letters"),
			record: choice(pipelineRecords).optional().describe("Only proposals, or only load requests"),
			status: choice(["to_come", ...datacenterStatuses, "all"])
				.default("to_come")
				.describe(`Standard status; to_come: ${plannedDatacenterStatuses.join(", ")}; all: every status`),
			kind: choice([...pipelineKinds, "all"])
				.default("facility")
				.describe("facility: data centers; other: related records, such as zoning ordinances and land for sale"),
			company: words().optional().describe("Any part of a company's name"),
			q: words().optional().describe("Any part of name, town, address or county"),
			capacity_min: decimal(0, 100_000, "MW").optional().describe("Least capacity (MW)"),
			...sortParams(["capacity_mw", "name", "updated_on"], "desc"),
		},
		500,
	),
	reply: page(planned).extend({
		coverage: z.strictObject({
			left_out: z
				.strictObject({
					by_kind: count().describe("Rows of other kinds, of any status"),
					by_status: count().describe("Rows of this kind with other statuses"),
				})
				.describe("Rows that match all other filters, but not kind or status (including their defaults)"),
			sources,
			not_loaded: notLoaded,
			load_requests: z.strictObject({
				published_by: z
					.array(z.enum(projectRegions))
					.describe("Operators and utilities that publish requests of loads"),
				not_published_by: z
					.array(z.enum(regions))
					.describe("Operators that publish none: the absence of rows means nothing"),
			}),
		}),
	}),
	http: { method: "GET", path: "/datacenters/pipeline", price: "standard" },
	example: { state: "NY" },
});
