/** How likely and how attractive a request is, and why (specification 2.3). */
import { z } from "zod";
import { count, day, megawatts, page, quantity, share, usd } from "../envelopes.ts";
import { operation } from "../operation.ts";
import { choice, decimal, fields, listParams, words } from "../params.ts";
import {
	constructionStages,
	costBases,
	costNeighbourhoods,
	creditStatuses,
	creditTypes,
	developerTiers,
	domesticContentBases,
	grades,
	regions,
	technologies,
} from "../vocabulary.ts";
import { aProject, consistent, domesticContent, projectFilters, region } from "./project.ts";

const component = () =>
	z.strictObject({
		score: z.int().min(0).max(100),
		weight: share().meta({ description: "The five weights sum to 1" }),
		value: z.string().meta({ description: "What the score was given for" }),
	});

const perKw = (what: string) => quantity("USD/kW", what).min(0);

const dollarsYear = (otherwise: string) =>
	z
		.int()
		.nullable()
		.meta({ description: `The year whose dollars these are; null ${otherwise}` });

const costNeighbours = z.strictObject({
	chosen_by: z.enum(costNeighbourhoods).meta({
		description:
			"The nearest of: poi, at least 3 requests at the same point of interconnection; transmission_owner, at least 5 of the same transmission owner and technology; region, at least 5 of the same operator and technology",
	}),
	place: z.string().nullable().meta({ description: "That point or transmission owner, as filed; null of region" }),
	type_std: z.string().nullable().meta({ description: "Their technology; null of poi, where any counts" }),
	n: count().meta({ description: "Requests with a cost of their own, whatever became of them" }),
	p25_usd_per_kw: perKw("A quarter of them cost less"),
	median_usd_per_kw: perKw("Half of them cost less"),
	p75_usd_per_kw: perKw("A quarter of them cost more"),
	studied_from: day().nullable().meta({ description: "Day of their oldest study" }),
	studied_to: day().nullable().meta({ description: "Day of their newest study" }),
	dollars_year: dollarsYear("where they are of several years"),
});

const interconnectionCost = z.strictObject({
	basis: z.enum(costBases).meta({
		description: "own: a study of this request; neighbours: it has none that is known, and others have",
	}),
	ic_cost_usd_per_kw: perKw("Interconnection cost by the newest study of this request").nullable(),
	poi_usd_per_kw: perKw("Of it, what is built at the point of interconnection").nullable(),
	network_usd_per_kw: perKw("Of it, upgrades of the network").nullable(),
	study: z.string().nullable().meta({ description: "Kind of study, as filed" }),
	studied_on: day().nullable().meta({ description: "Day of the study" }),
	dollars_year: dollarsYear("where it is not stated"),
	source: z.string().nullable().meta({ description: "Study or file that states it" }),
	neighbours: costNeighbours.nullable().meta({ description: "Null where basis is own" }),
});

const score = z.strictObject({
	project_id: z.string(),
	investability_score: z.int().min(0).max(100).meta({ description: "0 where the request is closed: see scored" }),
	grade: z.enum(grades),
	components: z.strictObject({
		developer_tier: component(),
		milestone_progress: component(),
		tax_credit_value: component(),
		iso_posture: component(),
		deal_cleanliness: component(),
	}),
	explanation: z.string(),
	scored: z
		.boolean()
		.meta({ description: "False for a request that was withdrawn or built, or is none for generation" }),
	investable: z.boolean(),
	deductions: z
		.array(z.strictObject({ points: z.int(), reason: z.string() }))
		.meta({ description: "What deal_cleanliness lost points for" }),
	score_version: z.int().meta({ description: "Version of the weights and tables" }),
	inputs: z.record(z.string(), z.unknown()).meta({ description: "What the score was computed from" }),
	inputs_hash: z.string().meta({ description: "SHA-256 of the inputs as canonical JSON" }),
	facts_as_of: day()
		.nullable()
		.meta({ description: "Day of the operator's list that the request stands in: dates are judged by it" }),
	facts_age_days: z.int().min(0).nullable().meta({ description: "Days from then to now, UTC" }),
	interconnection_cost: interconnectionCost
		.nullable()
		.meta({ description: "Null where no cost is known, neither its own nor of neighbours: that is not zero" }),
	scored_at: z.string().meta({ description: "When these inputs were first seen", format: "date-time" }),
});

export const getScore = operation({
	owner: "gateway",
	summary: "A request's investability score, its five components and the reasons.",
	params: z.strictObject({
		project_id: words().describe("<REGION>-<number>, or the operator's number alone"),
		region: region().optional().describe("Distinguishes operators where several use the same bare number"),
	}),
	reply: score,
	http: { method: "GET", path: "/score/{project_id}", price: "standard" },
	example: { project_id: aProject },
});

export const readScore = operation({
	owner: "scoring",
	summary: "The score of the request with this id: bus-only.",
	params: z.strictObject({ project_id: words().describe("Id") }),
	reply: score,
	// For a request without a score the inputs are computed at the call.
	maxAgeMs: 300_000,
});

export const resolveProject = operation({
	owner: "queue-ingest",
	summary: "The id of the request that a caller means by any number it was ever filed under: bus-only.",
	params: getScore.params,
	reply: z.strictObject({ id: z.string() }),
});

/** A scored request in a list. */
const listed = {
	id: z.string(),
	queue_id: z.string(),
	name: z.string().nullable(),
	region: z.enum(regions),
	state: z.string().nullable(),
	county: z.string().nullable(),
	developer: z.string().nullable().meta({ description: "As filed" }),
	developer_canonical: z.string().nullable(),
	developer_tier: z.enum(developerTiers),
	type_std: z.enum(technologies).or(z.string()),
	capacity_mw: megawatts().nullable(),
	cod: day().nullable(),
	construction_stage: z.enum(constructionStages),
	tax_credit_type: z.enum(creditTypes).nullable(),
	tax_credit_status: z.enum(creditStatuses).nullable(),
	effective_credit_rate: share().nullable(),
	estimated_credit_value: usd().nullable(),
	investability_score: z.int().min(0).max(100),
	grade: z.enum(grades),
};

/** What is scored is open, listed and for generation. */
const {
	population: _,
	listed: __,
	include_unlisted: ___,
	status: filedStatus,
	investable,
	...filters
} = projectFilters;
const scoredFilters = {
	...filters,
	technology: words().optional().describe("Any part of type_std, in any case; fuel_type is exact"),
};

const investableRow = z.strictObject({ ...listed, explanation: z.string() });

export const listInvestable = operation({
	owner: "scoring",
	summary: "Open requests that pass the investability rule, best first.",
	params: listParams({ ...scoredFilters, status: filedStatus, fields: fields(investableRow, ["id"]) }, 200).superRefine(
		consistent,
	),
	reply: page(investableRow),
	http: { method: "GET", path: "/investable", price: "standard" },
	fields: { of: "data", always: ["id"] },
	example: { min_score: 60 },
});

const itcDeal = z.strictObject({
	...listed,
	investability_score: z.int().min(0).max(100),
	base_credit_pct: share(),
	at_risk_rate: share().nullable().meta({ description: "What is left of a conditional rate if its condition fails" }),
	energy_community_eligible: z.boolean().nullable(),
	domestic_content_eligible: z.boolean().nullable().meta({ description: domesticContent.eligible }),
	domestic_content_basis: z.enum(domesticContentBases).nullable().meta({ description: domesticContent.basis }),
	low_income_eligible: z.boolean().nullable(),
	cod_year: z
		.int()
		.meta({ description: "Year placed in service that the rate is for: of cod, or assumed (see warnings)" }),
	energy_community_notice: z.string().nullable().meta({ description: "Notice whose list was looked at" }),
	warnings: z.array(z.string()).meta({
		description:
			"Codes, as /tax-credits/calculate explains them; COD_UNKNOWN, COD_PASSED: cod_year is assumed; EXISTING_PLANT: more of a plant that stands, the added part not stated",
	}),
});

export const listItcDeals = operation({
	owner: "scoring",
	summary: "Open requests that can claim the investment tax credit, largest credit first.",
	params: listParams(
		{
			min_rate: decimal(0, 1, "fraction")
				.optional()
				.describe("Least effective_credit_rate, as a fraction: 0.4 is 40 %"),
			status: choice(["eligible", "conditional"])
				.optional()
				.describe("How sure the credit is; the status of the request is no filter here"),
			...scoredFilters,
			investable,
			fields: fields(itcDeal, ["id"]),
		},
		200,
	).superRefine(consistent),
	reply: page(itcDeal),
	http: { method: "GET", path: "/deals/itc", price: "premium" },
	fields: { of: "data", always: ["id"] },
	example: { min_rate: 0.3 },
});
