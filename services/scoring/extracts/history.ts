/** Published scores, and until when each stood. */
import { boolean, double, integer, json, moment, text, type View } from "#libs/parquet/view.ts";

export const scoreHistory: View = {
	name: "score_history",
	description:
		"Each score as it was published, with the time for which it stood; valid_to of what is published now is null. In FROM scores_as_of('2026-06-30') is those that stood as a day ended.",
	columns: {
		project_id: text("Id of the request, as in the database master"),
		valid_from: moment("When it was published, UTC"),
		valid_to: moment("When another was published or the request closed, UTC; null: it stands"),
		score_version: integer("Version of the weights and tables"),
		investability_score: integer("Score, 0 to 100", "points"),
		grade: text("A, B, C, D or F"),
		investable: boolean("Whether it passed the investability rule"),
		tax_credit_type: text("ITC or PTC; null: no credit"),
		tax_credit_status: text(
			"How sure the credit was: eligible, conditional, terminated, ineligible, requires_determination",
		),
		effective_credit_rate: double("Credit as a part of the eligible cost, adders included", "fraction"),
		estimated_credit_value: double("Estimated value of the credit", "USD"),
		inputs_hash: text("SHA-256 of the inputs as canonical JSON"),
		inputs: json("What the score was computed from, as GET /score/{project_id} shows it"),
	},
	sql: `
		select project_id, published_at as valid_from, nullif(published_until, 'infinity') as valid_to, score_version,
		  score as investability_score, grade, investable, credit ->> 'credit_type' as tax_credit_type,
		  credit ->> 'status' as tax_credit_status, (credit ->> 'effective_rate')::float8 as effective_credit_rate,
		  (credit ->> 'estimated_value')::float8 as estimated_credit_value, inputs_hash, inputs
		from score_versions`,
	order: ["project_id", "valid_from"],
};
