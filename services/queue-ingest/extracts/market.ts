/** The database `market`, as SQL and files show it: from views that omit rows that a license withholds (migration 0009). */
import { ofMonths, price } from "#libs/contract/operations/datasets/price.ts";
import { boolean, date, integer, moment, rowColumns, text, type View, viewOf } from "#libs/parquet/view.ts";

const marketColumn = text("day_ahead, real_time or real_time_commitment (prices of the quarter-hourly commitment run)");

const hubs: View = {
	name: "hubs",
	description: "Hubs, zones and interfaces with prices, one row for each market, with the loaded hours",
	columns: {
		iso: text("Grid operator"),
		...rowColumns(price, "hub_id", "hub", "hub_type", "timezone"),
		finest_interval: text(
			"Shortest interval that is shown: month if the operator's license allows only monthly averages",
		),
		market: marketColumn,
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

const keyColumns = {
	iso: text("Grid operator"),
	...rowColumns(price, "hub_id", "hub", "hub_type"),
	market: marketColumn,
	...rowColumns(price, "starts_at", "local_date"),
};
const componentColumns = rowColumns(price, "lmp_usd_mwh", "energy_usd_mwh", "congestion_usd_mwh", "loss_usd_mwh");
const originColumns = {
	...rowColumns(price, "timezone", "source"),
	published_on: date("Day that the newest file behind the row states, or the last day of its data"),
};
const averageColumns = {
	...keyColumns,
	...componentColumns,
	...rowColumns(price, "min_lmp_usd_mwh", "max_lmp_usd_mwh", "hours", "complete"),
	...originColumns,
};
const hourlyColumns = {
	...keyColumns,
	hour_ending: text("Hour of the local day by its end, 01 to 24; 02X is the hour that is repeated in autumn"),
	...componentColumns,
	complete: boolean("False if the hour is an average and some of its intervals are missing"),
	...originColumns,
};

const priceView = (interval: "hour" | "day" | "month", details: Pick<View, "name" | "description" | "columns">): View =>
	viewOf(`market_${interval}_rows`, { ...details, order: ["iso", "market", "hub_id", "starts_at"] });

const hourlyPrices = priceView("hour", {
	name: "hourly_prices",
	description: `Prices by hub and hour; without ${ofMonths}, whose license allows monthly averages only`,
	columns: hourlyColumns,
});

const dailyPrices = priceView("day", {
	name: "daily_prices",
	description: `Simple averages over the hours of a local day; without ${ofMonths}, whose license allows monthly averages only`,
	columns: averageColumns,
});

const monthlyPrices = priceView("month", {
	name: "monthly_prices",
	description: `Simple averages over the hours of a local month; for ${ofMonths}, whole months only and without extremes`,
	columns: averageColumns,
});

export const marketViews: readonly View[] = [hubs, hourlyPrices, dailyPrices, monthlyPrices];
