/** The database `datacenter`, as SQL and files show it. */
import { boolean, date, double, integer, text, texts, type View } from "#libs/parquet/view.ts";

const facilities: View = {
	name: "facilities",
	description:
		"Data centres of several lists. One row per listing: keep those with same_as null to have each recognised facility once. A row without an address (may_repeat) can be a facility that another list holds under its address.",
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
	sql: `
		select f.id, f.same_as, f.name, f.operator, f.status, f.status_filed, f.facility_type, f.address, f.city, f.county, f.state,
		f.lat, f.lon, f.location_precision, f.capacity_mw, f.energy_low_mwh_year, f.energy_high_mwh_year,
		f.market, f.year_opened, f.address is null as may_repeat, f.source, f.as_of
		from datacenter_facilities f`,
	order: ["state", "id"],
};

const pipeline: View = {
	name: "pipeline",
	description:
		"Proposals of a tracker, and data centres among the load requests of operators' queues, whatever became of them: to come are those of kind facility whose status_std is proposed, approved, construction or delayed. Only NYISO publishes load requests. A project can be there as both.",
	columns: {
		record: text("What the row is: proposal (tracker) or load_request (operator's queue)"),
		id: text("Id of the row: DCP-... of a proposal, the project's id of a load request"),
		kind: text(
			"facility: a data centre; other: what may lead to one, or hinder it (a zoning ordinance, land for sale)",
		),
		name: text("Name of the project"),
		region: text("Operator whose queue the load request is in; null of a proposal"),
		queue_id: text("Number in the operator's queue; null of a proposal"),
		kind_filed: text(
			"Kind in the words of the source: Data Center, Zoning Ordinance; end use of a load request (DAT-AI)",
		),
		known_by: text("How a load request is known to be a data centre: end_use, or name where no end use is published"),
		status_std: text("proposed, approved, construction, operating, delayed, withdrawn or denied"),
		status: text("Status in the words of the source"),
		outcome_detail: text("What the tracker says of how it ended"),
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
	sql: `
		select p.record, p.id, p.kind, p.name, p.region, p.queue_id, p.kind_filed, p.known_by, p.status_std, p.status, p.outcome_detail, p.capacity_mw,
		p.companies, p.state, p.county, p.counties, p.town, p.address, p.lat, p.lon, p.location_precision,
		p.size_acres, p.announced, p.opening_year, p.queue_date, p.cod, p.poi, p.utility, p.zoning_allowed, p.land_sold, p.own_generation,
		p.source, p.as_of, p.updated_on
		from datacenter_pipeline p`,
	order: ["region", "state", "record", "id"],
};

export const datacenter: readonly View[] = [facilities, pipeline];
