/** Scores and tax credits as of a past day, for the answers about requests that other services give. */
import { z } from "zod";
import { count, named, share, usd } from "../../envelopes.ts";
import { operation } from "../../operation.ts";
import { choice, isoDate, several, words } from "../../params.ts";
import { creditStatuses, creditTypes, domesticContentBases, regions } from "../../vocabulary.ts";

/** Scoring's columns of an open request, named as in `/projects`. */
export const pastScore = named("PastScore", {
	id: z.string(),
	investability_score: z.int().min(0).max(100),
	investable: z.boolean(),
	tax_credit_type: z.enum(creditTypes).nullable(),
	tax_credit_status: z.enum(creditStatuses),
	tax_credit_pct: share(),
	effective_credit_rate: share(),
	estimated_credit_value: usd().nullable(),
	energy_community_eligible: z.boolean().nullable(),
	low_income_eligible: z.boolean().nullable(),
	domestic_content_eligible: z.boolean().nullable(),
	domestic_content_basis: z.enum(domesticContentBases).nullable(),
	score_basis: z.literal("published"),
	score_version: count(),
});
export type PastScore = z.output<typeof pastScore>;

export const readScoresOn = operation({
	owner: "scoring",
	summary: "Scores that stood published when a day ended, of requests by id or of all of an operator: bus-only.",
	params: z
		.strictObject({
			as_of: isoDate().describe("The day"),
			id: several(words(1, 80), 500).optional().describe("Ids of requests"),
			region: choice(regions).optional().describe("The operator, where no ids are given"),
		})
		.refine(({ id, region }) => (id === undefined) !== (region === undefined), "either id or region"),
	reply: z.strictObject({
		developers: z
			.array(z.strictObject({ developer_id: z.int(), needs_capital: z.boolean() }))
			.describe("Those whose rating of that day is known, of the requests; without ids all"),
		data: z.array(pastScore),
	}),
});
