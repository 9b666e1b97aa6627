/** The parts of `/coverage` that each owner supplies. */
import { z } from "zod";
import { databases } from "../databases.ts";
import { count, day, named, quantity, share, timestamp } from "../envelopes.ts";
import { dgKinds, freshness, markets, projectRegions, regions } from "../vocabulary.ts";

const countsByName = () => z.record(z.string(), count());
const states = () => z.array(z.string()).describe("Two-letter codes");

/** The part of a dataset from one source. */
const sourceSpan = named("SourceSpan", {
	source: z.string(),
	records: count(),
	states: states(),
	first: z.string().nullable().describe("Earliest year or day that rows are of"),
	last: z.string().nullable(),
	editions: z.array(z.string()).describe("The newest twenty that are loaded"),
});

const market = named("MarketCoverage", {
	iso: z.string(),
	market: z.enum(markets),
	finest_interval: z.enum(["hour", "month"]).describe("Shortest interval that the license lets us show"),
	hubs: count().describe("Hubs only; zones, interfaces and nodes are counted separately"),
	zones: count().describe("Number of zones"),
	interfaces: count().describe("Borders with other grids"),
	nodes: count().describe("Number of nodes"),
	days: count().describe("Local days of which an hour or more is loaded"),
	hours: count().describe("Hours of all these places together"),
	first: timestamp().nullable(),
	last: timestamp().nullable(),
});

/** Maximum days with lists of an operator in `/coverage`: more than a year of daily lists. */
export const maxListDays = 500;

/** The databases of an owner that contain the bundled sample. */
export const sampled = {
	sample_databases: z
		.array(z.enum(databases))
		.describe(
			"Databases that contain the bundled sample, which is invented and was not published by the sources in its rows",
		),
} as const;

export const queueCoverage = {
	queues: z.array(
		z.strictObject({
			region: z.enum(regions),
			loaded: z.boolean(),
			requests: count().describe("Generation requests"),
			by_status: countsByName(),
			by_kind: countsByName().describe("All rows, of every kind"),
			states: states(),
			filled: z.record(z.string(), share()).describe("Share of the generation requests that state each field"),
			lists: z.array(
				z.strictObject({
					source: z.string(),
					published_on: day().nullable().describe("Day that the newest list states of itself"),
					as_of: timestamp().nullable().describe("When the newest list that was accepted was fetched"),
					requests: count(),
				}),
			),
			list_days: z
				.array(day())
				.describe(
					`Days (UTC) of its newest ${maxListDays} accepted lists, oldest first: between two of them, responses with as_of do not change`,
				),
		}),
	),
	entities: z
		.array(
			z.strictObject({
				region: z.enum(projectRegions),
				entity: z.string().describe("Operator or utility"),
				requests: count(),
				active_gw: quantity("GW", "As in /stats; for a utility, its listed active requests"),
				outcomes: count().describe("Requests that were withdrawn or operate"),
				newest_day: day().nullable().describe("Of its newest list"),
			}),
		)
		.describe("By operator; requests of kind utility, by utility"),
	changes: z.strictObject({
		records: count(),
		first: timestamp().nullable(),
		last: timestamp().nullable(),
	}),
	developers: z.strictObject({
		developers: count(),
		curated: count().describe("Known by the register, not only by a queue"),
		requests_with_developer: share().describe("Share of generation requests that state a name"),
	}),
	eia860: z.array(
		z.strictObject({
			year: z.int(),
			loaded: z.array(z.string()),
			missing: z.array(z.string()).describe("Schedules of that year that are not loaded"),
			plants: count().describe("Number of plants"),
			generators: count().describe("Distinct, over the schedules that are loaded"),
			early_release: z.boolean(),
		}),
	),
	dg: z.array(sourceSpan.extend({ kind: z.enum(dgKinds).describe("Kind of its rows") })),
	datacenters: z.array(sourceSpan),
	load_requests: z.array(
		z.strictObject({
			region: z.enum(projectRegions),
			requests: count().describe("Load rows; 0: none published or loaded"),
		}),
	),
	market: z.array(market),
} as const;

const span = z.strictObject({
	records: count(),
	matched: count().describe("Records matched to a known developer"),
	first: z.string().nullable(),
	last: z.string().nullable(),
	by_type: countsByName(),
});

export const signalCoverage = {
	news: span,
	capital_raises: span,
	material_events: span,
	ma_events: span,
} as const;

/** Reference lists, as in /source-freshness and /health/freshness. */
export const scoringCoverage = {
	scoring: z.array(
		z.strictObject({
			source: z.string().describe("Reference list behind tax credits and scores"),
			records: count(),
			last_checked: timestamp().nullable(),
			last_changed: timestamp().nullable(),
			freshness: z.enum(freshness).nullable().describe("Freshness"),
		}),
	),
} as const;
