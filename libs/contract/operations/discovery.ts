/** Operations for new users and programs: documents, the catalog, and which data is available or missing. */

import { z } from "zod";
import { databases } from "../databases.ts";
import { count, named, sourceNote, timestamp, usd } from "../envelopes.ts";
import { gatewayOperation, queueIngestOperation, signalsOperation } from "../operation.ts";
import { choice, none } from "../params.ts";
import { datasetNames, freshness, prices } from "../vocabulary.ts";
import { queueCoverage, sampled, scoringCoverage, signalCoverage } from "./coverage.ts";

export const getOpenapi = gatewayOperation({
	summary: "This interface as an OpenAPI 3.1 document, with examples from the data that is loaded.",
	params: none,
	reply: z.looseObject({ openapi: z.literal("3.1.0") }),
	http: { method: "GET", path: "/openapi.json", price: "free", perMinute: 60 },
});

export const getAsyncapi = gatewayOperation({
	summary: "What is published, as an AsyncAPI 3.0 document: channels, messages and how to subscribe, with examples.",
	params: none,
	reply: z.looseObject({ asyncapi: z.literal("3.0.0") }),
	http: { method: "GET", path: "/asyncapi.json", price: "free" },
});

const document = <const P extends `/${string}`>(path: P, mediaType: string, summary: string, perMinute?: number) =>
	gatewayOperation({
		summary,
		params: none,
		reply: z.string(),
		http: { method: "GET", path, price: "free", ...(perMinute !== undefined && { perMinute }) },
		mediaType,
		example: {},
	});

export const getDocs = document(
	"/docs",
	"text/html; charset=utf-8",
	"Interactive documentation, usable without an internet connection.",
);

export const getEventDocs = document(
	"/docs/events",
	"text/html; charset=utf-8",
	"Documentation of the events to subscribe to, for people; usable without an internet connection.",
);

export const getLlms = document(
	"/llms.txt",
	"text/plain; charset=utf-8",
	"Orientation for agents as plain text (llmstxt.org): what the service has, how to get access, where to read more.",
);

export const getLlmsFull = document(
	"/llms-full.txt",
	"text/markdown; charset=utf-8",
	"The whole reference as Markdown: parameters, fields with units, and a current response of each endpoint.",
	60,
);

export const getManifestFile = gatewayOperation({
	summary: "Capabilities of this service, by names that programs can search for.",
	params: none,
	reply: z.strictObject({
		name: z.string(),
		version: z.string(),
		capabilities: z.array(z.string()).describe("Names of resources, and mcp, sql and payments if available"),
		links: z.record(z.string(), z.string()).describe("Address of each document"),
	}),
	http: { method: "GET", path: "/manifest.json", price: "free" },
});

const parameter = named("CatalogParameter", {
	name: z.string(),
	in: z.enum(["path", "query", "body"]).describe("Location of the parameter"),
	type: z.string().describe("string, integer, number or boolean; a date is a string YYYY-MM-DD"),
	required: z.boolean().describe("Whether it is required"),
	default: z.string().nullable().describe("As written in a request; null if there is none"),
	allowed: z.string().nullable().describe("Allowed values or range; null: see description"),
	unit: z.string().nullable(),
	description: z.string(),
});

const endpoint = named("CatalogEndpoint", {
	operation: z.string(),
	method: z.enum(["GET", "POST", "PATCH", "DELETE"]),
	path: z.string(),
	summary: z.string(),
	price: z.enum(prices).describe("Price tier of a call"),
	price_usd: usd("Price of one call without a key, if the server takes payments"),
	needs_key: z.boolean().describe("Whether it requires a key"),
	media_type: z.string(),
	tool: z.string().nullable().describe("Name of its tool at /mcp; null if it has none"),
	parameters: z.array(parameter),
	example: z.string().describe("Path and query of an example call; for a POST, followed by its body"),
});

export const getCatalog = gatewayOperation({
	summary: "Every endpoint by resource, with its parameters, response and price.",
	params: none,
	reply: z.strictObject({
		name: z.string(),
		version: z.string(),
		total_endpoints: count().describe("Number of operations"),
		mcp: z.string(),
		resources: z.array(z.strictObject({ name: z.string(), description: z.string(), endpoints: z.array(endpoint) })),
	}),
	http: { method: "GET", path: "/catalog", price: "free" },
});

const datasetSource = named("DatasetSource", {
	source: z.string().describe("As `source` and `feed` in rows and in /source-freshness"),
	...sourceNote.shape,
	records: count().nullable().describe("Null while its service is unavailable"),
	last_checked: timestamp().nullable(),
	last_changed: timestamp().nullable(),
	freshness: z.enum(freshness).nullable().describe("Null if no age is monitored"),
});

const dataset = named("Dataset", {
	name: z.enum(datasetNames),
	title: z.string(),
	description: z.string(),
	database: z.enum(databases).describe("Database that contains it, for POST /query"),
	endpoints: z.array(z.string()),
	records: count().nullable().describe("Records of all its sources"),
	last_changed: timestamp().nullable(),
	sample: z
		.boolean()
		.nullable()
		.describe("True if the bundled sample is loaded, which is invented and was not published by these sources"),
	sources: z.array(datasetSource),
});

export const getDataCatalog = gatewayOperation({
	summary: "Every dataset with its description, sources, licenses, size and freshness.",
	params: none,
	reply: z.strictObject({
		datasets: z.array(dataset).describe("Datasets"),
		not_available: z.array(z.string()).describe("Services that did not respond: their counts are null"),
	}),
	http: { method: "GET", path: "/catalog/data", price: "free" },
	maxAgeMs: 10_000,
});

export const describeDataset = gatewayOperation({
	summary: "One dataset: what it has, what it does not answer, what is missing of it now, its sources and endpoints.",
	params: z.strictObject({ dataset: choice(datasetNames).describe("Name of a dataset") }),
	reply: z.strictObject({
		...dataset.shape,
		not_answered: z.array(z.string()).describe("Questions that it cannot answer, whatever is loaded"),
		missing: z.array(z.string()).describe("Data of it that is not loaded or not published"),
		not_available: z.array(z.string()).describe("Services that did not respond: their parts are missing"),
	}),
	http: { method: "GET", path: "/catalog/data/{dataset}", price: "free" },
	example: { dataset: "queues" },
	maxAgeMs: 10_000,
});

const gap = named("CoverageGap", { dataset: z.string(), missing: z.string() });

export const getCoverage = gatewayOperation({
	summary: "Loaded and missing data by operator, field, dataset, location and year.",
	params: none,
	reply: z.strictObject({
		generated_at: timestamp(),
		...queueCoverage,
		...signalCoverage,
		...scoringCoverage,
		sample: z.boolean().describe("Whether the bundled sample is loaded, which is invented"),
		...sampled,
		missing: z.array(gap).describe("Data that readers may expect and that is missing, as sentences"),
		not_available: z.array(z.string()).describe("Services that did not respond: their parts are empty"),
	}),
	http: { method: "GET", path: "/coverage", price: "free" },
	maxAgeMs: 10_000,
});

export const describeCoverage = queueIngestOperation({
	summary: "What the queues and the datasets beside them hold: bus-only.",
	params: none,
	reply: z.strictObject({ ...queueCoverage, ...sampled }),
});

export const describeSignalCoverage = signalsOperation({
	summary: "Which days and how many of them the signals hold: bus-only.",
	params: none,
	reply: z.strictObject({ ...signalCoverage, ...sampled }),
});
