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
 * The score and tax credits of a request, published when they change; all null for a closed request. `version` is the time of the
 * computation (ms), at least one more than before. A new score version or new inputs alone are not published.
 */
export const projectScored = event({
	publisher: "scoring",
	name: "project.scored",
	summary: "A request's score or tax credit differs from before.",
	example: examples.projectScored,
	payload: {
		project_id: z.string().meta({ description: "The request" }),
		score_version: z.int().meta({ description: "Version of the weights and tables" }),
		inputs_hash: z.string().nullable().meta({ description: "Of what the score was computed from" }),
		investability_score: z
			.int()
			.min(0)
			.max(100)
			.nullable()
			.meta({ description: "Null: a closed request is not scored" }),
		grade: z.enum(grades).nullable().meta({ description: "Of the score" }),
		investable: z.boolean().nullable().meta({ description: "Passes the gate of GET /investable" }),
		tax_credit_type: z.enum(creditTypes).nullable().meta({ description: "Null: no credit" }),
		tax_credit_status: z.enum(creditStatuses).nullable().meta({ description: "How sure the credit is" }),
		effective_credit_rate: share().nullable().meta({ description: "Fraction of eligible cost" }),
		estimated_credit_value: usd(
			"What the tax credit is worth, estimated from capacity, technology and cost",
		).nullable(),
		energy_community_eligible: z.boolean().nullable().meta({ description: "Null, as below, where no list says" }),
		low_income_eligible: z.boolean().nullable().meta({ description: "For the low-income communities bonus" }),
		domestic_content_eligible: z.boolean().nullable().meta({ description: domesticContent.eligible }),
		domestic_content_basis: z.enum(domesticContentBases).nullable().meta({ description: domesticContent.basis }),
	},
});

/** A developer's rating, whenever it differs from before. `version` is the moment in ms at which it was found, at least one more than before. */
export const developerRated = event({
	publisher: "scoring",
	name: "developer.rated",
	summary: "A developer's need of capital, tax-credit activity or distress differs from before.",
	example: examples.developerRated,
	payload: {
		developer_id: z.int().meta({ description: "As GET /developers/{id}" }),
		developer_canonical: z.string().meta({ description: "Its name" }),
		needs_capital: z.boolean().meta({ description: "Whether something says that it looks for money" }),
		needs_capital_reasons: z.array(z.string()).meta({ description: "What says so" }),
		tax_credit_activity: z
			.enum(taxCreditActivities)
			.meta({ description: "How much federal tax credit its open requests would bring" }),
		capital_raised: usd("Of Form D, USD; null where Form D was not looked at").min(0).nullable(),
		distress_level: z.enum(distressLevels).meta({ description: "unknown: too little was looked at" }),
		distress_score: z.int().min(0).max(100).meta({ description: "Points, more for more distress" }),
	},
});
