/** Views of the reference lists: energy communities, low-income communities, interconnection costs. */
import { costNeighbours } from "#libs/contract/operations/scores/interconnection-cost.ts";
import {
	bigint,
	boolean,
	date,
	double,
	integer,
	moment,
	requestColumns,
	rowColumns,
	text,
	type View,
	viewOf,
} from "#libs/parquet/view.ts";

const referenceLists = viewOf("reference_files", {
	name: "reference_lists",
	description: "The loaded reference lists. Of each kind the newest complete list is used",
	columns: {
		source: text("energy-communities, low-income or ic-costs"),
		kind: text("counties, coal-tracts, places, low-income or ic-costs"),
		notice: text("Notice or publisher; null for costs"),
		valid_from: date("First day on which it is valid"),
		published_on: date("Day of publication"),
		rows: integer("Number of entries"),
		complete: boolean("Whether it decides about every place"),
		sample: boolean("Whether it is the bundled sample"),
		loaded_at: moment("When it was loaded, UTC"),
	},
	order: ["source", "notice", "kind", "loaded_at"],
});

const energyCommunityCounties = viewOf("energy_community_counties c join reference_files f on f.id = c.file_id", {
	name: "energy_community_counties",
	description: "Counties of each list of energy communities, a row for each notice",
	columns: {
		fips: text("County FIPS code, five digits"),
		statistical: boolean("Whether it qualifies by fossil-fuel employment and unemployment of its statistical area"),
		area: text("Statistical area"),
		vintage: text('Vintage of areas by which it qualifies: 1, 2 or "1 and 2"'),
		note: text("Note of the list on the county"),
		notice: text("Notice of the list"),
		valid_from: date("First day on which the list is valid"),
		complete: boolean("Whether the list decides about every county"),
		sample: boolean("Whether it is the bundled sample"),
	},
	order: ["fips", "notice"],
});

const coalClosureTracts = viewOf("coal_tracts t join reference_files f on f.id = t.file_id", {
	name: "coal_closure_tracts",
	description: "Census tracts that are energy communities because of a closed coal mine or plant",
	columns: {
		tract: text("Census tract, eleven digits"),
		fips: text("FIPS code of its county"),
		tract_type: text("Whether it contains the closure or adjoins such a tract"),
		eligible_from: date("Day from which it qualifies"),
		notice: text("Notice of the list"),
		valid_from: date("First day on which the list is valid"),
		sample: boolean("Whether it is the bundled sample"),
	},
	computed: { fips: "left(tract, 5)" },
	order: ["tract", "notice"],
});

const lowIncomeTracts = viewOf("low_income_tracts t join reference_files f on f.id = t.file_id", {
	name: "low_income_tracts",
	description: "Census tracts that are low-income communities",
	columns: {
		tract: text("Census tract, eleven digits"),
		fips: text("FIPS code of its county"),
		share: double("Share of the tract that is a low-income community", "fraction"),
		notice: text("Publisher of the list"),
		valid_from: date("First day on which the list is valid"),
		sample: boolean("Whether it is the bundled sample"),
	},
	computed: { fips: "left(tract, 5)" },
	order: ["tract", "notice"],
});

const lowIncomeCounties = viewOf("low_income_counties c join reference_files f on f.id = c.file_id", {
	name: "low_income_counties",
	description: "Number of census tracts of each county that are low-income communities",
	columns: {
		fips: text("County FIPS code, five digits"),
		low_income_tracts: integer("Low-income tracts of the county"),
		tracts: integer("All tracts of the county; null if the list names only low-income tracts"),
		notice: text("Publisher of the list"),
		valid_from: date("First day on which the list is valid"),
		sample: boolean("Whether it is the bundled sample"),
	},
	computed: { low_income_tracts: "low_income" },
	order: ["fips", "notice"],
});

const interconnectionCosts = viewOf("interconnection_costs i join projects p using (project_id)", {
	name: "interconnection_costs",
	description:
		"The newest interconnection cost of each request. A request without a row has no known cost, which is not zero",
	columns: {
		project_id: text("Id of the request, as in the database master"),
		region: text("Grid operator"),
		...requestColumns("queue_id", "type_std", "status_std", "capacity_mw"),
		cost_usd_per_kw: double("Interconnection cost", "USD/kW"),
		poi_usd_per_kw: double("Part of the cost for facilities at the point of interconnection", "USD/kW"),
		network_usd_per_kw: double("Part of the cost for upgrades of the network", "USD/kW"),
		dollars_year: integer("Year of the dollars; null if it is not stated"),
		study: text("Kind of study that states the cost, as filed"),
		as_of: date("Day of the study"),
		source: text("Study or file that states the cost"),
	},
	order: ["region", "project_id"],
});

const interconnectionCostRanges: View = {
	name: "interconnection_cost_ranges",
	description:
		"Interconnection costs of requests in one neighborhood, by their own studies, if at least three are known at a point of interconnection or five in another neighborhood. GET /score/{project_id} shows the nearest range if a request has no cost of its own",
	columns: {
		chosen_by: text(
			"poi: one point of interconnection; transmission_owner: one transmission owner and technology; region: one grid operator and technology",
		),
		region: text("Grid operator"),
		place: text("The point of interconnection or the transmission owner, as filed; null for region"),
		type_std: text("Standardized technology; null for poi, which includes any technology"),
		...rowColumns(costNeighbours, "n", "p25_usd_per_kw", "median_usd_per_kw", "p75_usd_per_kw"),
		dollars_year: integer("Year of the dollars; null if there are several or it is not stated"),
		...rowColumns(costNeighbours, "studied_from", "studied_to"),
	},
	sql: `
		select rule as chosen_by, region, place, type_std, n, round(p25::numeric, 2)::float8 as p25_usd_per_kw,
		  round(median::numeric, 2)::float8 as median_usd_per_kw, round(p75::numeric, 2)::float8 as p75_usd_per_kw, dollars_year,
		  studied_from, studied_to
		from interconnection_cost_ranges`,
	order: ["region", "chosen_by", "place", "type_std"],
};

const sources = viewOf("source_records", {
	name: "sources",
	description: "How fresh the reference lists are",
	columns: {
		source: text("energy-communities, low-income or ic-costs"),
		records: bigint("Number of stored entries"),
		last_checked: moment("When a file was last read, UTC"),
		last_success: moment("When a file was last stored or found unchanged, UTC"),
		last_changed: moment("When a file last brought something new, UTC"),
		last_outcome: text("Outcome of the last file: applied, unchanged or refused"),
	},
	computed: {
		last_checked: "last_checked_at",
		last_success: "last_success_at",
		last_changed: "last_changed_at",
	},
	order: ["source"],
});

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
