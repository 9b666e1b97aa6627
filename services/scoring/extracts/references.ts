/** The views of the reference lists: energy communities, low-income communities, interconnection costs. */
import { bigint, boolean, date, double, integer, moment, text, type View } from "#libs/parquet/view.ts";

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

const interconnectionCosts: View = {
	name: "interconnection_costs",
	description: "Of each request its newest interconnection cost; no row: no cost is known, which is not zero",
	columns: {
		project_id: text("Id of the request, as in the database master"),
		region: text("Grid operator"),
		queue_id: text("The operator's number, as filed"),
		type_std: text("Standardised technology"),
		status_std: text("Standardised status"),
		capacity_mw: double("Injection limit at the point of interconnection", "MW"),
		cost_usd_per_kw: double("Interconnection cost", "USD/kW"),
		poi_usd_per_kw: double("Of it, what is built at the point of interconnection", "USD/kW"),
		network_usd_per_kw: double("Of it, upgrades of the network", "USD/kW"),
		dollars_year: integer("The year whose dollars these are; null where it is not stated"),
		study: text("Kind of study that states it, as filed"),
		as_of: date("Day that the cost is of"),
		source: text("Study or file that states it"),
	},
	sql: `
		select i.project_id, p.region, p.queue_id, p.type_std, p.status_std, p.capacity_mw, i.cost_usd_per_kw, i.poi_usd_per_kw,
		  i.network_usd_per_kw, i.dollars_year, i.study, i.as_of, i.source
		from interconnection_costs i join projects p using (project_id)`,
	order: ["region", "project_id"],
};

const interconnectionCostRanges: View = {
	name: "interconnection_cost_ranges",
	description:
		"What requests of one neighbourhood cost to connect, by their own studies, where at least three of a point of interconnection or five of another kind are known: GET /score/{project_id} shows the nearest where a request has no cost of its own",
	columns: {
		chosen_by: text(
			"poi: one point of interconnection; transmission_owner: one transmission owner and technology; region: one grid operator and technology",
		),
		region: text("Grid operator"),
		place: text("The point of interconnection or the transmission owner, as filed; null of region"),
		type_std: text("Standardised technology; null of poi, where any counts"),
		n: integer("Requests with a cost of their own, whatever became of them"),
		p25_usd_per_kw: double("A quarter of them cost less", "USD/kW"),
		median_usd_per_kw: double("Half of them cost less", "USD/kW"),
		p75_usd_per_kw: double("A quarter of them cost more", "USD/kW"),
		dollars_year: integer("The year whose dollars these are; null where they are of several years or it is not stated"),
		studied_from: date("Day of their oldest study"),
		studied_to: date("Day of their newest study"),
	},
	sql: `
		select rule as chosen_by, region, place, type_std, n, round(p25::numeric, 2)::float8 as p25_usd_per_kw,
		  round(median::numeric, 2)::float8 as median_usd_per_kw, round(p75::numeric, 2)::float8 as p75_usd_per_kw, dollars_year,
		  studied_from, studied_to
		from interconnection_cost_ranges`,
	order: ["region", "chosen_by", "place", "type_std"],
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

export const referenceViews: readonly View[] = [
	referenceLists,
	energyCommunityCounties,
	coalClosureTracts,
	lowIncomeTracts,
	lowIncomeCounties,
	interconnectionCosts,
	interconnectionCostRanges,
	sources,
];
