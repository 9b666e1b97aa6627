import { z } from "zod";
import { share } from "../envelopes.ts";
import { event } from "../event.ts";
import {
	creditStatuses,
	creditTypes,
	distressLevels,
	domesticContentBases,
	grades,
	taxCreditActivities,
} from "../vocabulary.ts";

/**
 * The score and tax credits of a request, published when they change; all null for a closed request. `version` is the time of the
 * computation (ms), at least one more than before. A new score version or new inputs alone are not published.
 */
export const projectScored = event({
	publisher: "scoring",
	name: "project.scored",
	summary: "A request's score or tax credit differs from before.",
	payload: {
		project_id: z.string(),
		score_version: z.int().meta({ description: "Version of the weights and tables" }),
		inputs_hash: z.string().nullable().meta({ description: "Of what the score was computed from" }),
		investability_score: z.int().min(0).max(100).nullable(),
		grade: z.enum(grades).nullable(),
		investable: z.boolean().nullable(),
		tax_credit_type: z.enum(creditTypes).nullable(),
		tax_credit_status: z.enum(creditStatuses).nullable(),
		effective_credit_rate: share().nullable().meta({ description: "Fraction of eligible cost" }),
		estimated_credit_value: z.number().nullable().meta({ description: "USD" }),
		energy_community_eligible: z.boolean().nullable().meta({ description: "Null, as below, where no list says" }),
		low_income_eligible: z.boolean().nullable(),
		domestic_content_eligible: z.boolean().nullable(),
		// The default is for events that were published before the field existed.
		domestic_content_basis: z.enum(domesticContentBases).nullable().default(null),
	},
});

/** A developer's rating, whenever it differs from before. `version` is the moment in ms at which it was found, at least one more than before. */
export const developerRated = event({
	publisher: "scoring",
	name: "developer.rated",
	summary: "A developer's need of capital, tax-credit activity or distress differs from before.",
	payload: {
		developer_id: z.int(),
		developer_canonical: z.string(),
		needs_capital: z.boolean(),
		needs_capital_reasons: z.array(z.string()),
		tax_credit_activity: z.enum(taxCreditActivities),
		capital_raised: z
			.number()
			.min(0)
			.nullable()
			.meta({ description: "USD, of Form D; null where Form D was not looked at" }),
		distress_level: z.enum(distressLevels),
		distress_score: z.int().min(0).max(100),
	},
});
