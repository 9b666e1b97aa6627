/** Health and freshness. The gateway combines the replies of the services' operations, which are available on the bus only. */

import { z } from "zod";
import { databases } from "../databases.ts";
import { count, named, quantity, sourceNote, timestamp } from "../envelopes.ts";
import { gatewayOperation, operation, queueIngestOperation, signalsOperation } from "../operation.ts";
import { none } from "../params.ts";
import { freshness, pipelineStates } from "../vocabulary.ts";

export const getManifest = gatewayOperation({
	summary: "Name and version of this service, and the addresses of its documents.",
	params: none,
	reply: z.strictObject({
		name: z.string(),
		version: z.string(),
		description: z.string(),
		links: z.strictObject({
			docs: z.string(),
			openapi: z.string(),
			asyncapi: z.string(),
			register: z.string().nullable().describe("Address that issues keys"),
			health: z.string(),
			source_freshness: z.string(),
			website: z.string().describe("Address of the website"),
		}),
		mcp_server: z.string().nullable(),
		plans: z.array(z.string()),
		contact: z.string().nullable().describe("Contact"),
	}),
	http: { method: "GET", path: "/", price: "free" },
});

export const getHealth = gatewayOperation({
	summary: "For load balancers: 200 if the critical row counts are met, else 503.",
	params: none,
	reply: z.strictObject({ status: z.string(), version: z.string(), timestamp: timestamp() }),
	http: { method: "GET", path: "/health", price: "free" },
});

const database = named("DatabaseHealth", {
	name: z.enum(databases),
	row_count: count().describe("Rows of its main tables, exact"),
	size_mb: quantity("MB", "Size of its tables and their indexes, MB").min(0),
	last_modified: timestamp().nullable().describe("When its data last changed"),
});

export const getHealthDetailed = gatewayOperation({
	summary: "Rows, size and age of each database that exists.",
	params: none,
	reply: z.strictObject({ status: z.string(), databases: z.array(database) }),
	http: { method: "GET", path: "/health/detailed", price: "free" },
});

export const describeDatabases = queueIngestOperation({
	summary: "Rows, size and age of this service's databases.",
	params: none,
	reply: z.strictObject({ databases: z.array(database) }),
});

export const describeSignalDatabases = operation({ ...describeDatabases, owner: "signals" });
export const describeScoringDatabases = operation({ ...describeDatabases, owner: "scoring" });

const pipeline = named("PipelineFreshness", {
	pipeline: z.string(),
	last_success: timestamp()
		.nullable()
		.describe(
			"Newest accepted list: the day that it states, or when it was loaded. Of a failing feed: its first failure",
		),
	age_hours: quantity("hours", "Hours since last_success; null if a file that was loaded by hand states no day")
		.min(0)
		.nullable(),
	max_age_hours: quantity("hours", "A pipeline that is older than this, or of unknown age, is STALE"),
	status: z.enum(freshness),
	state: z.enum(pipelineStates),
});

export const getFreshness = gatewayOperation({
	summary: "Is every pipeline as fresh as it should be?",
	params: none,
	reply: z.strictObject({
		checked_at: timestamp().describe("Time of the check"),
		pipelines: z.array(pipeline),
		stale: z.array(z.string()).describe("Overdue pipelines"),
		never: z.array(z.string()),
		_status_dist: z.array(z.strictObject({ status: z.enum(freshness), n: count(), newest: timestamp().nullable() })),
		stale_count: count(),
		never_count: count().describe("Number that never had data"),
	}),
	http: { method: "GET", path: "/health/freshness", price: "free" },
});

export const listPipelines = queueIngestOperation({
	summary: "Age and last outcome of each of this service's pipelines.",
	params: none,
	reply: z.strictObject({ pipelines: z.array(pipeline) }),
	maxAgeMs: 10_000,
});

export const listSignalPipelines = operation({ ...listPipelines, owner: "signals" });
export const listScoringPipelines = operation({ ...listPipelines, owner: "scoring" });

const sourceRow = named("SourceFreshness", {
	database: z.enum(databases).describe("Database that holds its rows, as POST /query names it"),
	source: z.string(),
	records: count(),
	last_checked: timestamp().nullable(),
	last_changed: timestamp()
		.nullable()
		.describe("Date of the newest list with new data: the day that it states, or when it was loaded"),
	unchecked_records: count().describe("Records that the last accepted snapshot did not show"),
});

export const getSourceFreshness = gatewayOperation({
	summary: "When each source was last checked and last changed. Public.",
	params: none,
	reply: z.strictObject({ timestamp: timestamp(), total_sources: count(), sources: z.array(sourceRow) }),
	http: { method: "GET", path: "/source-freshness", price: "free" },
});

export const listSignalSources = signalsOperation({
	summary: "Records and dates of each of this service's sources.",
	params: none,
	reply: z.strictObject({ sources: z.array(sourceRow) }),
	maxAgeMs: 10_000,
});

export const listScoringSources = operation({ ...listSignalSources, owner: "scoring" });

export const listSources = operation({
	...listSignalSources,
	owner: "queue-ingest",
	reply: z.strictObject({
		sources: z.array(sourceRow),
		notes: z.record(z.string(), sourceNote).describe("By source, of those that grid operators publish"),
	}),
});
