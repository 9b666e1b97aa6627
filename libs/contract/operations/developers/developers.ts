import { z } from "zod";
import { count, megawatts, named, page, pageMeta, quantity, results, share } from "../../envelopes.ts";
import { checkFormat, exportAnswer, exportManifest, fileParams, manifestOf } from "../../exports/files.ts";
import { queueIngestOperation } from "../../operation.ts";
import {
	choice,
	fields,
	flag,
	integer,
	limitedListParams,
	listParams,
	refuse,
	sortParams,
	stateCode,
	without,
	words,
} from "../../params.ts";
import { companyKinds, constructionStages, developerTiers } from "../../vocabulary.ts";
import { type AsOf, asOf, asOfFacts, asOfMeta, coverageMeta, refusePastScores } from "../as-of.ts";
import { projectFilters, refuseContradictions } from "../projects/project.ts";
import {
	developer,
	developerDetail,
	developerId,
	developerSorts,
	exportedDeveloper,
	identifier,
	portfolioSorts,
} from "./developer.ts";

/** Filters of a portfolio, without those that the path replaces (developer) and without `iso`, an alias of `region`. */
const portfolioFilters = without(projectFilters, "developer", "developer_id", "developer_tier", "iso");

const developerFilters = {
	tier: choice(developerTiers).optional().describe("Tier"),
	company_kind: choice(companyKinds).optional().describe("Sponsors, or companies made for one project"),
	state: stateCode().optional().describe("Headquarters, or a state of the portfolio"),
	min_projects: integer(1).optional().describe("Least total_projects"),
	needs_capital: flag().optional().describe("Whether the developer needs capital; cannot be combined with as_of"),
	identifier: identifier().optional().describe("Number in another register, as scheme:value, for example cik:1326160"),
	q: words().optional().describe("Any part of the name or of an alias, in any case"),
};

function checkNeedsCapital(
	{ needs_capital, as_of }: AsOf & { needs_capital?: boolean | undefined },
	context: z.RefinementCtx,
) {
	if (needs_capital !== undefined && as_of !== undefined)
		refuse(context, "needs_capital", "cannot be combined with as_of: only current ratings exist");
}

export const listDevelopers = queueIngestOperation({
	summary: "Developers with their portfolios, filtered and sorted, a page at a time.",
	params: listParams(
		{
			...developerFilters,
			...sortParams(developerSorts, "desc"),
			...asOf,
		},
		200,
	).superRefine(checkNeedsCapital),
	reply: z.strictObject({ data: z.array(developer), meta: z.strictObject({ ...pageMeta, ...asOfMeta }) }),
	http: { method: "GET", path: "/developers", price: "standard" },
	example: { tier: "major_ipp", sort: "active_capacity_mw" },
});

export const exportDevelopers = queueIngestOperation({
	summary:
		"All developers that match the filters, with their portfolios, in one file: CSV with a header row, Parquet, Arrow, NDJSON or Excel.",
	params: z
		.strictObject({
			...developerFilters,
			...asOf,
			...fileParams(exportedDeveloper, ["developer_id"], "developer_id"),
		})
		.superRefine(checkFormat)
		.superRefine(checkNeedsCapital),
	http: { method: "GET", path: "/export/developers", price: "pro" },
	example: { tier: "major_ipp", limit: 10 },
	...exportAnswer,
});

export const getDevelopersExportManifest = manifestOf(
	exportDevelopers,
	exportManifest,
	"Rows, bytes, hash, versions and columns of the current export of developers with the same parameters.",
);

export const searchDevelopers = queueIngestOperation({
	summary: "Developers by name or alias, however spelled; best match first, a page at a time.",
	params: limitedListParams({ q: words(2).describe("What to look for"), ...asOf }, 100, 20),
	reply: results(
		z.strictObject({
			developer_id: z.int(),
			canonical_name: z.string(),
			aliases: z.array(z.string()),
			score: share().describe("Similarity of the names; 1: equal"),
			project_count: count(),
		}),
	).extend({ meta: z.strictObject({ ...pageMeta, ...asOfMeta }) }),
	http: { method: "GET", path: "/developers/search", price: "standard" },
	example: { q: "invenergy" },
});

export const getDeveloperStats = queueIngestOperation({
	summary: "Number and capacity of developers by tier.",
	params: z.strictObject(asOf),
	reply: z.strictObject({
		total_developers: count().describe("Number of developers"),
		by_tier: z.array(z.strictObject({ tier: z.enum(developerTiers), count: count(), total_capacity_mw: megawatts() })),
		needs_capital_count: count().nullable().describe("Null with as_of: only current ratings exist"),
		active_states_avg: quantity("states", "Mean number of states_active, of developers that have any"),
		meta: coverageMeta,
	}),
	http: { method: "GET", path: "/developers/stats", price: "standard" },
	example: {},
});

export const getDeveloper = queueIngestOperation({
	summary: "One developer: its names, portfolio, parent, subsidiaries and project companies.",
	params: z.strictObject({ developer_id: developerId(), ...asOf }),
	reply: z.strictObject({ data: developerDetail, meta: coverageMeta }),
	http: { method: "GET", path: "/developers/{developer_id}", price: "standard" },
	example: { developer_id: "Invenergy" },
});

const portfolioProject = named("PortfolioProject", {
	id: z.string(),
	name: z.string().nullable(),
	state: z.string().nullable(),
	capacity_mw: megawatts().nullable(),
	stage: z.enum(constructionStages),
});

export const listDeveloperProjects = queueIngestOperation({
	summary: "A developer's listed requests, filtered and sorted, with their stages.",
	params: listParams(
		{
			...portfolioFilters,
			developer_id: developerId(),
			fields: fields(portfolioProject, ["id"]),
			...sortParams(portfolioSorts, "desc"),
			...asOfFacts,
		},
		200,
	)
		.superRefine(refuseContradictions)
		.superRefine(refusePastScores),
	reply: z.strictObject({
		developer_id: z.int(),
		developer: z.string(),
		total_projects: count(),
		total_capacity_mw: megawatts(),
		by_stage: z.partialRecord(z.enum(constructionStages), count()),
		projects: z.array(portfolioProject),
		meta: z.strictObject({ ...pageMeta, ...asOfMeta }),
	}),
	http: { method: "GET", path: "/developers/{developer_id}/projects", price: "standard" },
	fields: { of: "projects", always: ["id"] },
	example: { developer_id: "Invenergy" },
});

export const listNameReviews = queueIngestOperation({
	summary: "Filed names that were nearly matched and wait for a person: bus-only.",
	params: listParams({}, 200),
	reply: page(
		z.strictObject({
			raw_name: z.string(),
			reason: z.string(),
			project_count: count(),
			candidates: z.array(
				z.strictObject({ developer_id: z.int(), canonical_name: z.string(), jaro_winkler: share(), trigram: share() }),
			),
		}),
	),
});
