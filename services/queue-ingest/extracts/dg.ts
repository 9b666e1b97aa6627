/** The database `dg`, as SQL and files show it. */
import { boolean, date, double, integer, moment, text, type View } from "#libs/parquet/view.ts";

const records: View = {
	name: "records",
	description:
		"Distributed generation: installations, totals of utilities by state, technology and sector, totals of areas. Sources overlap: give one, and in_totals, when adding up",
	columns: {
		id: text(
			"The same for the same fact in every file; of an installation the id that GET /projects/{project_id} takes",
		),
		kind: text("installation; utility_total: what a utility reports of a state; area_total: what is in an area"),
		source: text(
			"Who counts: eia861-net-metering, eia861-distributed, puco-ohio-der, nyserda-der. Never add up over sources, they overlap",
		),
		edition: text("What a later file replaces: a year, or current for a list that is published whole"),
		published_on: date("Day that the file states, or on which it was saved"),
		program: text(
			"net_metering, virtual_net_metering (its capacity is in addition to the other), non_net_metering; null where the source does not say",
		),
		state: text("Two-letter code of the state or territory"),
		county: text("County, where the record is of one"),
		fips: text("County FIPS code, five digits"),
		area: text("Name of the area as filed"),
		area_type: text("county, place, township or region"),
		city: text("City of an installation"),
		zone: text("Load zone of the grid operator, as filed"),
		utility_id: integer("EIA number of the utility; 99999 is an adjustment by the EIA"),
		utility: text("Name of the utility"),
		balancing_authority: text("Code of the balancing authority"),
		name: text("Name of an installation"),
		developer: text("Developer of an installation, as filed"),
		technology: text(
			"Standardised technology; Unknown where the fuel of an engine or turbine is not filed; null for a record of all technologies",
		),
		technology_filed: text("Technology as filed"),
		sector: text(
			"Customers: residential, commercial, industrial, transportation, or direct_connected (no customer's site)",
		),
		capacity_mw: double("Generating or discharge capacity; below zero in adjustments", "MW"),
		capacity_kw: double("The same capacity, for installations and areas that are counted in kilowatts", "kW"),
		capacity_basis: text(
			"AC or DC: how the utility reports photovoltaic capacity. Adjustments take off what a conversion to AC loses",
		),
		storage_mwh: double("Energy that an installation can store", "MWh"),
		customers: integer("Number of customers"),
		facilities: integer("Number of facilities"),
		generators: integer("Number of generators"),
		energy_sold_back_mwh: double("Energy sold back to the utility in the year", "MWh"),
		backup_mw: double("Of the utility's generators, capacity for backup only", "MW"),
		utility_owned_mw: double("Of the utility's generators, capacity that the utility owns", "MW"),
		adjustment: boolean("A correction by the publisher: needed for totals, no report of a utility"),
		in_totals: boolean("False: other records of the source hold the same installations, leave it out when adding up"),
		year: integer(
			"Year that the record is about: the year's end at the EIA, the year of the addition in Ohio, the first year of operation of an installation",
		),
		in_service_on: date("Day on which an installation began to operate, else on which it began to report"),
	},
	sql: `select * from dg_rows`,
	order: ["state", "source", "id"],
};

const editions: View = {
	name: "editions",
	description: "Which editions of which source are loaded",
	columns: {
		source: text("Who counts, as in records"),
		edition: text("A year, or current"),
		published_on: date("Day that the file states, or on which it was saved"),
		records: integer("Records that the file was read into"),
		applied_at: moment("When the file was taken in, in UTC"),
	},
	sql: `select * from dg_edition_rows`,
	order: ["source", "edition"],
};

export const dg: readonly View[] = [records, editions];
