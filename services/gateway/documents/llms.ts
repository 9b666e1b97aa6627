/** Introduction for agents in the format of llmstxt.org: name, summary, links. */
import { queryLimits } from "#libs/contract/databases.ts";
import { about } from "#libs/contract/documents/about.ts";
import type { OperationName, ParamsInput } from "#libs/contract/index.ts";
import { type HttpOperation, httpOperations, usdOf } from "../registry/bindings.ts";
import { isRequired } from "../registry/json-schema.ts";
import { type CallParams, callUrl } from "./calls.ts";
import { operationsByResource, toolNames } from "./catalog.ts";
import { datasetNotes } from "./dataset-notes.ts";
import { guides } from "./guides.ts";
import { notesOn, type Terms } from "./terms.ts";

/**
 * Sections contain only links, one on each line, because parsers of the format read nothing else. Text before the first section is free-form.
 * `sample`: a warning that the data is invented.
 */
export function llms(site: string, terms: Terms, sample?: string): string {
	const at = (path: string) => `${site}${path}`;
	const documents: [title: string, path: string, what: string][] = [
		[
			"Full reference",
			"/llms-full.txt",
			"every parameter and field with its unit, limits, errors, and a current response of each endpoint",
		],
		["OpenAPI 3.1", "/openapi.json", "the same for programs"],
		["AsyncAPI 3.0", "/asyncapi.json", "events to subscribe to instead of polling: channels, messages, how to connect"],
		["Events", "/docs/events", "the same for people"],
		["Catalog", "/catalog", "endpoints by resource with parameters and prices, as JSON"],
		["Datasets", "/catalog/data", "sources, licenses, attribution, counts and freshness, as JSON"],
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
	"Lists return `{data, meta: {total, page, per_page, pages}}`; request pages with `page` and `per_page`, or read a whole list with `cursor=*` and then each `next_cursor`. `/changes?after=0`, then `after` each `next`, is the whole history of changes. Units are in field names (`_mw`, `_usd`) and in the reference. Times are UTC, null is unknown.",
	"An error is `{detail, code}` (and the fields of RFC 9457) with status 400, 402, 403, 404, 422, 429 or 503; a 422 names each invalid parameter.",
	"The link of an endpoint below leads to its documentation if a plain GET is not enough to call it.",
];

/** The path of the endpoint if a plain GET is enough to call it, else that of its documentation. */
function addressFor({ name, operation, http }: HttpOperation): string {
	const needsMore = http.needsKey || http.credential || Object.values(operation.params.shape).some(isRequired);
	return http.method === "GET" && !needsMore ? http.path : `/docs#${name}`;
}

const datasetDatabases = (): string => [...new Set(datasetNotes.map(({ database }) => database))].join(", ");

interface Question {
	question: string;
	path: string;
	tool: string | undefined;
}

/** Ten typical questions of users, with the calls that answer them. */
function questions(): Question[] {
	const declared = new Map(httpOperations().map((each) => [each.name, each]));
	const tools = toolNames();
	const ask = <N extends OperationName>(question: string, name: N, params: ParamsInput<N>): Question => {
		const http = declared.get(name)?.http;
		if (http === undefined) throw new Error(`${name} has no address`);
		return { question, path: callUrl(http, params as CallParams), tool: tools.get(name) };
	};
	return [
		ask("Which active solar requests in Texas are the largest?", "listProjects", {
			...{ state: "TX", fuel_type: "Solar", active: "true" },
			...{ sort: "capacity_mw", order: "desc", per_page: 20 },
		}),
		ask("How many requests and MW are active in each state?", "groupProjects", { by: "state", active: "true" }),
		ask("What changed in MISO in the last week?", "listChanges", { region: "MISO", since_days: 7 }),
		ask("Which requests can a lender look at, and how likely is each to operate?", "listInvestable", { per_page: 20 }),
		ask("Which developers have the most active capacity?", "listDevelopers", { sort: "active_capacity_mw" }),
		ask("How many requests and MW are at a substation?", "listPois", { q: "windhub" }),
		ask("Which request does a queue number or a name mean?", "resolve", { q: "ERCOT-23INR0907" }),
		ask("Which tax credit can a plant claim, by which law?", "calculateTaxCredits", {
			...{ technology: "Solar", capacity_mw: 100, state: "TX", county: "Reeves", cod_year: 2027 },
		}),
		ask("Which data centers are planned in New York?", "listDatacenterPipeline", { state: "NY" }),
		ask("Any other question: one SELECT, here the withdrawals of each quarter", "getQuery", {
			sql: "select region, date_trunc('quarter', withdrawn_date) as quarter, count(*) as requests, sum(capacity_mw) as mw from projects where withdrawn_date is not null group by all order by quarter desc",
		}),
	];
}
