import { z } from "zod";
import { count, day, megawatts, named, pageMeta, quantity, share, usd } from "../../envelopes.ts";
import { fitsFormat, loggedManifest, manifestOf, placedExportAnswer, placedFileParams } from "../../exports/files.ts";
import { operation } from "../../operation.ts";
import {
	choice,
	fields,
	flag,
	integer,
	isoDate,
	listParams,
	refuse,
	several,
	sortParams,
	words,
} from "../../params.ts";
import { exactTechnology } from "../../technology.ts";
import { locationPrecisions, ownershipSources, projectRegions, statuses } from "../../vocabulary.ts";
import { asOf, asOfMeta, noPastScores, pastMeta } from "../as-of.ts";
import {
	aProject,
	consistent,
	population,
	projectDetail,
	projectFilters,
	projectOn,
	projectSorts,
	requestParams,
} from "./project.ts";
import { groupings } from "./tiles.ts";

export const listProjects = operation({
	owner: "queue-ingest",
	ofDayWith: "scoring",
	summary: "Interconnection requests, filtered and sorted, a page at a time.",
	params: listParams(
		{
			...projectFilters,
			fields: fields(projectOn, ["id"]),
			...sortParams(projectSorts, "asc"),
			...asOf,
		},
		500,
	)
		.superRefine(consistent)
		.superRefine(noPastScores),
	reply: z.strictObject({
		data: z.array(projectOn),
		meta: z.strictObject({
			...pageMeta,
			...asOfMeta,
			seq: count()
				.optional()
				.describe(
					"On the first page with `cursor`: the newest change that these rows know. The list from end to end (with `include_unlisted=true`), then the changes of `/changes?after=` this number, are the present of the fields that changes name",
				),
		}),
	}),
	http: { method: "GET", path: "/projects", price: "standard" },
	fields: { of: "data", always: ["id"] },
	example: { state: "TX", fuel_type: "Solar", status: "Active", sort: "capacity_mw", order: "desc" },
});

export const groupProjects = operation({
	owner: "queue-ingest",
	summary: "How many requests the filters choose, and of how many MW, by what they have in common; the most first.",
	params: listParams(
		{ by: choice(groupings).default("status").describe("What a group has in common"), ...projectFilters, ...asOf },
		500,
	)
		.superRefine(consistent)
		.superRefine(noPastScores),
	reply: z.strictObject({
		data: z.array(
			z.strictObject({
				value: z.string().nullable().describe("What they have in common; null where it is not known"),
				state: z.string().nullable().describe("Of a county or a point of interconnection"),
				county: z.string().nullable().describe("The same"),
				fips: z.string().nullable().describe("The same"),
				lat: quantity("degrees", "Of a county its centre; of a point where coordinates are filed").nullable(),
				lon: quantity("degrees", "The same").nullable(),
				location_precision: z.enum(locationPrecisions).nullable().describe("Of these coordinates"),
				requests: count(),
				capacity_mw: megawatts(),
			}),
		),
		meta: z.strictObject({
			...pageMeta,
			...asOfMeta,
			requests: count().describe("Of all groups"),
			capacity_mw: megawatts().describe("Of all groups"),
		}),
	}),
	http: { method: "GET", path: "/projects/groups", price: "standard" },
	example: { by: "county", state: "TX", status: "Active" },
});

export const summariseMilestones = operation({
	owner: "queue-ingest",
	summary: "How far the listed generation requests have come, and how many state each milestone.",
	params: z.strictObject({
		include_unlisted: flag().default(false).describe("Also what is missing from the newest list or has disappeared"),
		...asOf,
	}),
	reply: z.strictObject({
		total_projects: count().describe("Generation requests, as in /stats"),
		total_with_milestones: count().describe("Of them, those that at least one of the fill rates counts"),
		ia_status_distribution: z
			.record(z.string(), count())
			.describe("All of them by `ia_status`, filed or derived; /validate has the share that is known"),
		construction_stage_distribution: z.record(z.string(), count()).describe("All of them by `construction_stage`"),
		avg_confidence_by_stage: z.record(z.string(), share()),
		meta: pastMeta,
		milestone_fill_rates: z
			.strictObject({
				ia_date: count(),
				actual_cod: count(),
				study_phase: count(),
				backfeed_date: count(),
				ia_status: count().describe("A state of the agreement is filed, in the words of the operator"),
			})
			.describe("Of them, those for which each is filed"),
	}),
	http: { method: "GET", path: "/projects/milestones/summary", price: "standard" },
	example: {},
});

const oneProject = z.strictObject({
	...requestParams,
});

export const getProject = operation({
	owner: "queue-ingest",
	ofDayWith: "scoring",
	summary: "One interconnection request with every column, by its id or by any number it was ever filed under.",
	params: oneProject.extend({
		fields: fields(projectDetail, ["id"]),
		...asOf,
	}),
	reply: projectDetail,
	http: { method: "GET", path: "/projects/{project_id}", price: "standard" },
	fields: { of: null, always: ["id"] },
	example: { project_id: aProject },
});

export const getOwnership = operation({
	owner: "queue-ingest",
	summary: "Who owns the plant that a request became, as reported to the EIA. The owner is not the developer.",
	params: oneProject.extend({
		as_of: isoDate()
			.optional()
			.describe("As reported of years that had ended by that day (UTC), and as the request was listed on it"),
	}),
	reply: z.strictObject({
		queue_id: z.string(),
		region: z.enum(projectRegions),
		owners: z.array(
			named("Owner", {
				owner_name: z.string(),
				owner_utility_id: z.int().nullable(),
				fraction_owned: share().describe("Of the linked plant's capacity, each generator as last reported"),
				owner_city: z.string().nullable(),
				owner_state: z.string().nullable(),
				source: z.enum(ownershipSources),
				report_date: day(),
			}),
		),
		plant: z
			.strictObject({
				plant_id: z.int().describe("EIA plant code"),
				plant_name: z.string().nullable(),
				method: z.string(),
				confidence: share(),
				evidence: z.string().describe("What the request and the plant agree in"),
			})
			.nullable()
			.describe("Null where no plant is known to be this request's"),
		coverage: z
			.array(z.strictObject({ year: z.int(), loaded: z.array(z.string()), missing: z.array(z.string()) }))
			.describe("Schedules of form EIA-860 that the answer rests on; no owner is inferred from a missing one"),
		years: z.array(z.int()).describe("Years for which owners of the plant are recorded"),
		meta: pastMeta,
	}),
	http: { method: "GET", path: "/projects/{project_id}/ownership", price: "standard" },
	example: { project_id: aProject },
});

const exportParams = z
	.strictObject({
		...projectFilters,
		type: several(exactTechnology()).optional().describe("The same as fuel_type; two that differ are refused"),
		...asOf,
		after_seq: integer(0, Number.MAX_SAFE_INTEGER)
			.optional()
			.describe(
				"Only what changed since: requests with a change of a greater `seq`, whatever is `listed` of them, and in a further column `deleted` the ids that are gone for good, with nothing else. X-Seq says from where to go on",
			),
		...placedFileParams(projectOn, ["id"], "id"),
	})
	.superRefine(consistent)
	.superRefine(noPastScores)
	.superRefine(fitsFormat)
	.superRefine(({ type, fuel_type, after_seq, limit, as_of }, context) => {
		if (type !== undefined && fuel_type !== undefined && [...type].sort().join() !== [...fuel_type].sort().join())
			refuse(context, "type", `contradicts fuel_type (${type.join()}, ${fuel_type.join()})`);
		for (const [name, value] of Object.entries({ limit, as_of }))
			if (after_seq !== undefined && value !== undefined) refuse(context, name, "does not go with after_seq");
	});

export const exportProjects = operation({
	owner: "queue-ingest",
	ofDayWith: "scoring",
	summary:
		"Every interconnection request that the filters choose, or what changed of them since, in one file: CSV with a header row, Parquet, JSON or GeoJSON.",
	params: exportParams,
	http: { method: "GET", path: "/export/projects", price: "pro" },
	example: { state: "TX", limit: 10 },
	...placedExportAnswer,
});

export const getExportManifest = manifestOf(
	exportProjects,
	loggedManifest,
	"What an export with the same parameters holds now: rows, bytes and their hash, versions and columns.",
);

const taxCredits = named("TaxCreditTotals", {
	eligible_projects: count(),
	energy_community_projects: count(),
	low_income_projects: count(),
	estimated_total_value: usd("Of all that is counted: the values below are parts of it"),
	conditional_projects: count().describe("Of eligible_projects, those whose credit depends on when construction began"),
	conditional_value: usd("Of credits that depend on when construction began"),
	listed_value: usd("Of what the operators' newest lists show"),
	unlisted_value: usd("Of what they no longer show; counted with include_unlisted alone"),
	value_by_confidence: z
		.strictObject({
			high: usd("0.8 and more: an operator states the stage, an agreement or a study"),
			medium: usd("From 0.5 to below 0.8"),
			low: usd("Below 0.5: little more is known than that the request is open"),
		})
		.describe("By construction_stage_confidence of the requests"),
});

export const getStats = operation({
	owner: "queue-ingest",
	summary: "Active capacity, and totals of the listed requests by status, grid operator and technology.",
	params: z.strictObject({
		...asOf,
		population: population().describe(
			"transmission: generation requests; all: every row, installations of distributed generation too",
		),
		include_unlisted: flag().default(false).describe("Also what is missing from the newest list or has disappeared"),
	}),
	reply: z.strictObject({
		data: z.strictObject({
			active_capacity_gw: quantity(
				"GW",
				"Capacity of all active requests: generation requests in their operator's newest list whose standardised status is Active. `population` and `include_unlisted` do not affect it. In SQL, use the view `active_requests`",
			),
			by_status: z.array(z.strictObject({ status: z.enum(statuses), count: count(), total_mw: megawatts() })),
			total_projects: count(),
			total_capacity_gw: quantity("GW"),
			by_iso: z.array(z.strictObject({ iso: z.string(), count: count(), total_mw: megawatts() })),
			by_fuel_type: z.array(z.strictObject({ fuel_type: z.string(), count: count(), total_mw: megawatts() })),
			tax_credits: taxCredits
				.nullable()
				.describe("Null as of a past day: /export/scores?as_of= has the credits that were published"),
		}),
		meta: pastMeta,
	}),
	http: { method: "GET", path: "/stats", price: "free" },
	example: {},
	maxAgeMs: 300_000,
});

const projectHit = named("ProjectHit", {
	kind: z.literal("project"),
	id: z.string(),
	name: z.string().nullable(),
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

export const search = operation({
	owner: "queue-ingest",
	summary:
		"Developers by name or alias, projects by name, number, developer or point of interconnection, and counties (`Kern County`, `Harris County, TX`); best first.",
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
			.describe(
				"What was looked for instead, where nothing is spelled as `query` is: the nearest words that something has",
			),
		results: z.array(z.discriminatedUnion("kind", [developerHit, projectHit, countyHit])),
		meta: pastMeta,
	}),
	http: { method: "GET", path: "/search", price: "standard" },
	example: { q: "solar" },
});
