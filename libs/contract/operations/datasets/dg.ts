/** Distributed generation: installations, and reports of utilities and areas. */
import { z } from "zod";
import { count, day, megawatts, named, page, quantity } from "../../envelopes.ts";
import { queueIngestOperation } from "../../operation.ts";
import { choice, decimal, flag, integer, listParams, sortParams, stateCode, words } from "../../params.ts";
import { technology } from "../../technology.ts";
import { dgAreaTypes, dgKinds, dgPrograms, dgSectors, dgSources, technologies } from "../../vocabulary.ts";

const source = () => choice(dgSources);
const year = () => integer(1950, 2100).optional();

const record = named("DistributedGeneration", {
	id: z.string().describe("Stable id of the fact across files; the id of an installation is a project id"),
	kind: z.enum(dgKinds).describe("installation; utility_total, of a state; area_total"),
	source: z.enum(dgSources).describe("Source of the count. Sources overlap: never add them up"),
	edition: z.string().describe("A year, or current for a list that is published whole"),
	published_on: day().nullable().describe("Day that the file states, or on which it was saved"),
	program: z
		.enum(dgPrograms)
		.nullable()
		.describe("Capacity under virtual net metering is counted separately; null if the source does not state it"),
	state: z.string().nullable(),
	county: z.string().nullable(),
	fips: z.string().nullable().describe("County FIPS code, five digits"),
	area: z.string().nullable().describe("Name of the area as filed"),
	area_type: z.enum(dgAreaTypes).nullable().describe("Kind of area"),
	city: z.string().nullable(),
	zone: z.string().nullable().describe("Load zone of the grid operator, as filed"),
	utility_id: z.int().nullable().describe("EIA's number; 99999 is an adjustment by the EIA"),
	utility: z.string().nullable(),
	balancing_authority: z.string().nullable(),
	name: z.string().nullable().describe("Name of an installation"),
	developer: z.string().nullable().describe("Developer of an installation, as filed"),
	technology: z
		.enum(technologies)
		.or(z.string())
		.nullable()
		.describe("Unknown: an engine or turbine whose fuel is not published; null: all technologies together"),
	technology_filed: z.string().nullable().describe("Technology as reported"),
	sector: z.enum(dgSectors).nullable(),
	capacity_mw: megawatts("Generating or discharge capacity, MW; below zero in adjustments").nullable(),
	capacity_kw: quantity("kW", "The same capacity, if the source counts kilowatts").nullable(),
	capacity_basis: z
		.enum(["AC", "DC"])
		.nullable()
		.describe("How the utility reports photovoltaic capacity; adjustments subtract the loss of the conversion to AC"),
	storage_mwh: quantity("MWh", "Energy that an installation can store, MWh").nullable(),
	customers: count().nullable().describe("Number of customers"),
	facilities: count().nullable(),
	generators: count().nullable(),
	energy_sold_back_mwh: quantity("MWh", "Sold back to the utility in the year, MWh").nullable(),
	backup_mw: megawatts("Generators of the utility for backup only, MW").nullable(),
	utility_owned_mw: megawatts("Generators owned by the utility, MW").nullable(),
	adjustment: z.boolean().describe("A correction by the publisher, needed for totals; not a report by a utility"),
	in_totals: z
		.boolean()
		.describe("False if other records of the source cover the same installations: leave it out of sums"),
	year: z
		.int()
		.nullable()
		.describe(
			"Year at whose end the figure holds (EIA), in which it was added (Ohio), or in which operation began (installations)",
		),
	in_service_on: day().nullable().describe("Day on which an installation began to operate, or of its first report"),
});

export const listDg = queueIngestOperation({
	summary: "Distributed generation: installations, and totals of utilities and areas, filtered, a page at a time.",
	params: listParams(
		{
			source: source().optional().describe("Source of the count; the sources overlap"),
			kind: choice(dgKinds).optional().describe("Kind of record"),
			state: stateCode().optional().describe("State or territory, two letters"),
			technology: technology().optional().describe("Standard technology, or a common name of one"),
			sector: choice(dgSectors).optional().describe("Kind of customer"),
			program: choice(dgPrograms).optional().describe("Net metering, virtual net metering or neither"),
			utility: words().optional().describe("Any part of the utility's name, in any case"),
			area_type: choice(dgAreaTypes).optional().describe("Kind of area; counties add up to their region"),
			year: year().describe("Year of the record"),
			capacity_min: decimal(0, 1_000_000, "MW").optional().describe("Least capacity, MW"),
			in_totals: flag()
				.optional()
				.describe(
					"true: records that make up the totals of their source; false: records whose installations are also in others",
				),
			...sortParams(["id", "capacity_mw", "year", "state"], "asc"),
		},
		500,
	),
	reply: page(record),
	http: { method: "GET", path: "/dg", price: "standard" },
	example: { state: "CA", technology: "Solar", sector: "residential", per_page: 5 },
});

const figures = {
	records: count(),
	capacity_mw: megawatts("Generating capacity, MW, adjustments among it"),
	storage_mw: megawatts("Discharge capacity of storage, MW; a hybrid plant's is not reported separately"),
	customers: count().describe(
		"Customers; one who also has storage is counted once in totals, and under both technologies",
	),
	facilities: count(),
	generators: count(),
};

export const getDgStats = queueIngestOperation({
	summary:
		"Distributed generation of one source by state, technology, sector and year; sources overlap and are never added up.",
	params: z.strictObject({
		source: source()
			.default("eia861-net-metering")
			.describe("Source of the count; net metering covers the whole country"),
		year: year().describe("A year; when absent the newest edition"),
	}),
	reply: z.strictObject({
		data: z.strictObject({
			source: z.enum(dgSources),
			title: z.string(),
			edition: z.string().nullable().describe("Null if nothing of it is loaded"),
			published_on: day().nullable(),
			unit: z.literal("MW"),
			counts: z
				.enum(["existing", "added"])
				.describe("Whether the figures of a year are all at its end, or those added in it"),
			...figures,
			by_state: z.array(z.strictObject({ state: z.string().nullable(), ...figures })).describe("By state"),
			by_technology: z.array(z.strictObject({ technology: z.string().nullable(), ...figures })),
			by_sector: z.array(z.strictObject({ sector: z.enum(dgSectors).nullable(), ...figures })).describe("By sector"),
			by_program: z.array(z.strictObject({ program: z.enum(dgPrograms).nullable(), ...figures })),
			by_year: z
				.array(z.strictObject({ year: z.int().nullable(), ...figures }))
				.describe("Every year that is loaded, regardless of the parameter `year`"),
		}),
	}),
	http: { method: "GET", path: "/dg/stats", price: "free" },
	example: { source: "eia861-net-metering" },
});
