/** A wholesale power price, in JSON and in files. */
import { z } from "zod";
import { count, day, named, quantity, timestamp } from "../../envelopes.ts";
import { defineExportTable } from "../../exports/columns.ts";
import { hubTypes, markets, monthlyPriced, priceIntervals, regions } from "../../vocabulary.ts";

export const ofMonths = monthlyPriced.join(", ");
export const perMegawattHour = (description: string) => quantity("USD/MWh", description);

export const identity = {
	iso: z.enum(regions),
	hub: z.string().describe("Name as the operator publishes it"),
	hub_id: z.string().describe("The operator's number of the hub, unique within the operator"),
	hub_type: z.enum(hubTypes).describe("An interface is a border with another grid; a node a single point"),
};
export const timezone = () => z.string().describe("Time zone of the operator's days and hours");

export const price = named("MarketPrice", {
	...identity,
	market: z.enum(markets),
	interval: z.enum(priceIntervals),
	starts_at: timestamp().describe("Beginning of the interval, UTC"),
	local_date: day().describe("Day in the operator's time zone; for a month, its first day"),
	hour_ending: z
		.string()
		.regex(/^(0[1-9]|1\d|2[0-4])X?$/)
		.nullable()
		.describe("Hour of the local day by its end, 01 to 24; 02X is repeated in autumn. Null but for an hour"),
	lmp_usd_mwh: perMegawattHour(
		"Locational marginal price: energy + congestion + loss. Averages are simple, over hours",
	),
	energy_usd_mwh: perMegawattHour("Energy component").nullable(),
	congestion_usd_mwh: perMegawattHour(
		"Congestion component; added to the price, regardless of the published sign",
	).nullable(),
	loss_usd_mwh: perMegawattHour("Loss component").nullable(),
	min_lmp_usd_mwh: perMegawattHour(`Lowest hourly price of a day or month; null of ${ofMonths}`).nullable(),
	max_lmp_usd_mwh: perMegawattHour(`Highest hourly price of a day or month; null of ${ofMonths}`).nullable(),
	hours: count().meta({ description: "Hours in the average: a day has 23 to 25", "x-unit": "hours" }),
	complete: z.boolean().describe("Whether every hour of the interval is complete"),
	timezone: timezone(),
	source: z.string().describe("Feed that states it; several are joined with a comma"),
	published: day().nullable().describe("Day stated by the newest source file, or the last day of its data"),
});

/** The version changes as `projectSchemaVersion` does. */
export const priceTable = defineExportTable("prices", "1.0", price);
