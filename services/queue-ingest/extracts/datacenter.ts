/** The database `datacenter`, as SQL and files show it. */
import { boolean, date, double, integer, text, texts, type View } from "#libs/parquet/view.ts";
import { viewOf } from "./view-of.ts";

const facilities = viewOf("datacenter_facilities", {
	name: "facilities",
	description:
		"Data centers of several lists. One row per listing: keep those with same_as null to have each recognised facility once. A row without an address (may_repeat) can be a facility that another list holds under its address.",
	columns: {
		id: text("Id of the row (DC-...)"),
		same_as: text("Id of the better placed row of the same facility; null on that row itself"),
		name: text("Name of the facility, as filed; null where the list names the brand alone"),
		operator: text("Operator or brand, as filed; datacenter-map states none"),
		status: text("proposed, approved, construction or operating; null where the list does not say"),
		status_filed: text("Status in the words of the list"),
		facility_type: text("Kind of facility, as filed: Hyperscale, Colocation"),
		address: text("Street address, as filed"),
		city: text("City, as filed"),
		county: text("County, by its official name"),
		state: text("State, two letters"),
		lat: double("Latitude, WGS 84; null where the list's own lies in another state", "degrees"),
		lon: double("Longitude, WGS 84", "degrees"),
		location_precision: text(
			"What the coordinates are of: site, street, area, city (its centre) or county (its centre)",
		),
		capacity_mw: double("Capacity, an estimate of datacenter-guide", "MW"),
		energy_low_mwh_year: double("Use of electricity, low end of the estimate of datacenter-energy", "MWh/year"),
		energy_high_mwh_year: double("Use of electricity, high end of the estimate of datacenter-energy", "MWh/year"),
		market: text("Market that datacenter-map counts the facility to, mostly a city"),
		year_opened: integer("Year of opening, past or planned, as filed"),
		may_repeat: boolean("No address is known: another list may hold the same facility, which cannot be checked"),
		source: text("List that the row is from: datacenter-map, datacenter-energy, datacenter-guide"),
		as_of: date("Day that the list states; null where it states none"),
	},
	computed: { may_repeat: "address is null" },
	order: ["state", "id"],
});

const pipeline = viewOf("datacenter_pipeline", {
	name: "pipeline",
	description:
		"Proposals of a tracker, and data centers among the load requests of operators' queues, whatever became of them: to come are those of kind facility whose status_std is proposed, approved, construction or delayed. Only NYISO publishes load requests. A project can be there as both.",
	columns: {
		record: text("What the row is: proposal (tracker) or load_request (operator's queue)"),
		id: text("Id of the row: DCP-... of a proposal, the project's id of a load request"),
		kind: text(
			"facility: a data center; other: what may lead to one, or hinder it (a zoning ordinance, land for sale)",
		),
		name: text("Name of the project"),
		region: text("Operator whose queue the load request is in; null of a proposal"),
		queue_id: text("Number in the operator's queue; null of a proposal"),
		kind_filed: text(
			"Kind in the words of the source: Data Center, Zoning Ordinance; end use of a load request (DAT-AI)",
		),
		known_by: text("How a load request is known to be a data center: end_use, or name where no end use is published"),
		status_std: text("proposed, approved, construction, operating, delayed, withdrawn or denied"),
		status: text("Status in the words of the source"),
		outcome_detail: text("Outcome in the words of the tracker"),
		capacity_mw: double(
			"Capacity as stated, of some proposals that of the power plant on the site; peak load of a load request",
			"MW",
		),
		companies: texts("Companies named; empty where they are undisclosed"),
		state: text("State, two letters"),
		county: text("First county, by its official name"),
		counties: texts("All counties"),
		town: text("Town or township, as filed"),
		address: text("Address or description of the site, as filed"),
		lat: double("Latitude, WGS 84", "degrees"),
		lon: double("Longitude, WGS 84", "degrees"),
		location_precision: text("What the coordinates are of: site, area; poi, county or state of a load request"),
		size_acres: double("Size of the site", "acres"),
		announced: text("Year, month or day of the announcement, as far as it is known"),
		opening_year: integer("Year of opening, past or planned"),
		queue_date: date("Date of the load request"),
		cod: date("Projected date of operation of a load request"),
		poi: text("Point of interconnection of a load request"),
		utility: text("Utility at the point of interconnection of a load request"),
		zoning_allowed: boolean("Whether zoning allows it, as far as the tracker knows"),
		land_sold: boolean("Whether the land is sold, as far as the tracker knows"),
		own_generation: boolean("Whether it brings its own generation, as far as the tracker knows"),
		source: text("List that the row is from"),
		as_of: date("Day that the list states"),
		updated_on: date("Day of the row's last change at its source, or that we saw"),
	},
	order: ["region", "state", "record", "id"],
});

export const datacenter: readonly View[] = [facilities, pipeline];
