/** Orientation for agents, in the shape of llmstxt.org: a name, what it is, and where to read on. */

import { about } from "#libs/contract/about.ts";
import { queryLimits } from "#libs/contract/databases.ts";
import { usdOf } from "../registry/money.ts";
import { operationsByResource } from "./catalog.ts";
import { datasetNotes } from "./dataset-notes.ts";
import { notesOn, type Terms } from "./terms.ts";

/** `publicUrl` is empty where it is not configured: links are then relative to this file. `sample`: what is to be said of invented data. */
export function llms(publicUrl: string, terms: Terms, sample?: string): string {
	const at = (path: string) => `${publicUrl}${path}`;
	const documents: [title: string, path: string, what: string][] = [
		[
			"Full reference",
			"/llms-full.txt",
			"every parameter and field with its unit, limits, errors, and an answer of each endpoint as of now",
		],
		["OpenAPI 3.1", "/openapi.json", "the same for programs"],
		[
			"AsyncAPI 3.0",
			"/asyncapi.json",
			"events to subscribe to instead of asking again: channels, messages, how to connect",
		],
		["Events", "/docs/events", "the same for people"],
		["Catalog", "/catalog", "endpoints by resource with parameters and prices, as JSON"],
		["Datasets", "/catalog/data", "sources, licences, attribution, counts and freshness, as JSON"],
		[
			"Coverage",
			"/coverage",
			"what is loaded and what is missing: read it before concluding that something does not exist",
		],
		["SQL schema", "/query/schema", "views and columns with units for POST /query"],
		["Prices", "/pricing-info", "what a call costs without a key, and the ways to pay"],
		["Plans", "/plans", "what a key allows"],
		["Docs", "/docs", "the interface to try in a browser"],
	];
	return [
		`# ${about.name}`,
		"",
		`> ${about.description}`,
		"",
		...(sample === undefined ? [] : [`- Sample data: ${sample}`]),
		...notesOn(terms).map((note) => `- ${note}`),
		`- MCP: ${at("/mcp")} (Streamable HTTP, stateless) offers the same questions as tools, named in /catalog, with the same keys, limits and prices.`,
		`- SQL: POST /query runs one read-only SELECT over ${datasetDatabases()}; at most ${queryLimits.rows} rows and ${queryLimits.timeoutMs / 1_000} s.`,
		"- Lists answer `{data, meta: {total, page, per_page, pages}}`; ask for pages with `page` and `per_page`, or read a whole list with `cursor=*` and then each `next_cursor`. `/changes?after=0`, then `after` each `next`, is the whole history of changes. Units are in field names (`_mw`, `_usd`) and in the reference. Times are UTC, null is unknown.",
		"- An error is `{detail, code}` (and what RFC 9457 adds) with status 400, 402, 403, 404, 422, 429 or 503; a 422 names each parameter at fault.",
		"",
		"## Documents",
		"",
		...documents.map(([title, path, what]) => `- [${title}](${at(path)}): ${what}`),
		"",
		"## Datasets",
		"",
		...datasetNotes.map(({ name, description, database }) => `- ${name} (database ${database}): ${description}`),
		"",
		"## Endpoints",
		"",
		...operationsByResource().flatMap(({ name, description, members }) => [
			`### ${name}: ${description}`,
			"",
			...members.map(
				({ operation, http }) =>
					`- ${linked(http.method, http.path, at(http.path))} (${usdOf(http.price)}): ${operation.summary}`,
			),
			"",
		]),
	].join("\n");
}

/** Only what can be followed as it is. */
const linked = (method: string, path: string, address: string): string =>
	method === "GET" && !path.includes("{") ? `[GET ${path}](${address})` : `${method} ${path}`;

const datasetDatabases = (): string => [...new Set(datasetNotes.map(({ database }) => database))].join(", ");
