/**
 * The tools that `tools/list` returns: those for common questions, with only the parameters that these questions need. A model reads the list
 * before every conversation, so it has to be short; `find_operations` describes every other operation and parameter.
 */

import type { Tool } from "@modelcontextprotocol/server";
import type { OperationName } from "#libs/contract/index.ts";
import type { JsonSchema } from "#libs/contract/schemas/json-schema.ts";
import { type BoundTool, toolName } from "./tools.ts";

const requests = [
	...(["region", "state", "county", "near", "radius_km", "fuel_type", "status"] as const),
	...(["capacity_min", "developer", "q"] as const),
] as const;
const page = ["page", "per_page"] as const;

export const listed: Partial<Record<OperationName, readonly string[]>> = {
	search: ["q"],
	listProjects: [...requests, "construction_stage", "min_score", "as_of", "sort", "order", "fields", ...page],
	getProject: ["project_id", "as_of", "fields"],
	groupProjects: ["by", ...requests, "as_of", ...page],
	getStats: ["as_of"],
	getOwnership: ["project_id"],
	getProjectHistory: ["project_id", ...page],
	getProjectProvenance: ["project_id", "field"],
	listChanges: ["since", "until", "change_type", ...requests, "fields", ...page],
	summariseChanges: ["region", "since_days"],
	compareDays: ["from", "to", "by", "region", "state", "fuel_type", ...page],
	searchDevelopers: ["q"],
	listDevelopers: ["q", "tier", "state", "min_projects", "sort", "order", ...page],
	getDeveloper: ["developer_id"],
	listDeveloperProjects: ["developer_id", "region", "state", "status", "sort", "order", ...page],
	getDeveloperCapital: ["developer_id"],
	getScore: ["project_id", "as_of"],
	listInvestable: ["region", "state", "technology", "capacity_min", "min_p", "max_months", "min_mw", ...page],
	listItcDeals: ["region", "state", "technology", "status", "min_rate", "sort", ...page],
	calculateTaxCredits: ["technology", "capacity_mw", "state", "county", "cod_year", "construction_start", "credit"],
	getProjectTaxCredit: ["project_id"],
	listEvents: ["developer", "event_type", "days", ...page],
	listCapitalRaises: ["developer", "issuer", "since", ...page],
	listMaEvents: ["developer", "region", "technology", "since", ...page],
	listMarketPrices: ["region", "hub", "market", "interval", "from", "to", ...page],
	listPlants: ["q", "state", "technology", "capacity_min", ...page],
	getSourceFreshness: [],
	describeDataset: ["dataset"],
	getQuerySchema: ["database"],
	runQuery: ["sql", "database"],
	exportProjects: [...requests, "as_of", "fields", "limit"],
};

/** Fields of a row in a concise result, unless `fields` chooses others. */
export const shortFields: Partial<Record<OperationName, readonly string[]>> = {
	listProjects: [
		"id",
		"name",
		"region",
		"state",
		"county",
		"type_std",
		"status_std",
		"capacity_mw",
		"queue_date",
		"cod",
		"developer_canonical",
		"investability_score",
	],
	listChanges: ["seq", "detected_at", "project_id", "region", "change_type", "field_name", "old_value", "new_value"],
};

/** A parameter with more values is listed without them. `find_operations` and the error for a wrong value name them all. */
const maxListedValues = 60;

export const shortTools = (tools: ReadonlyMap<string, BoundTool>): Tool[] =>
	(Object.keys(listed) as OperationName[]).flatMap((name) => shortTool(tools.get(toolName(name))) ?? []);

function shortTool(bound: BoundTool | undefined): Tool | undefined {
	if (bound === undefined) return undefined;
	const { tool, declared } = bound;
	const main = listed[declared.name] ?? [];
	const all = tool.inputSchema.properties as Record<string, JsonSchema>;
	const shown = main.filter((name) => name in all);
	const hidden = Object.keys(all).length - shown.length;
	const properties = Object.fromEntries(shown.map((name) => [name, shortSchema(all[name] ?? {})]));
	const hiddenNote =
		hidden === 0 ? "" : ` ${hidden} more ${hidden === 1 ? "parameter" : "parameters"}: see find_operations.`;
	return {
		name: tool.name,
		description: `${withShortPrice(tool.description ?? "")}${hiddenNote}`,
		inputSchema: {
			type: "object",
			properties: { ...properties, response_format: { type: "string", enum: ["concise", "detailed"] } },
			...(tool.inputSchema.required !== undefined && { required: tool.inputSchema.required }),
		} as Tool["inputSchema"],
		annotations: { readOnlyHint: true },
	};
}

/** Reduces a schema to type, values and description. */
function shortSchema(schema: JsonSchema): JsonSchema {
	const { type, enum: values, items, format, description } = schema;
	const typeOrItems = items === undefined ? { type: type ?? "string" } : { type: "array", items: shortItems(items) };
	return {
		...typeOrItems,
		...(values !== undefined && values.length <= maxListedValues && { enum: values }),
		...(format === "date" && { format }),
		...(description !== undefined && { description }),
	};
}

const shortItems = ({ type, enum: values }: JsonSchema): JsonSchema => ({
	type: type ?? "string",
	...(values !== undefined && values.length <= maxListedValues && { enum: values }),
});

/** Shortens the terms at the end of a description to the price, and leaves out the limit of `per_page`. */
function withShortPrice(text: string): string {
	const terms = /\([A-Z]+ \/[^)]*\)$/.exec(text)?.[0] ?? "";
	const sentences = text.slice(0, text.length - terms.length).replace(/ Up to \d+ rows a call, by per_page\./, "");
	const price = /; ([^)]*)\)$/.exec(terms)?.[1] ?? "";
	return price === "" || price === "free"
		? sentences.trim()
		: `${sentences.trim()} (${price.replace(/^\w+ price, /, "")})`;
}
