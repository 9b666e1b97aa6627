import { z } from "zod";
import { share, usd } from "../envelopes.ts";
import { domesticContent } from "../records/project.ts";
import {
	creditStatuses,
	creditTypes,
	distressLevels,
	domesticContentBases,
	grades,
	taxCreditActivities,
} from "../vocabulary.ts";
import { event } from "./event.ts";
import { examples } from "./examples.ts";

/**
 * The score and tax credits of a request, published when they change; all null for a closed request. `version` is the time of the computation
 * (ms), or the previous version plus one if that is higher. A change of only the score version or the inputs causes no event.
 */
export const projectScored = event({
	publisher: "scoring",
	name: "project.scored",
	summary: "A request's score or tax credit differs from before.",
	example: examples.projectScored,
	payload: {
		project_id: z.string().describe("The request"),
		score_version: z.int().describe("Version of the weights and tables"),
		inputs_hash: z.string().nullable().describe("Hash of the inputs of the score"),
		investability_score: z.int().min(0).max(100).nullable().describe("Null: a closed request is not scored"),
		grade: z.enum(grades).nullable().describe("Grade of the score"),
		investable: z.boolean().nullable().describe("Passes the gate of GET /investable"),
		p_cod_36: share().nullable().describe("Chance of operation within 36 months"),
		tax_credit_type: z.enum(creditTypes).nullable().describe("Null: no credit"),
		tax_credit_status: z.enum(creditStatuses).nullable().describe("How sure the credit is"),
		effective_credit_rate: share().nullable().describe("Fraction of eligible cost"),
		estimated_credit_value: usd(
			"What the tax credit is worth, estimated from capacity, technology and cost",
		).nullable(),
		energy_community_eligible: z.boolean().nullable().describe("Null, as below, where no list states it"),
		low_income_eligible: z.boolean().nullable().describe("For the low-income communities bonus"),
		domestic_content_eligible: z.boolean().nullable().describe(domesticContent.eligible),
		domestic_content_basis: z.enum(domesticContentBases).nullable().describe(domesticContent.basis),
	},
});

/**
 * Published when a developer's rating changes. `version` is the time of the computation (ms), or the previous version plus one if that is
 * higher.
 */
export const developerRated = event({
	publisher: "scoring",
	name: "developer.rated",
	summary: "A developer's need of capital, tax-credit activity or distress differs from before.",
	example: examples.developerRated,
	payload: {
		developer_id: z.int().describe("As GET /developers/{id}"),
		developer_canonical: z.string().describe("Its name"),
		needs_capital: z.boolean().nullable().describe("Null if no evidence says so and too little was checked"),
		needs_capital_reasons: z.array(z.string()).describe("The evidence, as sentences"),
		tax_credit_activity: z
			.enum(taxCreditActivities)
			.describe("How much federal tax credit its open requests would bring"),
		capital_raised: usd("Raised by Form D offerings, USD; null if Form D was not checked").min(0).nullable(),
		distress_level: z.enum(distressLevels).describe("unknown: too few sources were checked"),
		distress_score: z.int().min(0).max(100).describe("Points, more for more distress"),
	},
});
