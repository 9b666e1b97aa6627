/** Wholesale power prices by hub: hours, daily and monthly averages. */
import { z } from "zod";
import { count, coverage, day, pageMeta, timestamp } from "../../envelopes.ts";
import { checkFormat, exportAnswer, exportManifest, fileParams, manifestOf } from "../../exports/files.ts";
import { queueIngestOperation } from "../../operation.ts";
import { choice, isoDate, listParams, refuse, words } from "../../params.ts";
import { hubTypes, markets, monthlyPriced, priceIntervals, regions } from "../../vocabulary.ts";
import { region } from "../projects/project.ts";
import { identity, ofMonths, perMegawattHour, price, timezone } from "./price.ts";

const hub = () => words().optional().describe("The hub's id, or any part of its name, in any case");
const market = () => choice(markets).optional().describe("Market");
const operator = {
	region: region().optional().describe("Grid operator"),
	iso: region().optional().meta({ description: "Deprecated name of region", deprecated: true }),
};
type Operator = { region?: (typeof regions)[number] | undefined; iso?: (typeof regions)[number] | undefined };

function checkOperator({ region, iso }: Operator, context: z.RefinementCtx): void {
	if (region !== undefined && iso !== undefined && region !== iso)
		refuse(context, "iso", `contradicts region (${iso}, ${region})`);
}
const priceFilters = {
	...operator,
	hub: hub(),
	market: market(),
	interval: choice(priceIntervals)
		.default("hour")
		.describe(`Hours as published, or averages; only months for ${ofMonths}`),
	from: isoDate()
		.optional()
		.describe("First day, in the operator's time zone; includes months with a day in the range"),
	to: isoDate().optional().describe("Last day, inclusive"),
};

type PriceFilters = z.output<z.ZodObject<typeof priceFilters>>;

function checkPriceFilters({ region, iso, interval, from, to }: PriceFilters, context: z.RefinementCtx): void {
	checkOperator({ region, iso }, context);
	const of = region ?? iso;
	if (of !== undefined && interval !== "month" && monthlyPriced.includes(of))
		refuse(context, "interval", `must be month: ${of}'s license allows monthly averages only`);
	if (from !== undefined && to !== undefined && from > to) refuse(context, "to", "must not be before from");
}

export const listMarketPrices = queueIngestOperation({
	summary: "Wholesale power prices by hub: hours, or daily and monthly averages.",
	params: listParams(
		{ ...priceFilters, sort: choice(["newest", "oldest"]).default("newest").describe("Order in time") },
		500,
	).superRefine(checkPriceFilters),
	reply: z.strictObject({
		data: z.array(price),
		meta: z.strictObject({
			...pageMeta,
			coverage: coverage("operator"),
			withheld: z
				.array(z.strictObject({ iso: z.enum(regions), reason: z.string() }))
				.describe("Operators with matching rows that are loaded but may not be shown"),
		}),
	}),
	http: { method: "GET", path: "/market/prices", price: "standard" },
	example: { region: "ISO-NE", hub: "INTERNAL_HUB", market: "day_ahead", interval: "day" },
});

export const exportPrices = queueIngestOperation({
	summary:
		"All wholesale power prices that match the filters, oldest first, in one file: CSV with a header row, Parquet, Arrow, NDJSON or Excel. Prices that a license withholds are left out.",
	params: z
		.strictObject({
			...priceFilters,
			...fileParams(price, ["iso", "hub_id", "market", "starts_at"], "starts_at, then iso, hub_id and market"),
		})
		.superRefine(checkPriceFilters)
		.superRefine(checkFormat),
	http: { method: "GET", path: "/export/prices", price: "pro" },
	example: { region: "ISO-NE", interval: "day", limit: 10 },
	...exportAnswer,
});

export const getPricesExportManifest = manifestOf(
	exportPrices,
	exportManifest,
	"Rows, bytes and hash of the current export of prices with the same parameters.",
);

export const listMarketHubs = queueIngestOperation({
	summary: "Hubs, zones and interfaces with prices, the loaded data of each, and operators without prices.",
	params: listParams(
		{
			...operator,
			hub: hub(),
			hub_type: choice(hubTypes).optional().describe("Kind of place"),
			market: market(),
		},
		500,
	).superRefine(checkOperator),
	reply: z.strictObject({
		data: z.array(
			z.strictObject({
				...identity,
				timezone: timezone(),
				finest_interval: z.enum(["hour", "month"]).describe("Shortest interval that may be shown"),
				markets: z.array(
					z.strictObject({
						market: z.enum(markets),
						first_hour_at: timestamp().describe("Beginning of the first hour loaded, UTC"),
						last_hour_at: timestamp().describe("Beginning of the last hour loaded, UTC"),
						hours: count().meta({ description: "Hours loaded", "x-unit": "hours" }),
						months: count().describe("Number of monthly averages"),
						latest_date: day().describe("Newest local day"),
						latest_daily_lmp_usd_mwh: perMegawattHour("Average of that day; null if it may not be shown").nullable(),
						source: z.string().describe("Feed; several are joined with a comma"),
					}),
				),
			}),
		),
		meta: z.strictObject({
			...pageMeta,
			operators_without_prices: z.array(z.enum(regions)).describe("Operators of which nothing is loaded"),
		}),
	}),
	http: { method: "GET", path: "/market/hubs", price: "free" },
	example: { region: "NYISO" },
});
