/** The views of interconnection costs, by request and by neighbourhood. */
import { date, double, integer, text, type View } from "#libs/parquet/view.ts";

export const interconnectionCosts: View = {
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

export const interconnectionCostRanges: View = {
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
