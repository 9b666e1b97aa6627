/** The whole reference as Markdown, for agents: derived from the registry, with a current response to each example. */

import { databases, queryLimits } from "#libs/contract/databases.ts";
import { about } from "#libs/contract/documents/about.ts";
import { programOf } from "#libs/contract/documents/programs.ts";
import { type ErrorCode, errorCodes } from "#libs/contract/error-codes.ts";
import type { Reply } from "#libs/contract/index.ts";
import { project } from "#libs/contract/records/project.ts";
import {
	constructionStages,
	developerTiers,
	projectRegions,
	regions,
	statuses,
	technologies,
} from "#libs/contract/vocabulary.ts";
import type { HttpOperation } from "../registry/bindings.ts";
import { callOf } from "./calls.ts";
import { operationsByResource } from "./catalog.ts";
import { datasetNotes } from "./dataset-notes.ts";
import { endpointNotes } from "./endpoint-notes.ts";
import type { LiveExample, LiveExamples } from "./live-examples.ts";
import { notesOn, type Terms } from "./terms.ts";

export interface ReferenceOptions {
	site: string;
	terms: Terms;
	live: LiveExamples;
	plans: Reply<"listPlans">["plans"] | undefined;
	schema: Reply<"getQuerySchema"> | undefined;
	/** Warning that the data is the sample; undefined if it is not. */
	sample: string | undefined;
}

export function llmsFull(options: ReferenceOptions): string {
	const { site, live } = options;
	const notes = endpointNotes();
	const text = [
		...introduction(options),
		...operationsByResource().flatMap(({ name, description, members }) => [
			`## ${name}`,
			"",
			description,
			"",
			...members.flatMap((declared) => [
				notes.get(declared.name) ?? "",
				...example(declared, site, live.get(declared.name)),
			]),
		]),
	].join("\n");
	const shortened = repeated.reduce((whole, { values, name }) => {
		const firstEnd = whole.indexOf(values) + values.length;
		return whole.slice(0, firstEnd) + whole.slice(firstEnd).replaceAll(values, name);
	}, text);
	return shortenRepeated(shortened);
}

const alternatives = (values: readonly string[]): string => values.map((value) => JSON.stringify(value)).join(" | ");
/** Values and descriptions that many fields and parameters share. After its first use, each is replaced by its name, which saves 12 kB. */
const repeated = [
	{ values: Object.keys(project.shape).join(", "), name: "any field of a request" },
	{ values: alternatives(technologies), name: "a technology" },
	{ values: alternatives(developerTiers), name: "a developer tier" },
	{ values: alternatives(statuses), name: "a status" },
	{ values: alternatives(constructionStages), name: "a construction stage" },
	{ values: alternatives(projectRegions), name: "an operator or utility" },
	{ values: alternatives(regions), name: "an operator" },
	{ values: `(string; ${regions.join(", ")})`, name: "(string; an operator)" },
];

/** Shortens a line about a parameter or field if the first line about that name is the same, which saves 15 kB. */
function shortenRepeated(text: string): string {
	const firstLines = new Map<string, string>();
	const lines = text.split("\n").map((line) => {
		const [, name] = /^- `([\w.[\]]+)` /.exec(line) ?? [];
		if (name === undefined) return line;
		const first = firstLines.get(name);
		if (first === undefined) firstLines.set(name, line);
		return first === line ? `- \`${name}\` (above)` : line;
	});
	return lines.join("\n");
}

function introduction({ site, terms, plans, schema, sample }: ReferenceOptions): string[] {
	return [
		`# ${about.name}: reference`,
		"",
		`> ${about.description}`,
		"",
		`Interface version ${about.version}. Base address: ${site}. Shorter: /llms.txt; for programs: /openapi.json, /catalog; events: /asyncapi.json.`,
		"",
		...(sample === undefined ? [] : [`**Sample data.** ${sample}`, ""]),
		"## Access and payment",
		"",
		...notesOn(terms).map((note) => `- ${note}`),
		"",
		"## Limits",
		"",
		...(plans === undefined ? ["- The plans are not available now: GET /plans."] : plans.map(planLine)),
		"- Every response to a request with a key contains what remains in RateLimit and RateLimit-Policy; a 429 contains the time to wait in Retry-After.",
		"- The bounds of `per_page` differ by endpoint; a page beyond the last is an empty list.",
		"",
		"## Answers",
		"",
		"- JSON, unless said otherwise. Null is unknown, never zero. Unknown parameters are refused, not ignored.",
		"- A list is `{data, meta: {total, page, per_page, pages}}`, where `total` counts the rows of all pages; below it is shown as its `data[]` alone. `cursor=*`, then each `next_cursor`, reads a list from end to end; a row whose sorted value changes meanwhile may be repeated or missed.",
		"- `(above)`: the same as at the first description of that name.",
		"- Timestamps are `2026-11-20T06:00:00Z` (UTC), dates `2026-11-20`. A number has its unit in brackets; [fraction] is 0 to 1.",
		"- Text filters that match any part of a value ignore case. Numbers and flags are written as in JSON; flags also as 1 and 0.",
		"- ETag and If-None-Match work everywhere; X-Data-Version names the state of the data that an answer was read from.",
		"",
		"## Errors",
		"",
		'`{"detail": "...", "code": "..."}`; a 422 adds `errors: [{loc, msg}]`, one for each invalid parameter. Codes are stable.',
		"",
		...[...codesByStatus].map(([status, codes]) => `- ${status}: ${codes.join(", ")}`),
		"",
		"## MCP and SQL",
		"",
		`- MCP: ${site}/mcp, Streamable HTTP without sessions. Each endpoint with a tool name below is that tool, with the same parameters and answers; keys are sent as over HTTP.`,
		`- SQL: POST /query with {"sql", "database"} takes one SELECT of at most ${queryLimits.sqlCharacters} characters over one of ${databases.join(", ")}: at most ${queryLimits.rows} rows, ${queryLimits.bytes / 1_048_576} MiB and ${queryLimits.timeoutMs / 1_000} s. \`meta.truncated\` says when there was more. GET /query/schema?database= has the columns of its views with units:`,
		...(schema?.databases ?? []).map(databaseLine),
		"",
		"## Datasets",
		"",
		"Sources, licenses and counts: GET /catalog/data. What is missing: GET /coverage.",
		"",
		...datasetNotes.map(({ title, database, description }) => `- ${title} (database ${database}): ${description}`),
		"",
	];
}

const codesByStatus = Map.groupBy(Object.keys(errorCodes) as ErrorCode[], (code) => errorCodes[code].status);

const databaseLine = ({ name, description, views }: Reply<"getQuerySchema">["databases"][number]): string =>
	`  - \`${name}\` (${description}): ${views.map((view) => view.name).join(", ")}`;

function planLine({ name, monthly_queries, per_minute }: Reply<"listPlans">["plans"][number]): string {
	const month = monthly_queries === null ? "unlimited queries" : `${monthly_queries} queries a month`;
	return `- Plan ${name}: ${month}, ${per_minute === null ? "a rate by agreement" : `${per_minute} requests in any 60 s`}.`;
}

function example(declared: HttpOperation, site: string, live: LiveExample | undefined): string[] {
	const call = callOf(declared, live?.params ?? declared.operation.example ?? {});
	return ["```sh", programOf.curl(call, site), "```", "", ...exampleAnswer(live)];
}

function exampleAnswer(live: LiveExample | undefined): string[] {
	if (live === undefined || live.answer === null) return [];
	if (live.answer === undefined) return ["Its response is not available now.", ""];
	const { value, isCut } = live.answer;
	return [
		isCut ? "current response, shortened:" : "current response:",
		"",
		"```json",
		JSON.stringify(value),
		"```",
		"",
	];
}
