/** Totals over all requests, and the search among requests, developers and counties. */
import { z } from "zod";
import { count, megawatts, named, quantity, share, usd } from "../../envelopes.ts";
import { queueIngestOperation } from "../../operation.ts";
import { flag, integer, words } from "../../params.ts";
import { activeLeftOut, statuses } from "../../vocabulary.ts";
import { asOf, coverageMeta } from "../as-of.ts";
import { activeCredits } from "../scores/score-row.ts";
import { distinctTotals, population } from "./project.ts";

export const summariseMilestones = queueIngestOperation({
	summary: "Construction stages of the listed generation requests, and how many state each milestone.",
	params: z.strictObject({
		include_unlisted: flag()
			.default(false)
			.describe("Include requests that are missing from the newest list or have disappeared"),
		...asOf,
	}),
	reply: z.strictObject({
		total_projects: count().describe("Generation requests, as in /stats"),
		total_with_milestones: count().describe("Requests that at least one of the fill rates counts"),
		ia_status_distribution: z
			.record(z.string(), count())
			.describe("All requests by `ia_status`, filed or derived; /validate has the share that is known"),
		construction_stage_distribution: z.record(z.string(), count()).describe("All requests by `construction_stage`"),
		avg_confidence_by_stage: z.record(z.string(), share()),
		meta: coverageMeta,
		milestone_fill_rates: z
			.strictObject({
				ia_date: count(),
				actual_cod: count(),
				study_phase: count(),
				backfeed_date: count(),
				ia_status: count().describe("Requests for which the operator files a status of the agreement"),
			})
			.describe("Requests for which each milestone is filed"),
	}),
	http: { method: "GET", path: "/projects/milestones/summary", price: "standard" },
	example: {},
});

const taxCredits = named("TaxCreditTotals", {
	active: activeCredits
		.nullable()
		.describe(
			"Credits of active requests, as `active_projects` counts them, whatever population and include_unlisted; null while scoring does not respond",
		),
	eligible_projects: count(),
	energy_community_projects: count(),
	low_income_projects: count(),
	estimated_total_value: usd(
		"Unweighted value of the credits of all requests counted, suspended ones too; the values below are parts of it",
	),
	conditional_projects: count().describe("Eligible projects whose credit depends on when construction began"),
	conditional_value: usd("Value of credits that depend on when construction began"),
	listed_value: usd("Value for requests in the operators' newest lists"),
	unlisted_value: usd("Value for requests no longer in those lists; only with include_unlisted"),
	value_by_confidence: z
		.strictObject({
			high: usd("At least 0.8: an operator states the stage, an agreement or a study"),
			medium: usd("From 0.5 to below 0.8"),
			low: usd("Below 0.5: hardly more is known than that the request is open"),
		})
		.describe("Value by construction_stage_confidence of the requests"),
});

export const getStats = queueIngestOperation({
	summary: "Active capacity, and totals of the listed requests by status, grid operator and technology.",
	params: z.strictObject({
		...asOf,
		population: population().describe(
			"transmission: generation requests; all: every row, including installations of distributed generation",
		),
		include_unlisted: flag()
			.default(false)
			.describe("Include requests that are missing from the newest list or have disappeared"),
		distinct: distinctTotals,
	}),
	reply: z.strictObject({
		data: z.strictObject({
			active_capacity_gw: quantity(
				"GW",
				"MW that active requests add and that are not in operation yet: generation requests in their operator's newest list whose standardized status is Active or that are partly in operation, without those of `active_left_out`. `population` and `include_unlisted` do not affect it. In SQL, sum active_mw of the view `active_requests`",
			),
			by_status: z.array(z.strictObject({ status: z.enum(statuses), count: count(), total_mw: megawatts() })),
			active_projects: count().describe("Active requests"),
			active_left_out: z
				.array(
					z.strictObject({
						reason: z.enum([...activeLeftOut, "in_operation"]),
						count: count(),
						total_mw: megawatts(),
					}),
				)
				.describe(
					"What active_projects and active_capacity_gw leave out. void_window: void by the operator's process; capacity_rights, replacement, surplus: the request uses rights of an existing plant, or is for rights alone; in_operation: MW in service of plants that are partly in operation, whose other MW are counted",
				),
			total_projects: count(),
			total_capacity_gw: quantity("GW"),
			by_iso: z.array(z.strictObject({ iso: z.string(), count: count(), total_mw: megawatts() })),
			by_fuel_type: z.array(z.strictObject({ fuel_type: z.string(), count: count(), total_mw: megawatts() })),
			tax_credits: taxCredits
				.nullable()
				.describe(
					"Null with `distinct`, and as of a past day: /export/scores?as_of= has the credits that were published",
				),
		}),
		meta: coverageMeta,
	}),
	http: { method: "GET", path: "/stats", price: "free" },
	example: {},
	maxAgeMs: 300_000,
});

const projectHit = named("ProjectHit", {
	kind: z.literal("project"),
	id: z.string(),
	name: z.string().nullable(),
	region: z.string(),
	status_std: z.enum(statuses),
	developer: z.string().nullable(),
	capacity_mw: megawatts().nullable(),
	state: z.string().nullable(),
});
const developerHit = named("DeveloperHit", {
	kind: z.literal("developer"),
	developer_id: z.int(),
	name: z.string(),
	match_score: share(),
	project_count: count(),
	total_capacity_mw: megawatts(),
});
const countyHit = named("CountyHit", {
	kind: z.literal("county"),
	name: z.string(),
	state: z.string().nullable(),
	fips: z.string().nullable(),
	project_count: count(),
	total_capacity_mw: megawatts(),
});

const poiHit = named("PoiHit", {
	kind: z.literal("poi"),
	poi_id: z.string(),
	name: z.string(),
	state: z.string().nullable(),
	project_count: count(),
	total_capacity_mw: megawatts(),
});

export const search = queueIngestOperation({
	summary:
		"Developers by name or alias, projects by name, number, developer or point of interconnection, counties (`Kern County`, `Harris County, TX`) and points with a voltage (`Midway 500 kV`); best first.",
	params: z.strictObject({
		q: words(2).describe("What to look for"),
		page: integer(1).default(1).describe("Page, from 1"),
		per_page: integer(1, 500).default(50).describe("Rows a page"),
		...asOf,
	}),
	reply: z.strictObject({
		query: z.string(),
		corrected: z
			.string()
			.optional()
			.describe("The corrected spelling that was searched for, if nothing matches `query`"),
		results: z.array(z.discriminatedUnion("kind", [developerHit, projectHit, countyHit, poiHit])),
		meta: coverageMeta,
	}),
	http: { method: "GET", path: "/search", price: "standard" },
	example: { q: "solar" },
});
