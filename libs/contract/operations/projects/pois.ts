/** Points of interconnection: stations and lines at which requests connect to the grid, each under one ID for all spellings. */
import { z } from "zod";
import { count, day, megawatts, named, page, quantity } from "../../envelopes.ts";
import { queueIngestOperation } from "../../operation.ts";
import { listParams, several, sortParams, stateCode, words } from "../../params.ts";
import { constructionStages, locationPrecisions, projectRegions, relationKinds, statuses } from "../../vocabulary.ts";
import { costSummary } from "../scores/interconnection-cost.ts";
import { boundingBox, projectRegion, relationFields } from "./project.ts";

const noPast = "The register is current; `/projects?poi_id=` takes `as_of`.";

const poi = named("Poi", {
	poi_id: z.string(),
	name: z.string().describe("The most frequent spelling"),
	voltage_kv: quantity("kV", "Nominal; null where none is filed").nullable(),
	region: z.enum(projectRegions),
	utility: z.string().nullable().describe("Transmission owner, as filed"),
	state: z.string().nullable(),
	county: z.string().nullable().describe("County of most of its requests"),
	lat: quantity("degrees", "Null where no source locates the point or a request at it").nullable(),
	lon: quantity("degrees").nullable(),
	location_precision: z
		.enum(locationPrecisions)
		.nullable()
		.describe("poi: a source locates the point; county: center of the county of most of its requests"),
	requests: count().describe("Generation requests, listed or not"),
	capacity_mw: megawatts(),
	active_requests: count().describe("As `active_projects` of /stats"),
	active_mw: megawatts("MW that these add"),
	operational_requests: count().describe("Requests in operation; those partly in operation are active"),
	withdrawn_requests: count(),
	withdrawn_mw: megawatts(),
});

export const listPois = queueIngestOperation({
	summary: "Points of interconnection with their requests by outcome.",
	params: listParams(
		{
			region: several(projectRegion()).optional().describe("Grid operator"),
			state: several(stateCode(), 60).optional().describe("Two-letter state code"),
			bbox: boundingBox().optional().describe("West,south,east,north in degrees; points with a request inside"),
			q: words(2).optional().describe("Any part of a filed name, in any case"),
			...sortParams(["active_mw", "active_requests", "requests", "withdrawn_mw", "poi_id"], "desc"),
		},
		500,
	),
	reply: page(poi),
	http: { method: "GET", path: "/pois", price: "standard" },
	noPast,
	example: { region: "CAISO", q: "Windhub" },
});

const requestsAndMw = (what: string) =>
	z.strictObject({ requests: count(), capacity_mw: megawatts() }).nullable().describe(what);

export const getPoi = queueIngestOperation({
	summary:
		"One point of interconnection: its spellings, requests by outcome, what is ahead of each active one, and studied costs.",
	params: z.strictObject({ poi_id: words(3, 160).describe("Id of the point") }),
	reply: poi.extend({
		aliases: z
			.array(z.strictObject({ name: z.string(), requests: count(), evidence: z.string() }))
			.describe("Spellings, each with the rule that makes it the same point"),
		by_status: z.array(z.strictObject({ status: z.enum(statuses), requests: count(), capacity_mw: megawatts() })),
		by_stage: z.array(
			z.strictObject({ construction_stage: z.enum(constructionStages), requests: count(), capacity_mw: megawatts() }),
		),
		waiting: z
			.array(
				z.strictObject({
					id: z.string(),
					cluster: z.string().nullable().describe("Null where none is listed, or requests are studied one by one"),
					queue_date: day().nullable(),
					capacity_mw: megawatts().nullable(),
					ahead: requestsAndMw(
						"Active requests here with an earlier queue date; clusters count by their median queue date",
					),
					same_cluster: requestsAndMw("Other active requests here of its cluster"),
				}),
			)
			.describe("Active requests in queue order; at most 500"),
		related: z
			.array(
				z.strictObject({
					id: z.string(),
					relation: z
						.enum(relationKinds)
						.describe(
							"successor_of: replaces the other, which was withdrawn; sibling: another phase or part; alternative_of: the same plant, studied at another point at the same time",
						),
					other_id: z.string().describe("The other request"),
					...relationFields,
				}),
			)
			.describe("Requests here, each with an earlier one for the same plant, by name; at most 500"),
		upgrade_costs: costSummary
			.nullable()
			.describe("From at most 500 of its requests; null if no study is known or scoring is unavailable"),
	}),
	http: { method: "GET", path: "/pois/{poi_id}", price: "standard" },
	noPast,
	// The age of cached responses is limited, because the costs come from scoring and change without a new version of this data.
	maxAgeMs: 60_000,
	example: { poi_id: "CAISO-sce-windhub-230kv" },
});
