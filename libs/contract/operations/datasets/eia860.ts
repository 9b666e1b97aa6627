/** Power plants and generators of form EIA-860. */
import { z } from "zod";
import { megawatts, named, page } from "../../envelopes.ts";
import { checkFormat, exportManifest, geoExportAnswer, geoFileParams, manifestOf } from "../../exports/files.ts";
import { queueIngestOperation } from "../../operation.ts";
import { choice, decimal, integer, listParams, refuse, sortParams, stateCode, words } from "../../params.ts";
import { generatorStages, technologies } from "../../vocabulary.ts";
import { near, requireLatAndLon } from "./place.ts";
import { plant, plantId, provenance } from "./plant.ts";

const year = () =>
	integer(2000, 2100)
		.optional()
		.describe("Data year; when absent, the newest that contains the given plant_id and technology");
const technology = () => words().optional();
const technologyMeans =
	"Standard technology or a common name of one (Storage, battery: Batteries, Flywheels, compressed air), or any part of EIA's word (combined cycle)";
const coverage = z
	.array(
		z.strictObject({
			year: z.int(),
			shown: z.boolean().describe("Whether the rows are of this year; all rows are of one year"),
			loaded: z.array(z.string()).describe("Schedules of form EIA-860 that are loaded"),
			missing: z.array(z.string()),
			generators: z
				.enum(["all", "partial", "none"])
				.describe(
					"partial: the full list of generators is missing, so only plants with wind, solar, storage or several fuels have generators here",
				),
		}),
	)
	.describe("Schedules used, by data year. If a schedule is missing, the absence of a row means nothing");

const plantFilters = {
	plant_id: integer(1).optional().describe("EIA's plant code"),
	year: year(),
	state: stateCode().optional().describe("State, two letters"),
	county: words().optional().describe("County, in any case"),
	q: words().optional().describe("Any part of the plant's name"),
	utility: words().optional().describe("Any part of the operator's name"),
	owner: words().optional().describe("Any part of the name of a stated owner"),
	balancing_authority: words(2, 10).optional().describe("Code of the balancing authority: CISO, ERCO, PJM"),
	nerc_region: words(2, 10).optional().describe("NERC region: WECC, TRE, RFC"),
	technology: technology().describe(`${technologyMeans}; of any of the plant's generators`),
	capacity_min: decimal(0, 100_000, "MW").optional().describe("Least operable_mw (MW)"),
	...near,
};

export const listPlants = queueIngestOperation({
	summary:
		"Power plants of form EIA-860 in one year, by default the newest: operator, location, grid connection and capacity.",
	params: listParams(
		{
			...plantFilters,
			...sortParams(["plant_id", "name", "operable_mw"], "asc"),
		},
		500,
	).superRefine(requireLatAndLon),
	reply: page(plant).extend({ coverage }),
	http: { method: "GET", path: "/grid/plants", price: "standard" },
	example: { state: "CA", technology: "Solar", sort: "operable_mw", order: "desc" },
});

export const exportPlants = queueIngestOperation({
	summary:
		"All power plants of form EIA-860 in one year that match the filters, in one file: CSV with a header row, Parquet, Arrow, NDJSON, Excel or GeoJSON.",
	params: z
		.strictObject({ ...plantFilters, ...geoFileParams(plant, ["plant_id"], "plant_id") })
		.superRefine(requireLatAndLon)
		.superRefine(checkFormat),
	http: { method: "GET", path: "/export/plants", price: "pro" },
	example: { state: "CA", technology: "Solar", limit: 10 },
	...geoExportAnswer,
});

export const getPlantsExportManifest = manifestOf(
	exportPlants,
	exportManifest,
	"Rows, bytes and hash of the current export of plants with the same parameters.",
);

const generator = named("Generator", {
	plant_id: plantId(),
	generator_id: z.string().describe("As filed: zeros and spaces are significant"),
	plant_name: z.string().nullable(),
	utility_id: z.int().nullable().describe("EIA utility number"),
	utility_name: z.string().nullable().describe("The operator"),
	state: z.string().nullable(),
	county: z.string().nullable(),
	stage: z.enum(generatorStages).describe("retired: retired, cancelled, or put off without a date"),
	status: z.string().nullable().describe("EIA's code: OP, SB, OS, OA; P, L, T, U, V, TS, OT; RE, CN, IP"),
	status_text: z.string().nullable().describe("Meaning of the code"),
	technology: z.string().nullable().describe("As EIA names it"),
	type_std: z
		.enum(technologies)
		.describe("Standard technology. Storage: batteries; Other Storage: flywheels, compressed air; Unknown: not filed"),
	prime_mover: z.string().nullable().describe("EIA's code: PV, WT, GT, ST, CA, CT, BA"),
	capacity_mw: megawatts("Nameplate, MW").nullable(),
	summer_mw: megawatts("Net capacity in summer, MW").nullable(),
	operating_year: z.int().nullable().describe("Planned year if the generator is proposed"),
	schedules: z.array(z.string()).describe("Schedules that list it; the values are of the first"),
	...provenance,
});

export const listGenerators = queueIngestOperation({
	summary: "Generators of form EIA-860 in one year, by default the newest, each once: stage, technology and capacity.",
	params: listParams(
		{
			plant_id: integer(1).optional().describe("EIA's plant code"),
			year: year(),
			state: stateCode().optional().describe("State, two letters"),
			utility: words().optional().describe("Any part of the operator's name"),
			technology: technology().describe(technologyMeans),
			stage: choice(generatorStages).optional().describe("Stage"),
			status: words(1, 10).optional().describe("EIA's code of the status: OP, V, RE"),
			operating_year_from: integer(1850, 2100).optional().describe("First year of operation, inclusive"),
			operating_year_to: integer(1850, 2100).optional().describe("Last year of operation, inclusive"),
			capacity_min: decimal(0, 100_000, "MW").optional().describe("Least nameplate capacity (MW)"),
			capacity_max: decimal(0, 100_000, "MW").optional().describe("Most nameplate capacity (MW)"),
			...sortParams(["plant_id", "capacity_mw", "operating_year"], "asc"),
		},
		500,
	).superRefine(refuseSwappedRange),
	reply: page(generator).extend({ coverage }),
	http: { method: "GET", path: "/grid/generators", price: "standard" },
	example: { state: "TX", technology: "Wind", sort: "capacity_mw", order: "desc" },
});

const ranges = [
	["operating_year_from", "operating_year_to"],
	["capacity_min", "capacity_max"],
] as const;

/** Refuses a range whose ends are swapped: the result would be empty without an explanation. */
function refuseSwappedRange(
	filters: Partial<Record<(typeof ranges)[number][number], number | undefined>>,
	context: z.RefinementCtx,
): void {
	for (const [least, most] of ranges)
		if ((filters[least] ?? Number.NEGATIVE_INFINITY) > (filters[most] ?? Number.POSITIVE_INFINITY))
			refuse(context, least, `is above ${most}`);
}
