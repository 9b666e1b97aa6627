/** The database `scoring`, as SQL and files show it. */
import { chanceMeanings } from "#libs/contract/operations/scores/score-row.ts";
import { chanceNames } from "#libs/contract/vocabulary.ts";
import { bigint, boolean, date, double, integer, json, moment, text, texts, type View } from "#libs/parquet/view.ts";
import { interconnectionCostRanges, interconnectionCosts } from "./costs.ts";
import { scoreHistory } from "./history.ts";

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
		deal_cleanliness_score: integer("Component: 100 less what speaks against it, 0 to 100", "points"),
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

const taxCredits: View = {
	name: "tax_credits",
	description:
		"The federal credit that each open request could claim, by the law and the lists of the day it was computed, as GET /deals/itc shows it",
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
		phase_factor: double("Part of the credit that is left at the end dates", "fraction"),
		effective_credit_rate: double("(base + adders) x phase factor; of a PTC its ITC equivalent", "fraction"),
		at_risk_rate: double("What is left of a conditional rate if its condition fails", "fraction"),
		estimated_credit_value: double("Estimated value; null where no cost of the technology is known", "USD"),
		...expected,
		energy_community_eligible: boolean("Whether it lies in an energy community; null where no list says"),
		domestic_content_eligible: boolean(
			"Null where the domestic-content bonus is open to the technology and nothing says whether the plant meets it; false: there is no credit that it adds to",
		),
		domestic_content_basis: text("technology: by what the law gives to it and its dates; null where nothing is known"),
		low_income_eligible: boolean("Whether the low-income bonus is open to it; null where no list says"),
		cod_year: integer("Year placed in service that the rate is for: of cod, or assumed (see warnings)"),
		energy_community_notice: text("Notice whose list of energy communities was looked at"),
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

const developerStandings: View = {
	name: "developer_standings",
	description:
		"What each developer raised and built, what is said of it, and whether it is in distress or needs capital, as GET /capital/leaderboard and GET /developers/{developer_id}/capital show it",
	columns: {
		developer_id: integer("Number of the developer"),
		developer: text("Canonical name"),
		tier: text("Tier of the developer"),
		capital_raised: double(
			"Sold by the newest filing of each Form D offering; null where Form D was not looked at",
			"USD",
		),
		raise_count: integer("Its Form D offerings"),
		latest_raise: date("Day of its latest Form D"),
		operational_capacity_mw: double("Capacity of its requests that operate", "MW"),
		active_capacity_mw: double("Capacity of its requests that are still in a queue", "MW"),
		capital_per_operational_mw: double("Divergence; null when nothing operates or capital_raised is null", "USD/MW"),
		financing_events: integer("Headlines and reports of financing within 24 months"),
		ma_events: integer("Headlines, reports and changes of hands within 24 months"),
		distress_events: integer("Headlines and reports of distress within 24 months"),
		litigation_events: integer("Headlines of litigation within 24 months"),
		withdrawal_rate: double("Withdrawn of all its requests; null of none", "fraction"),
		active_projects: integer("Requests still in a queue"),
		operational_projects: integer("Requests that operate"),
		withdrawn_projects: integer("Requests that were withdrawn"),
		behind_schedule: integer("Active requests past their projected operation"),
		cod_slipped_projects: integer("Active requests whose projected operation moved later by 180 days or more"),
		stuck_in_queue_projects: integer("Active requests filed over 60 months ago without an executed agreement"),
		high_ic_cost_projects: integer("Requests with a high interconnection cost; null where no cost is known"),
		max_ic_cost_per_kw: double("Highest interconnection cost of its requests; null where none is known", "USD/kW"),
		distress_level: text("Low, Moderate, Elevated, High, or unknown where too little was looked at to call it Low"),
		distress_score: integer("Score of distress, 0 to 100", "points"),
		distress_judged: boolean("False: no request and no event is known: the level is unknown"),
		coverage: json("What distress and capital are judged by, and whether it is there, as coverage of the HTTP answers"),
		distress_components: json("What the score is made of, as distress_signal.components of the HTTP answers"),
		needs_capital: boolean("Whether it needs capital"),
		needs_capital_reasons: texts("Why"),
		tax_credit_activity: text(
			"How much tax credit its open requests from stage mid on would bring: none, low, medium or high",
		),
	},
	sql: `
		select r.developer_id, r.canonical_name as developer, r.tier, r.capital_raised, (r.counts ->> 'raiseCount')::integer as raise_count,
		  (r.counts ->> 'latestRaise')::date as latest_raise, r.operational_mw as operational_capacity_mw,
		  (r.counts ->> 'activeMw')::float8 as active_capacity_mw,
		  r.capital_per_operational_mw,
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

const referenceLists: View = {
	name: "reference_lists",
	description: "The lists that are loaded; of a kind the newest whole one is used",
	columns: {
		source: text("energy-communities, low-income or ic-costs"),
		kind: text("counties, coal-tracts, places, low-income or ic-costs"),
		notice: text("Notice, or whose list it is; null of costs"),
		valid_from: date("Day from which it holds"),
		published_on: date("Day of publication"),
		rows: integer("Entries"),
		complete: boolean("Whether it says something of every place there is"),
		sample: boolean("Whether it is the bundled sample"),
		loaded_at: moment("When it was loaded, UTC"),
	},
	sql: `
		select source, kind, notice, valid_from, published_on, rows, complete, sample, loaded_at from reference_files`,
	order: ["source", "notice", "kind", "loaded_at"],
};

const energyCommunityCounties: View = {
	name: "energy_community_counties",
	description: "Counties of each list of energy communities; several notices are several rows of a county",
	columns: {
		fips: text("County FIPS code, five digits"),
		statistical: boolean("Whether it counts by fossil-fuel employment and unemployment of its statistical area"),
		area: text("Statistical area"),
		vintage: text('Vintage of areas by which it counts: 1, 2 or "1 and 2"'),
		note: text("What the list notes of it"),
		notice: text("Notice that the list is of"),
		valid_from: date("Day from which the list holds"),
		complete: boolean("Whether the list says something of every county"),
		sample: boolean("Whether it is the bundled sample"),
	},
	sql: `
		select c.fips, c.statistical, c.area, c.vintage, c.note, f.notice, f.valid_from, f.complete, f.sample
		from energy_community_counties c join reference_files f on f.id = c.file_id`,
	order: ["fips", "notice"],
};

const coalClosureTracts: View = {
	name: "coal_closure_tracts",
	description: "Census tracts that are energy communities by a closed coal mine or plant",
	columns: {
		tract: text("Census tract, eleven digits"),
		fips: text("FIPS code of its county"),
		tract_type: text("Why: it holds the closure, or adjoins such a tract"),
		eligible_from: date("Day from which it counts"),
		notice: text("Notice that the list is of"),
		valid_from: date("Day from which the list holds"),
		sample: boolean("Whether it is the bundled sample"),
	},
	sql: `
		select t.tract, left(t.tract, 5) as fips, t.tract_type, t.eligible_from, f.notice, f.valid_from, f.sample
		from coal_tracts t join reference_files f on f.id = t.file_id`,
	order: ["tract", "notice"],
};

const lowIncomeTracts: View = {
	name: "low_income_tracts",
	description: "Census tracts that are low-income communities",
	columns: {
		tract: text("Census tract, eleven digits"),
		fips: text("FIPS code of its county"),
		share: double("How much of the tract is one", "fraction"),
		notice: text("Whose list it is"),
		valid_from: date("Day from which the list holds"),
		sample: boolean("Whether it is the bundled sample"),
	},
	sql: `
		select t.tract, left(t.tract, 5) as fips, t.share, f.notice, f.valid_from, f.sample
		from low_income_tracts t join reference_files f on f.id = t.file_id`,
	order: ["tract", "notice"],
};

const lowIncomeCounties: View = {
	name: "low_income_counties",
	description: "How many census tracts of each county are low-income communities",
	columns: {
		fips: text("County FIPS code, five digits"),
		low_income_tracts: integer("Low-income tracts of the county"),
		tracts: integer("All tracts of the county; null where the list names the low-income ones alone"),
		notice: text("Whose list it is"),
		valid_from: date("Day from which the list holds"),
		sample: boolean("Whether it is the bundled sample"),
	},
	sql: `
		select c.fips, c.low_income as low_income_tracts, c.tracts, f.notice, f.valid_from, f.sample
		from low_income_counties c join reference_files f on f.id = c.file_id`,
	order: ["fips", "notice"],
};

const sources: View = {
	name: "sources",
	description: "How fresh the reference lists are",
	columns: {
		source: text("energy-communities, low-income or ic-costs"),
		records: bigint("Entries that are stored"),
		last_checked: moment("When it was last looked at, UTC"),
		last_success: moment("When it was last taken in or found unchanged, UTC"),
		last_changed: moment("When it last brought something new, UTC"),
		last_outcome: text("Outcome of the last look: applied, unchanged or refused"),
	},
	sql: `
		select source, records, last_checked_at as last_checked, last_success_at as last_success, last_changed_at as last_changed, last_outcome
		from source_records`,
	order: ["source"],
};

export const scoring: readonly View[] = [
	scores,
	scoreHistory,
	taxCredits,
	developerStandings,
	referenceLists,
	energyCommunityCounties,
	coalClosureTracts,
	lowIncomeTracts,
	lowIncomeCounties,
	interconnectionCosts,
	interconnectionCostRanges,
	sources,
];
