/** The database `market`, as SQL and files show it: from views that omit what a licence withholds (migration 0007). */
import { monthlyPriced } from "#libs/contract/vocabulary.ts";
import { boolean, date, double, integer, moment, text, type View } from "#libs/parquet/view.ts";
import { viewOf } from "./view-of.ts";

const ofMonths = monthlyPriced.join(", ");

const hubs: View = {
	name: "hubs",
	description: "Hubs, zones and interfaces with prices, one row for each market, and what is loaded of them",
	columns: {
		iso: text("Grid operator"),
		hub_id: text("The operator's number of the hub; unique within the operator"),
		hub: text("Name as the operator publishes it"),
		hub_type: text("hub, zone, interface (a border with another grid) or node"),
		timezone: text("Time zone of the operator's days and hours"),
		finest_interval: text("Shortest interval that is shown: month where the operator's licence allows no more"),
		market: text("day_ahead, real_time or real_time_commitment (prices of the quarter-hourly commitment run)"),
		first_hour_at: moment("Beginning of the first hour loaded"),
		last_hour_at: moment("Beginning of the last hour loaded"),
		hours: integer("Hours loaded", "hours"),
	},
	sql: `
		select h.iso, h.hub_id, h.hub, h.hub_type, h.timezone, h.finest_interval, d.market, min(d.first_at) as first_hour_at,
		  max(d.last_at) as last_hour_at, sum(d.hours)::integer as hours
		from market_hubs h join market_days d using (iso, hub_id)
		group by h.iso, h.hub_id, d.market`,
	order: ["iso", "hub_id", "market"],
};

const priced = {
	iso: text("Grid operator"),
	hub_id: text("The operator's number of the hub; unique within the operator"),
	hub: text("Name as the operator publishes it"),
	hub_type: text("hub, zone, interface (a border with another grid) or node"),
	market: text("day_ahead, real_time or real_time_commitment (prices of the quarter-hourly commitment run)"),
	starts_at: moment("Beginning of the interval"),
	local_date: date("Day in the operator's time zone; of a month its first"),
};
const price = {
	lmp_usd_mwh: double("Locational marginal price", "USD/MWh"),
	energy_usd_mwh: double("Energy component of the price; null where it is not published", "USD/MWh"),
	congestion_usd_mwh: double(
		"Congestion component; it adds to the price, whatever sign the operator publishes",
		"USD/MWh",
	),
	loss_usd_mwh: double("Loss component; it adds to the price", "USD/MWh"),
};
const origin = {
	timezone: text("Time zone of the operator's days and hours"),
	source: text('Feed that the prices are from; several are joined with ", "'),
	published_on: date("Day that the newest file behind the row states, or its data end on"),
};
const averaged = {
	...priced,
	...price,
	min_lmp_usd_mwh: double("Lowest hourly price of the interval; null where the licence does not allow it", "USD/MWh"),
	max_lmp_usd_mwh: double("Highest hourly price of the interval; null where the licence does not allow it", "USD/MWh"),
	hours: integer("Hours that the average is over", "hours"),
	complete: boolean("Whether every hour of the interval is there, with all its minutes"),
	...origin,
};
const hourly = {
	...priced,
	hour_ending: text("Hour of the local day by its end, 01 to 24; 02X is the hour that is repeated in autumn"),
	...price,
	complete: boolean("False where the hour is an average over intervals of which some are missing"),
	...origin,
};

const prices = (interval: "hour" | "day" | "month", named: Pick<View, "name" | "description" | "columns">): View =>
	viewOf(`market_${interval}_rows`, { ...named, order: ["iso", "market", "hub_id", "starts_at"] });

const hourlyPrices = prices("hour", {
	name: "hourly_prices",
	description: `Prices by hub and hour; without ${ofMonths}, whose licence allows monthly averages only`,
	columns: hourly,
});

const dailyPrices = prices("day", {
	name: "daily_prices",
	description: `Simple averages over the hours of a local day; without ${ofMonths}, whose licence allows monthly averages only`,
	columns: averaged,
});

const monthlyPrices = prices("month", {
	name: "monthly_prices",
	description: `Simple averages over the hours of a local month; of ${ofMonths} whole months only, without their extremes`,
	columns: averaged,
});

export const market: readonly View[] = [hubs, hourlyPrices, dailyPrices, monthlyPrices];
