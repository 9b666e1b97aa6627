/** Where all of an answer is as a file: a link, in place of a megabyte of text that a model would read. */
import type { ResourceLink } from "@modelcontextprotocol/server";
import type { OperationName } from "#libs/contract/index.ts";
import type { BoundTool } from "../mcp-tools/tools.ts";
import { type HttpOperation, httpOperations } from "../registry/bindings.ts";
import { type Arguments, questionOf } from "./arguments.ts";
import type { CallerContext } from "./caller-context.ts";

/** Of a list, the export that has the same rows. */
const exports: Partial<Record<OperationName, OperationName>> = {
	listProjects: "exportProjects",
	listDevelopers: "exportDevelopers",
	listChanges: "exportChanges",
	listPlants: "exportPlants",
	listMarketPrices: "exportPrices",
};
/** Of a page, and of a table to read. */
const ofPages = new Set(["page", "per_page", "cursor", "sort", "order", "fields"]);

interface Linked {
	bound: BoundTool;
	given: Arguments;
	caller: CallerContext;
}

/** The file of the same filters; undefined where a list has none. */
export function fileLink({ bound, given, caller }: Linked): ResourceLink | undefined {
	const name = exports[bound.asked.name];
	const asked = httpOperations().find((each) => each.name === name);
	if (asked === undefined) return undefined;
	const filters = Object.entries(given).filter(([key]) => !ofPages.has(key) && key in asked.operation.params.shape);
	const { address } = questionOf(asked, Object.fromEntries(filters), caller.longestUrl);
	return linkTo(`${caller.baseUrl}${address}`, asked, asked.operation.mediaType ?? "");
}

export const linkTo = (uri: string, { operation, http }: HttpOperation, mediaType: string): ResourceLink => ({
	type: "resource_link",
	uri,
	name: http.path.slice(1),
	description: `${operation.summary} Over HTTP, with the same key or for a payment.`,
	mimeType: mediaType.split(";", 1)[0] ?? "",
});
