/** What was published of scores, and until when. */
import { boolean, date, double, integer, json, moment, text, type View } from "#libs/extracts/view.ts";

export const scoreHistory: View = {
	name: "score_history",
	description:
		"Each score as it was published, with the time for which it stood; valid_to of what is published now is null. In FROM scores_as_of('2026-06-30') is those that stood as a day ended. Scores of days before the first are computed of that day's facts by GET /score/{project_id}?as_of= and GET /score/{project_id}/history",
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

export const scoredVersions: View = {
	name: "scored_request_versions",
	description:
		"What GET /score/{project_id}?as_of= and GET /investable?as_of= take for a request's facts: each state with the days of its operator's lists on which it held. As of a day: valid_from <= day and (valid_to is null or valid_to > day)",
	columns: {
		project_id: text("Id of the request, as in the database master"),
		version: integer("Number of the state, as in project_versions of the database master"),
		valid_from: date("Day of the list that first shows this state"),
		valid_to: date("First day on which another state held; null: it holds"),
		region: text("Grid operator"),
		state: text("Two-letter code of the state"),
		fips: text("County FIPS code, five digits"),
		developer_id: integer("Number of the canonical developer"),
		developer_tier: text("Tier of the canonical developer; unknown where none is known"),
		type_std: text("Standardised technology"),
		status_std: text("Standardised status"),
		listed: text("listed, missing or disappeared"),
		capacity_mw: double("Injection limit at the point of interconnection", "MW"),
		queue_date: date("Day on which the request entered the queue"),
		cod: date("Projected commercial operation date"),
		construction_stage: text("early, mid, late, construction, operational, withdrawn or suspended"),
		study_phase: text("Standardised study phase"),
		ia_status: text("Standardised state of the interconnection agreement"),
	},
	sql: `
		select project_id, version::integer as version, valid_from, nullif(valid_to, 'infinity') as valid_to, region, state, fips, developer_id,
		  developer_tier, type_std, status_std, listed, capacity_mw, queue_date, cod, construction_stage, study_phase, ia_status
		from project_states where held`,
	order: ["region", "project_id", "valid_from"],
};
