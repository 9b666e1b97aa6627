/** Introduction for agents in the format of llmstxt.org: name, summary, links. */

import { queryLimits } from "#libs/contract/databases.ts";
import { about } from "#libs/contract/documents/about.ts";
import { type HttpOperation, usdOf } from "../registry/bindings.ts";
import { isRequired } from "../registry/json-schema.ts";
import { operationsByResource } from "./catalog.ts";
import { datasetNotes } from "./dataset-notes.ts";
import { guides } from "./guides.ts";
import { questions } from "./questions.ts";
import { notesOn, type Terms } from "./terms.ts";

/**
 * Sections contain nothing but links, one a line, because the format's parser reads no others. Text before the first section is free.
 * `sample`: a warning that the data is invented.
 */
export function llms(site: string, terms: Terms, sample?: string): string {
	const at = (path: string) => `${site}${path}`;
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
		["MCP server card", "/mcp/server-card", "how to connect over MCP"],
		["API catalog", "/.well-known/api-catalog", "the interfaces and their descriptions, as a linkset (RFC 9727)"],
	];
	return [
		`# ${about.name}`,
		"",
		`> ${about.description}`,
		"",
		...notes(at("/mcp"), terms, sample).flatMap((note) => [note, ""]),
		"## Questions and their calls",
		"",
		...questions().map(
			({ question, path, tool }) =>
				`- [${question}](${at(path)}): ${tool === undefined ? "a link" : `the tool ${tool}`}`,
		),
		"",
		"## Documents",
		"",
		...documents.map(([title, path, what]) => `- [${title}](${at(path)}): ${what}`),
		"",
		"## Guides",
		"",
		...guides.map(({ title, path, lead }) => `- [${title}](${at(path)}.md): ${lead}`),
		"",
		"## Datasets",
		"",
		...datasetNotes.map(
			({ title, rows, description, database }) => `- [${title}](${at(rows)}): ${description} Database ${database}.`,
		),
		"",
		...operationsByResource().flatMap(({ name, description, members }) => [
			`## ${name}: ${description}`,
			"",
			...members.map(
				(declared) =>
					`- [${declared.http.method} ${declared.http.path}](${at(addressFor(declared))}): ${declared.operation.summary} Price: ${usdOf(declared.http.price)}.`,
			),
			"",
		]),
	].join("\n");
}

const notes = (mcp: string, terms: Terms, sample: string | undefined): string[] => [
	...(sample === undefined ? [] : [`Sample data: ${sample}`]),
	...notesOn(terms),
	`MCP: ${mcp} (Streamable HTTP, stateless) offers the same questions as tools, named in /catalog, with the same keys, limits and prices.`,
	`SQL: POST /query runs one read-only SELECT over ${datasetDatabases()}; at most ${queryLimits.rows} rows and ${queryLimits.timeoutMs / 1_000} s.`,
	"Lists answer `{data, meta: {total, page, per_page, pages}}`; ask for pages with `page` and `per_page`, or read a whole list with `cursor=*` and then each `next_cursor`. `/changes?after=0`, then `after` each `next`, is the whole history of changes. Units are in field names (`_mw`, `_usd`) and in the reference. Times are UTC, null is unknown.",
	"An error is `{detail, code}` (and what RFC 9457 adds) with status 400, 402, 403, 404, 422, 429 or 503; a 422 names each parameter at fault.",
	"An endpoint below whose address cannot be followed as it is leads to its documentation.",
];

/** The endpoint, if a plain GET of its address works, else its documentation. */
function addressFor({ name, operation, http }: HttpOperation): string {
	const needsMore = http.needsKey || http.credential || Object.values(operation.params.shape).some(isRequired);
	return http.method === "GET" && !needsMore ? http.path : `/docs#${name}`;
}

const datasetDatabases = (): string => [...new Set(datasetNotes.map(({ database }) => database))].join(", ");
