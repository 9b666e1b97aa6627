/** The views of this service's only database, `scoring`, for SQL and files. */
import { getCapitalLeaderboard } from "#libs/contract/operations/developers/capital.ts";
import { scoreRow } from "#libs/contract/operations/scores/score-row.ts";
import { listItcDeals } from "#libs/contract/operations/scores/scored-lists.ts";
import { chanceNames } from "#libs/contract/vocabulary.ts";
import {
	boolean,
	type Databases,
	double,
	integer,
	json,
	moment,
	requestColumns,
	rowColumns,
	text,
	texts,
	type View,
} from "#libs/parquet/view.ts";
import { referenceViews } from "./references.ts";

/** Each chance with the bounds of its interval. */
const chances = chanceNames.flatMap((name) => [name, `${name}_low`, `${name}_high`] as const);
const itcDeal = listItcDeals.reply.shape.data.element;
const ratedDeveloper = getCapitalLeaderboard.reply.shape.data.element;

const scores: View = {
	name: "scores",
	description:
		"Open requests with their scores, components and credits, as GET /investable and GET /score/{project_id} show them; closed requests are not scored",
	columns: {
		project_id: text("Id of the request, as in the database master"),
		...requestColumns("queue_id", "name", "region", "state", "county", "fips", "developer", "developer_id"),
		...requestColumns("developer_canonical", "developer_tier", "type_std", "status_std", "capacity_mw"),
		...requestColumns("queue_date", "cod", "construction_stage", "study_phase", "ia_status"),
		region: text("Grid operator"),
		status_std: text("Active or Suspended"),
		construction_stage: text("early, mid, late, construction or suspended"),
		investability_score: integer("Score, 0 to 100", "points"),
		...rowColumns(scoreRow, "grade", "investable", ...chances, "comparable_requests", "p_reason"),
		...rowColumns(scoreRow, "milestone_progress_score", "iso_posture_score", "tax_credit_value_score"),
		...rowColumns(scoreRow, "deal_cleanliness_score", "developer_tier_score"),
		...requestColumns("tax_credit_type", "tax_credit_status"),
		...rowColumns(scoreRow, "effective_credit_rate", "estimated_credit_value", "p_credit", "expected_credit_value"),
		inputs: json("What the score was computed from, as GET /score/{project_id} shows it"),
		...rowColumns(scoreRow, "score_version"),
		scored_at: moment("When these inputs were first seen, UTC"),
	},
	sql: `
		select s.project_id, p.queue_id, p.name, p.region, p.state, p.county, p.fips, p.developer, p.developer_id, p.developer_canonical,
		  p.developer_tier, p.type_std, p.status_std, p.capacity_mw, p.queue_date, p.cod, p.construction_stage, p.study_phase, p.ia_status,
		  s.score as investability_score, s.grade, s.investable, ${chances.map((name) => `s.${name}`).join(", ")}, s.comparable_requests, s.p_reason, s.milestone_progress as milestone_progress_score,
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
		...rowColumns(scoreRow, "score_version"),
		investability_score: integer("Score, 0 to 100", "points"),
		...rowColumns(scoreRow, "grade", "investable"),
		...requestColumns("tax_credit_type", "tax_credit_status"),
		...rowColumns(scoreRow, "effective_credit_rate", "estimated_credit_value", "inputs_hash"),
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
		...requestColumns("state", "fips", "type_std", "capacity_mw", "tax_credit_type", "tax_credit_status"),
		...rowColumns(itcDeal, "base_credit_pct"),
		phase_factor: double("Part of the credit that remains at the end dates", "fraction"),
		effective_credit_rate: double("(base + adders) x phase factor; for a PTC its ITC equivalent", "fraction"),
		...rowColumns(itcDeal, "at_risk_rate", "estimated_credit_value", "p_credit", "expected_credit_value"),
		...requestColumns("energy_community_eligible", "domestic_content_eligible", "domestic_content_basis"),
		...requestColumns("low_income_eligible"),
		...rowColumns(itcDeal, "cod_year", "energy_community_notice", "warnings"),
		estimated_credit_value: double("Estimated value; null where no cost of the technology is known", "USD"),
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
		...rowColumns(ratedDeveloper, "developer", "tier", "company_kind", "capital_raised", "raise_count"),
		...rowColumns(ratedDeveloper, "latest_raise", "operational_capacity_mw", "active_capacity_mw"),
		...rowColumns(ratedDeveloper, "late_stage_mw"),
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

export const databases: Databases = {
	scoring: [scores, scoreHistory, taxCredits, developerRatings, ...referenceViews],
};
