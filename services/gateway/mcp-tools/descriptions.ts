/** Descriptions of tools for agents: the registry's descriptions, with tool names instead of paths and without details that apply only to HTTP. */
import { queryLimits } from "#libs/contract/databases.ts";
import type { OperationName } from "#libs/contract/index.ts";
import { priceMicroUsd } from "#libs/contract/vocabulary.ts";
import { type HttpOperation, usdText } from "../registry/bindings.ts";
import type { JsonObject } from "../registry/json-schema.ts";
import { maxPartBytes } from "./forms.ts";

const mebibytes = (bytes: number): string => `${bytes / 1_048_576} MiB`;

const partNote = `A result has at most the first ${mebibytes(maxPartBytes)}, in whole lines; truncated says when there was more. `;
const beforeExport =
	"for the number of rows and bytes, and set limit or filters. The whole file, and Parquet, are over HTTP.";
const manifestSummary =
	"What an export with the same parameters holds now: rows, bytes and their hash, versions and columns. ";
const partOf = (tool: string) => `${tool} gives at most the first ${mebibytes(maxPartBytes)} of it.`;

/** Descriptions that replace the operation's summary, because the tool differs from HTTP or an agent should know its limits before a call. */
const ownDescriptions: Partial<Record<OperationName, string>> = {
	runQuery:
		"One read-only SELECT in DuckDB's SQL over nine databases, which it may join, answered as JSON: " +
		`at most ${queryLimits.rows} rows, ${mebibytes(queryLimits.bytes)} and ${queryLimits.timeoutMs / 1_000} s; meta.truncated says when there was more. ` +
		"Call get_query_schema first for the views, their columns and units; the view active_requests has the active requests.",
	getQuerySchema:
		"Every view and column that run_query can select, with types and units, and the limits of a statement. Name one database, because the description of all is long.",
	exportProjects:
		"Interconnection requests that match the filters, or with after_seq those that changed since, as CSV with a header row. " +
		`${partNote}Call get_export_manifest before it ${beforeExport}`,
	exportChanges:
		"What changed in the queues after a seq, oldest first, as CSV with a header row. Filters are of the requests as they are now. " +
		`${partNote}Call get_changes_export_manifest before it ${beforeExport}`,
	exportDevelopers:
		"Developers with their portfolios that the filters choose, as CSV with a header row. " +
		`${partNote}Call get_developers_export_manifest before it ${beforeExport}`,
	exportScores:
		"The score of every open request that the filters choose, with its components and its chance, as CSV with a header row. " +
		`${partNote}Call get_scores_export_manifest before it ${beforeExport}`,
	exportPlants:
		"Power plants of form EIA-860 that the filters choose, of one year, as CSV with a header row. " +
		`${partNote}Call get_plants_export_manifest before it ${beforeExport}`,
	exportPrices:
		"Wholesale power prices that the filters choose, oldest first, as CSV with a header row. " +
		`${partNote}Call get_prices_export_manifest before it ${beforeExport}`,
	getExportManifest: manifestSummary + partOf("export_projects"),
	getChangesExportManifest: manifestSummary + partOf("export_changes"),
	getDevelopersExportManifest: manifestSummary + partOf("export_developers"),
	getScoresExportManifest: manifestSummary + partOf("export_scores"),
	getPlantsExportManifest: manifestSummary + partOf("export_plants"),
	getPricesExportManifest: manifestSummary + partOf("export_prices"),
	getCredits: "The balance of the credit token that this connection sends as the header X-Credit-Token.",
	getHealth: "Whether the databases contain the required numbers of rows; an error with status 503 if not.",
};

const textFormatOnly = { format: "A result is text; the other formats are over HTTP" };
const fileFormat = { format: "Format of the described file; csv when absent" };

const ownParameters: Partial<Record<OperationName, Record<string, string>>> = {
	exportProjects: textFormatOnly,
	exportChanges: textFormatOnly,
	exportDevelopers: textFormatOnly,
	exportScores: textFormatOnly,
	exportPlants: textFormatOnly,
	exportPrices: textFormatOnly,
	getExportManifest: fileFormat,
	getChangesExportManifest: fileFormat,
	getDevelopersExportManifest: fileFormat,
	getScoresExportManifest: fileFormat,
	getPlantsExportManifest: fileFormat,
	getPricesExportManifest: fileFormat,
	runSavedQuery: { format: "json when absent; Parquet is over HTTP" },
};

/** The description of a tool. `names`: tool names by HTTP path. `perPage`: maximum rows of a page, if the response has pages. */
export function describe(declared: HttpOperation, names: ReadonlyMap<string, string>, perPage: unknown): string {
	const { name, operation } = declared;
	const sentence = ownDescriptions[name] ?? replacePaths(operation.summary, names);
	const limit = perPage === undefined ? "" : ` Up to ${perPage} rows a call, by per_page.`;
	return `${sentence}${limit} (${termsOf(declared)})`;
}

export const ownParameter = (operation: OperationName, parameter: string): string | undefined =>
	ownParameters[operation]?.[parameter];

function termsOf({ http }: HttpOperation): string {
	const price = http.price === "free" ? "free" : `${http.price} price, $${usdText(priceMicroUsd[http.price])}`;
	return `${http.method} ${http.path}; ${price}${http.needsKey ? "; needs a key" : ""}`;
}

/** Matches an HTTP path, with or without its method, but not the slash in `MW/year`. */
const path = /(?<![\w/}])(?:(?:GET|POST) )?(\/[a-z][\w/{}-]*)/g;

const replacePaths = (text: string, names: ReadonlyMap<string, string>): string =>
	text.replace(path, (whole, at: string) => names.get(at) ?? whole).replace(/\b(\w+) \(\1\)/g, "$1");

export function nameTools(schema: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
	return JSON.parse(JSON.stringify(schema), (key, value) =>
		key === "description" && typeof value === "string" ? replacePaths(value, names) : value,
	);
}
