/** Wholesale power prices by hub: hours, daily and monthly averages. */
import { z } from "zod";
import { count, day, named, pageMeta, quantity, timestamp } from "../envelopes.ts";
import { operation } from "../operation.ts";
import { choice, isoDate, listParams, words } from "../params.ts";
import { hubTypes, markets, monthlyPriced, priceIntervals, regions } from "../vocabulary.ts";
import { region } from "./project.ts";

const hub = () => words().optional().describe("The hub's id, or any part of its name, in any case");
const market = () => choice(markets).optional().describe("Market");
const operator = {
	region: region().optional().describe("Grid operator"),
	iso: region().optional().meta({ description: "The same as region, which is the name to use", deprecated: true }),
};
type Operator = { region?: string | undefined; iso?: string | undefined };

function oneOperator({ region, iso }: Operator, context: z.RefinementCtx): void {
	if (region !== undefined && iso !== undefined && region !== iso)
		context.addIssue({ code: "custom", path: ["iso"], message: `contradicts region (${iso}, ${region})` });
}
const ofMonths = monthlyPriced.join(", ");
const perMegawattHour = (description: string) => quantity("USD/MWh", description);

const identity = {
	iso: z.enum(regions),
	hub: z.string().meta({ description: "Name as the operator publishes it" }),
	hub_id: z.string().meta({ description: "The operator's number of it; unique within the operator" }),
	hub_type: z.enum(hubTypes).meta({ description: "An interface is a border with another grid; a node a single point" }),
};
const timezone = () => z.string().meta({ description: "Of the operator's days and hours" });

const price = named("MarketPrice", {
	...identity,
	market: z.enum(markets),
	interval: z.enum(priceIntervals),
	starts_at: timestamp().meta({ description: "Beginning of the interval, UTC" }),
	local_date: day().meta({ description: "Its day in the operator's time zone; of a month the first" }),
	hour_ending: z
		.string()
		.regex(/^(0[1-9]|1\d|2[0-4])X?$/)
		.nullable()
		.meta({
			description: "Hour of the local day by its end, 01 to 24; 02X is repeated in autumn. Null but for an hour",
		}),
	lmp_usd_mwh: perMegawattHour(
		"Locational marginal price: energy + congestion + loss. Averages are simple, over hours",
	),
	energy_usd_mwh: perMegawattHour("Energy component").nullable(),
	congestion_usd_mwh: perMegawattHour("Congestion component; adds to the price, whatever sign is published").nullable(),
	loss_usd_mwh: perMegawattHour("Loss component").nullable(),
	min_lmp_usd_mwh: perMegawattHour(`Lowest hourly price of a day or month; null of ${ofMonths}`).nullable(),
	max_lmp_usd_mwh: perMegawattHour(`Highest hourly price of a day or month; null of ${ofMonths}`).nullable(),
	hours: count().meta({ description: "Hours that the average is over: a day has 23 to 25", "x-unit": "hours" }),
	complete: z.boolean().meta({ description: "Every hour of the interval is there, with all its minutes" }),
	timezone: timezone(),
	source: z.string().meta({ description: "Feed that states it; several are joined with a comma" }),
	published: day().nullable().meta({ description: "Day that the newest file behind it states, or its data end on" }),
});

const priceFilters = {
	...operator,
	hub: hub(),
	market: market(),
	interval: choice(priceIntervals)
		.default("hour")
		.describe(`Hours as published, or averages; of ${ofMonths} month alone`),
	from: isoDate()
		.optional()
		.describe("First day, in the operator's time zone; of months those that have a day in the range"),
	to: isoDate().optional().describe("Last day, inclusive"),
	sort: choice(["newest", "oldest"]).default("newest").describe("Order in time"),
};

export const listMarketPrices = operation({
	owner: "queue-ingest",
	summary: "Wholesale power prices by hub: hours, or daily and monthly averages.",
	params: listParams(priceFilters, 500)
		.superRefine(oneOperator)
		.superRefine(({ region, iso, interval, from, to }, context) => {
			const of = region ?? iso;
			if (of !== undefined && interval !== "month" && monthlyPriced.includes(of))
				context.addIssue({
					code: "custom",
					path: ["interval"],
					message: `must be month: ${of}'s licence allows monthly averages only`,
				});
			if (from !== undefined && to !== undefined && from > to)
				context.addIssue({ code: "custom", path: ["to"], message: "must not be before from" });
		}),
	reply: z.strictObject({
		data: z.array(price),
		meta: z.strictObject({
			...pageMeta,
			withheld: z
				.array(z.strictObject({ iso: z.enum(regions), reason: z.string() }))
				.meta({ description: "Operators of which rows that fit are loaded but may not be shown" }),
		}),
	}),
	http: { method: "GET", path: "/market/prices", price: "standard" },
	example: { region: "ISO-NE", hub: "INTERNAL_HUB", market: "day_ahead", interval: "day" },
});

export const listMarketHubs = operation({
	owner: "queue-ingest",
	summary: "Hubs, zones and interfaces with prices, what is loaded of each, and operators without any.",
	params: listParams(
		{
			...operator,
			hub: hub(),
			hub_type: choice(hubTypes).optional().describe("Kind of place"),
			market: market(),
		},
		500,
	).superRefine(oneOperator),
	reply: z.strictObject({
		data: z.array(
			z.strictObject({
				...identity,
				timezone: timezone(),
				finest_interval: z.enum(["hour", "month"]).meta({ description: "Shortest interval that may be shown" }),
				markets: z.array(
					z.strictObject({
						market: z.enum(markets),
						first_hour_at: timestamp().meta({ description: "Beginning of the first hour loaded, UTC" }),
						last_hour_at: timestamp().meta({ description: "Beginning of the last hour loaded, UTC" }),
						hours: count().meta({ description: "Hours loaded", "x-unit": "hours" }),
						months: count().meta({ description: "Monthly averages that can be had" }),
						latest_date: day().meta({ description: "Newest local day" }),
						latest_daily_lmp_usd_mwh: perMegawattHour("Average of that day; null where it may not be shown").nullable(),
						source: z.string().meta({ description: "Feed; several are joined with a comma" }),
					}),
				),
			}),
		),
		meta: z.strictObject({
			...pageMeta,
			operators_without_prices: z.array(z.enum(regions)).meta({ description: "Nothing of theirs is loaded" }),
		}),
	}),
	http: { method: "GET", path: "/market/hubs", price: "free" },
	example: { region: "NYISO" },
});
