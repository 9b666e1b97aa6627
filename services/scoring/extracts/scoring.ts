/** The database `scoring`, as SQL and files show it. */
import { chanceMeanings } from "#libs/contract/operations/scores/score-row.ts";
import { chanceNames } from "#libs/contract/vocabulary.ts";
import { boolean, date, double, integer, json, moment, text, texts, type View } from "#libs/parquet/view.ts";
import { referenceViews } from "./references.ts";

/** Each chance with the bounds of its interval. */
const chances = Object.fromEntries(
	chanceNames.flatMap((name) => [
		[name, double(`${chanceMeanings[name]}, as GET /score/{project_id} shows it`, "fraction")],
		[`${name}_low`, double(`Lower bound of the 95 % interval of ${name}`, "fraction")],
		[`${name}_high`, double(`Upper bound of the 95 % interval of ${name}`, "fraction")],
	]),
);

const expected = {
	p_credit: double("Chance that the credit is obtained, as GET /deals/itc shows it", "fraction"),
	expected_credit_value: double("p_credit x estimated_credit_value", "USD"),
};

const scores: View = {
	name: "scores",
	description:
		"Open requests with their scores, components and credits, as GET /investable and GET /score/{project_id} show them; closed requests are not scored",
	columns: {
		project_id: text("Id of the request, as in the database master"),
		queue_id: text("The operator's number, as filed"),
		name: text("Name of the project"),
		region: text("Grid operator"),
		state: text("Two-letter code of the state"),
		county: text("First county"),
		fips: text("County FIPS code, five digits"),
		developer: text("Developer as filed"),
		developer_id: integer("Number of the canonical developer"),
		developer_canonical: text("The developer behind the name as filed"),
		developer_tier: text("Tier of the canonical developer; unknown where none is known"),
		type_std: text("Standardised technology"),
		status_std: text("Active or Suspended"),
		capacity_mw: double("Injection limit at the point of interconnection", "MW"),
		queue_date: date("Day on which the request entered the queue"),
		cod: date("Projected commercial operation date"),
		construction_stage: text("early, mid, late, construction or suspended"),
		study_phase: text("Standardised study phase"),
		ia_status: text("Standardised state of the interconnection agreement"),
		investability_score: integer("Score, 0 to 100", "points"),
		grade: text("A, B, C, D or F"),
		investable: boolean("Whether it passes the investability rule"),
		...chances,
		comparable_requests: integer("Past requests of its operator that had come as far, followed for a year or longer"),
		p_reason: text("Why there is no chance: suspended, too_few_outcomes"),
		milestone_progress_score: integer("Component: how far it has come, 0 to 100", "points"),
		iso_posture_score: integer("Component: how requests of its operator fare, 0 to 100", "points"),
		tax_credit_value_score: integer("Component: what its tax credit is worth, 0 to 100", "points"),
		deal_cleanliness_score: integer("Component: 100 less deductions, 0 to 100", "points"),
		developer_tier_score: integer("Component: tier and record of its developer, 0 to 100", "points"),
		tax_credit_type: text("ITC or PTC; null: no credit"),
		tax_credit_status: text(
			"How sure the credit is: eligible, conditional, terminated, ineligible, requires_determination",
		),
		effective_credit_rate: double("Credit as a part of the eligible cost, adders included", "fraction"),
		estimated_credit_value: double("Estimated value of the credit", "USD"),
		...expected,
		inputs: json("What the score was computed from, as GET /score/{project_id} shows it"),
		score_version: integer("Version of the weights and tables"),
		scored_at: moment("When these inputs were first seen, UTC"),
	},
	sql: `
		select s.project_id, p.queue_id, p.name, p.region, p.state, p.county, p.fips, p.developer, p.developer_id, p.developer_canonical,
		  p.developer_tier, p.type_std, p.status_std, p.capacity_mw, p.queue_date, p.cod, p.construction_stage, p.study_phase, p.ia_status,
		  s.score as investability_score, s.grade, s.investable, ${Object.keys(chances)
				.map((name) => `s.${name}`)
				.join(", ")}, s.comparable_requests, s.p_reason, s.milestone_progress as milestone_progress_score,
		  s.iso_posture as iso_posture_score, s.tax_credit_value as tax_credit_value_score, s.deal_cleanliness as deal_cleanliness_score,
		  s.developer_tier as developer_tier_score, c.credit_type as tax_credit_type, c.status as tax_credit_status,
		  c.effective_rate as effective_credit_rate, c.estimated_value as estimated_credit_value, c.p_credit,
		  c.expected_value as expected_credit_value, s.inputs, s.score_version, s.scored_at
		from scores s join projects p using (project_id) left join credits c using (project_id)
		where s.score_version = (select active_version from settings)`,
	order: ["region", "state", "project_id"],
};

const scoreHistory: View = {
	name: "score_history",
	description:
		"Each published score with the time for which it was current; valid_to of the current score is null. FROM scores_as_of('2026-06-30') reads the scores that were current at the end of that day.",
	columns: {
		project_id: text("Id of the request, as in the database master"),
		valid_from: moment("When it was published, UTC"),
		valid_to: moment("When another was published or the request closed, UTC; null: it is current"),
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

const taxCredits: View = {
	name: "tax_credits",
	description:
		"The federal credit that each open request could claim, by the law and the lists of the day on which it was computed, as in GET /deals/itc",
	columns: {
		project_id: text("Id of the request, as in the database master"),
		region: text("Grid operator"),
		state: text("Two-letter code of the state"),
		fips: text("County FIPS code, five digits"),
		type_std: text("Standardised technology"),
		capacity_mw: double("Injection limit at the point of interconnection", "MW"),
		tax_credit_type: text("ITC or PTC; null: no credit"),
		tax_credit_status: text(
			"How sure the credit is: eligible, conditional, terminated, ineligible, requires_determination",
		),
		base_credit_pct: double("Rate before adders, as a part of the eligible cost", "fraction"),
		phase_factor: double("Part of the credit that remains at the end dates", "fraction"),
		effective_credit_rate: double("(base + adders) x phase factor; for a PTC its ITC equivalent", "fraction"),
		at_risk_rate: double("Rate that remains of a conditional one if its condition fails", "fraction"),
		estimated_credit_value: double("Estimated value; null where no cost of the technology is known", "USD"),
		...expected,
		energy_community_eligible: boolean("Whether it lies in an energy community; null where no list says"),
		domestic_content_eligible: boolean(
			"Null if the domestic-content bonus is open to the technology, because no source states whether the plant meets it; false: there is no credit to add it to",
		),
		domestic_content_basis: text(
			"technology: decided by the law for its technology and dates; null if nothing is known",
		),
		low_income_eligible: boolean("Whether the low-income bonus is open to it; null if no list decides"),
		cod_year: integer("Year in service that the rate is for: the year of cod, or assumed (see warnings)"),
		energy_community_notice: text("Notice whose list of energy communities was used"),
		warnings: texts("Codes, as GET /tax-credits/calculate explains them"),
	},
	sql: `
		select c.project_id, p.region, p.state, p.fips, p.type_std, p.capacity_mw, c.credit_type as tax_credit_type,
		  c.status as tax_credit_status, c.base_rate as base_credit_pct, c.phase_factor, c.effective_rate as effective_credit_rate,
		  c.at_risk_rate, c.estimated_value as estimated_credit_value, c.p_credit, c.expected_value as expected_credit_value, c.energy_community_eligible, c.domestic_content_eligible,
		  c.domestic_content_basis,
		  c.low_income_eligible, c.cod_year, c.notice as energy_community_notice, c.warnings
		from credits c join projects p using (project_id)`,
	order: ["region", "state", "project_id"],
};

const developerRatings: View = {
	name: "developer_standings",
	description:
		"Capital raised, requests, news, distress and need of capital of each developer, as in GET /capital/leaderboard and GET /developers/{developer_id}/capital",
	columns: {
		developer_id: integer("Number of the developer"),
		developer: text("Canonical name"),
		tier: text("Tier of the developer"),
		company_kind: text("sponsor, or special_purpose: made for one project"),
		capital_raised: double("Sold by the newest filing of each Form D offering; null if Form D was not searched", "USD"),
		raise_count: integer("Number of its Form D offerings"),
		latest_raise: date("Day of its latest Form D"),
		operational_capacity_mw: double("Of its requests that operate", "MW"),
		active_capacity_mw: double("Of its requests still in a queue", "MW"),
		late_stage_mw: double("Late-stage, not connected yet", "MW"),
		capital_per_operational_mw: double("Capital raised for each operating MW; null without either", "USD/MW"),
		financing_events: integer("Headlines and reports of financing within 24 months"),
		ma_events: integer("Headlines and reports of sales, and changes of ownership, within 24 months"),
		distress_events: integer("Headlines and reports of distress within 24 months"),
		litigation_events: integer("Headlines of litigation within 24 months"),
		withdrawal_rate: double("Share of its requests that were withdrawn; null without requests", "fraction"),
		active_projects: integer("Requests still in a queue"),
		operational_projects: integer("Requests that operate"),
		withdrawn_projects: integer("Requests that were withdrawn"),
		behind_schedule: integer("Active requests whose projected date has passed"),
		cod_slipped_projects: integer("Active requests whose projected date moved later by 180 days or more"),
		stuck_in_queue_projects: integer("Active requests filed over 60 months ago without an executed agreement"),
		high_ic_cost_projects: integer("Requests with a high interconnection cost; null if none is known"),
		max_ic_cost_per_kw: double("Highest interconnection cost of its requests; null where none is known", "USD/kW"),
		distress_level: text("Low, Moderate, Elevated, High or unknown"),
		distress_score: integer("Score of distress, 0 to 100", "points"),
		distress_judged: boolean("False: nothing is known of it"),
		coverage: json("As coverage in HTTP responses"),
		distress_components: json("As distress_signal.components in HTTP responses"),
		needs_capital: boolean("Null if too little was checked"),
		needs_capital_reasons: texts("Why it needs capital"),
		tax_credit_activity: text("Tax credits of its open requests in stage mid or later: none, low, medium or high"),
	},
	sql: `
		select r.developer_id, r.canonical_name as developer, r.tier, r.company_kind, r.capital_raised, (r.counts ->> 'raiseCount')::integer as raise_count,
		  (r.counts ->> 'latestRaise')::date as latest_raise, r.operational_mw as operational_capacity_mw,
		  (r.counts ->> 'activeMw')::float8 as active_capacity_mw,
		  r.late_stage_mw, r.capital_per_operational_mw,
		  (r.counts ->> 'financing')::integer as financing_events,
		  (r.counts ->> 'ma')::integer + (r.counts ->> 'transfers')::integer as ma_events,
		  (r.counts ->> 'distress')::integer as distress_events, (r.counts ->> 'litigation')::integer as litigation_events,
		  round((r.counts ->> 'withdrawn')::numeric / nullif(r.requests, 0), 4)::float8 as withdrawal_rate,
		  (r.counts ->> 'active')::integer as active_projects, (r.counts ->> 'operational')::integer as operational_projects,
		  (r.counts ->> 'withdrawn')::integer as withdrawn_projects, (r.counts ->> 'behind')::integer as behind_schedule,
		  (r.counts ->> 'codSlipped')::integer as cod_slipped_projects, (r.counts ->> 'stuck')::integer as stuck_in_queue_projects,
		  case when (r.counts ->> 'withCost')::integer > 0 then (r.counts ->> 'highCost')::integer end as high_ic_cost_projects,
		  (r.counts ->> 'maxCostPerKw')::float8 as max_ic_cost_per_kw, r.distress_level, r.distress_score,
		  r.distress_components is not null as distress_judged, r.coverage, r.distress_components, r.needs_capital, r.needs_capital_reasons,
		  r.tax_credit_activity
		from shown_ratings r`,
	order: ["developer_id"],
};

export const scoring: readonly View[] = [scores, scoreHistory, taxCredits, developerRatings, ...referenceViews];
