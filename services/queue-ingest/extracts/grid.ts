/** The database `grid`, as SQL and files show it. */
import { listGenerators } from "#libs/contract/operations/datasets/eia860.ts";
import { plant } from "#libs/contract/operations/datasets/plant.ts";
import { boolean, date, double, integer, moment, rowColumns, text, type View, viewOf } from "#libs/parquet/view.ts";

const generator = listGenerators.reply.shape.data.element;

const plants = viewOf("plants p", {
	name: "plants",
	description:
		"Plants by year of report (form EIA-860, schedule 2), one row per plant and year. Capacities are in the view generators",
	columns: {
		...rowColumns(plant, "year", "plant_id", "name", "utility_id", "utility_name", "street", "city", "state", "zip"),
		...rowColumns(plant, "county", "lat", "lon", "nerc_region", "balancing_authority", "sector"),
		...rowColumns(plant, "grid_owner", "grid_voltage_kv"),
		name: text("Name of the plant"),
		county: text("County as filed"),
		is_newest: boolean("Whether no later year lists the plant; filter by is_newest to count each plant once"),
	},
	computed: { is_newest: "not exists (select from plants n where n.plant_id = p.plant_id and n.year > p.year)" },
	order: ["state", "year", "plant_id"],
});

const generators = viewOf("listed_generators", {
	name: "generators",
	description:
		"Generators by year of report (form EIA-860, schedule 3), one row per generator and year even if several schedules list it. The view eia_schedules lists the loaded schedules: generators of other schedules may exist",
	columns: {
		...rowColumns(generator, "year", "plant_id", "generator_id", "stage", "status", "technology", "type_std"),
		...rowColumns(generator, "prime_mover", "utility_id", "utility_name", "plant_name", "state", "county"),
		...rowColumns(generator, "capacity_mw", "summer_mw", "operating_year"),
		county: text("County as filed"),
		schedule: text("Schedule that the row is from: generator (the full list), wind, solar, storage or multifuel"),
		is_newest: boolean("Whether no later year lists the generator; filter by is_newest to count each generator once"),
	},
	computed: { is_newest: "newest" },
	order: ["state", "year", "plant_id", "generator_id"],
});

const plantOwners = viewOf("plant_owners", {
	name: "plant_owners",
	description:
		"Owners of generators that are owned jointly, or wholly by another party than the operator, as filed (form EIA-860, schedule 4)",
	columns: {
		year: integer("Year of report"),
		plant_id: integer("EIA plant code"),
		generator_id: text("Number of the generator within its plant, as filed"),
		owner_id: integer("EIA's number of the owner"),
		owner_name: text("Owner as filed"),
		fraction: double("Share of the generator that it owns, 0 to 1; null if the row states none", "fraction"),
		owner_city: text("City of the owner"),
		owner_state: text("State of the owner"),
		status: text("EIA's code of the generator's status"),
		plant_name: text("Name of the plant"),
		state: text("State of the plant"),
		utility_id: integer("EIA's number of the operator"),
		utility_name: text("Operator as filed"),
	},
	order: ["state", "year", "plant_id", "generator_id", "owner_id"],
});

const generatorOwners: View = {
	name: "generator_owners",
	description:
		"Owners of each generator and year, stated or inferred; GET /projects/{project_id}/ownership weighs them by capacity",
	columns: {
		plant_id: integer("EIA plant code"),
		generator_id: text("Number of the generator within its plant, as filed"),
		year: integer("Year of report"),
		owner_name: text("Owner as filed"),
		owner_utility_id: integer("EIA's number of the owner"),
		fraction_owned: double("Share of the generator that it owns, 0 to 1", "fraction"),
		owner_city: text("City of the owner"),
		owner_state: text("State of the owner"),
		developer_canonical: text("Developer found for the owner's name"),
		parent: text("Parent of that developer"),
		source: text("eia_860_ownership: stated in schedule 4; eia_860_operator: the operator, inferred as sole owner"),
		report_date: date("Last day of the year of report"),
	},
	sql: `
		select g.plant_id, g.generator_id, g.year, o.name as owner_name, o.owner_id as owner_utility_id, o.fraction as fraction_owned,
		  o.city as owner_city, o.state as owner_state, o.developer_canonical, o.parent, g.body::json ->> 'source' as source,
		  make_date(g.year, 12, 31) as report_date
		from generator_ownership g cross join lateral json_to_recordset(g.body::json -> 'owners') as o (name text, owner_id integer,
		  fraction float8, city text, state text, developer_canonical text, parent text)`,
	order: ["plant_id", "generator_id", "year", "owner_name", "owner_utility_id"],
};

const utilities = viewOf("utilities", {
	name: "utilities",
	description: "Operators and owners of plants by year of report (form EIA-860, schedule 1)",
	columns: {
		year: integer("Year of report"),
		utility_id: integer("EIA's number of the company"),
		name: text("Name as filed"),
		street: text("Street address"),
		city: text("City"),
		state: text("Two-letter code of the state"),
		zip: text("Postal code"),
		entity_type: text("Kind of company in EIA's code"),
	},
	order: ["state", "year", "utility_id"],
});

const projectPlants = viewOf("project_plants l join projects p on p.id = l.project_id", {
	name: "project_plants",
	description: "The plant that an interconnection request became; several requests (phases) can be one plant",
	columns: {
		project_id: text("Id of the request, as in the database master"),
		region: text("Grid operator of the request"),
		queue_id: text("The operator's number of the request, as filed"),
		plant_id: integer("EIA plant code"),
		link_kind: text(
			"direct; one_of: the plant of one of several requests at one point of interconnection; part: the largest of several plants of the request",
		),
		method: text("How the request and the plant were matched"),
		confidence: double("Confidence of the match, 0 to 1", "fraction"),
		evidence: text("Facts in which the request and the plant agree"),
	},
	order: ["region", "project_id", "plant_id"],
});

const eiaSchedules = viewOf("eia_schedules", {
	name: "eia_schedules",
	description: "Loaded schedules of form EIA-860 by year. The absence of a schedule does not mean that it has no rows",
	columns: {
		year: integer("Year of report"),
		schedule: text("utility, plant, generator (the full list), wind, solar, storage, multifuel or owner"),
		early_release: boolean("Whether it is the early release, which is incomplete"),
		published_on: date("Day on which the workbook was saved"),
		records: integer("Rows stored from the schedule"),
		loaded_at: moment("When it was loaded, UTC"),
	},
	computed: { records: "stored" },
	order: ["year", "schedule"],
});

export const gridViews: readonly View[] = [
	plants,
	generators,
	plantOwners,
	generatorOwners,
	utilities,
	projectPlants,
	eiaSchedules,
];
