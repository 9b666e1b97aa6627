import { z } from "zod";
import { count, day, page, share } from "../envelopes.ts";
import { operation } from "../operation.ts";
import { choice, integer, words } from "../params.ts";
import { ownershipSources, regions } from "../vocabulary.ts";
import { consistent, population, project, projectDetail, projectFilters, projectSorts, region } from "./project.ts";

export const listProjects = operation({
	owner: "queue-ingest",
	summary: "Interconnection requests, filtered and sorted, a page at a time.",
	params: z
		.strictObject({
			...projectFilters,
			sort: choice(projectSorts).default("id").describe("Column to sort by; unknown values come last"),
			order: choice(["asc", "desc"]).default("asc").describe("Direction"),
			page: integer(1).default(1).describe("Page, from 1"),
			per_page: integer(1, 500).default(50).describe("Rows a page"),
		})
		.superRefine(consistent),
	reply: page(project),
	http: { method: "GET", path: "/projects", price: "standard" },
});

export const summariseMilestones = operation({
	owner: "queue-ingest",
	summary: "How far all generation requests have come, and how many state each milestone.",
	params: z.strictObject({}),
	reply: z.strictObject({
		total_projects: count(),
		total_with_milestones: count().meta({ description: "Projects that state at least one of the milestones below" }),
		ia_status_distribution: z.record(z.string(), count()),
		construction_stage_distribution: z.record(z.string(), count()),
		avg_confidence_by_stage: z.record(z.string(), share()),
		milestone_fill_rates: z.strictObject({
			ia_date: count(),
			actual_cod: count(),
			study_phase: count(),
			backfeed_date: count(),
			ia_status: count(),
		}),
	}),
	http: { method: "GET", path: "/projects/milestones/summary", price: "standard" },
});

export const getProject = operation({
	owner: "queue-ingest",
	summary: "One interconnection request with every column, by its id or by any number it was ever filed under.",
	params: z.strictObject({
		project_id: words().describe("<REGION>-<number>, or the operator's number alone"),
		region: region().optional().describe("Tells the operators apart where a bare number is several's"),
	}),
	reply: projectDetail,
	http: { method: "GET", path: "/projects/{project_id}", price: "standard" },
});

export const getOwnership = operation({
	owner: "queue-ingest",
	summary: "Who owns the plant that a request became, as reported to the EIA. The owner is not the developer.",
	params: getProject.params,
	reply: z.strictObject({
		queue_id: z.string(),
		region: z.enum(regions),
		owners: z.array(
			z.strictObject({
				owner_name: z.string(),
				owner_utility_id: z.int().nullable(),
				fraction_owned: share().meta({
					description: "Of the linked plant's capacity, each generator as last reported",
				}),
				owner_city: z.string().nullable(),
				owner_state: z.string().nullable(),
				source: z.enum(ownershipSources),
				report_date: day(),
			}),
		),
		plant: z
			.strictObject({
				plant_id: z.int().meta({ description: "EIA plant code" }),
				plant_name: z.string().nullable(),
				method: z.string(),
				confidence: share(),
				evidence: z.string().meta({ description: "What the request and the plant agree in" }),
			})
			.nullable()
			.meta({ description: "Null where no plant is known to be this request's" }),
		coverage: z
			.array(z.strictObject({ year: z.int(), loaded: z.array(z.string()), missing: z.array(z.string()) }))
			.meta({
				description: "Schedules of form EIA-860 that the answer rests on; no owner is inferred from a missing one",
			}),
		years: z.array(z.int()).meta({ description: "Years for which owners of the plant are recorded" }),
	}),
	http: { method: "GET", path: "/projects/{project_id}/ownership", price: "standard" },
});

export const exportProjects = operation({
	owner: "queue-ingest",
	summary: "All generation requests, or those of a state or technology, as CSV with a header row.",
	params: z.strictObject({
		state: projectFilters.state,
		type: words().optional().describe("Any part of type_std, in any case"),
		limit: integer(1, 1_000_000).optional().describe("Most rows; all when absent"),
	}),
	reply: z.string(),
	http: { method: "GET", path: "/export/projects", price: "pro" },
	mediaType: "text/csv; charset=utf-8; header=present",
	streamed: true,
});

const taxCredits = z.strictObject({
	eligible_projects: count(),
	energy_community_projects: count(),
	low_income_projects: count(),
	estimated_total_value: z.number().meta({ description: "USD, conditional credits among it" }),
	conditional_projects: count().meta({
		description: "Of eligible_projects, those whose credit depends on when construction began",
	}),
	conditional_value: z.number().meta({ description: "USD, of estimated_total_value" }),
});

export const getStats = operation({
	owner: "queue-ingest",
	summary: "Totals by grid operator and by technology.",
	params: z.strictObject({ population: population().describe("transmission: generation requests; all: every row") }),
	reply: z.strictObject({
		data: z.strictObject({
			total_projects: count(),
			total_capacity_gw: z.number().meta({ description: "GW" }),
			by_iso: z.array(z.strictObject({ iso: z.string(), count: count(), total_mw: z.number() })),
			by_fuel_type: z.array(z.strictObject({ fuel_type: z.string(), count: count(), total_mw: z.number() })),
			tax_credits: taxCredits,
		}),
	}),
	http: { method: "GET", path: "/stats", price: "free" },
	maxAgeMs: 300_000,
});

const projectHit = z.strictObject({
	kind: z.literal("project"),
	id: z.string(),
	name: z.string().nullable(),
	developer: z.string().nullable(),
	capacity_mw: z.number().nullable(),
	state: z.string().nullable(),
});
const developerHit = z.strictObject({
	kind: z.literal("developer"),
	developer_id: z.int(),
	name: z.string(),
	match_score: share(),
	project_count: count(),
	total_capacity_mw: z.number(),
});
const countyHit = z.strictObject({
	kind: z.literal("county"),
	name: z.string(),
	state: z.string().nullable(),
	fips: z.string().nullable(),
	project_count: count(),
	total_capacity_mw: z.number(),
});

export const search = operation({
	owner: "queue-ingest",
	summary:
		"Developers by name or alias, projects by name, number, developer or point of interconnection, and counties; best first.",
	params: z.strictObject({
		q: words(2).describe("What to look for"),
		page: integer(1).default(1).describe("Page, from 1"),
		per_page: integer(1, 500).default(50).describe("Rows a page"),
	}),
	reply: z.strictObject({
		query: z.string(),
		results: z.array(z.discriminatedUnion("kind", [developerHit, projectHit, countyHit])),
	}),
	http: { method: "GET", path: "/search", price: "standard" },
});
