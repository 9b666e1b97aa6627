/** Read-only SQL over the databases, and what there is to ask them for. */
import { z } from "zod";
import { databases, queryLimits } from "../databases.ts";
import { count } from "../envelopes.ts";
import { operation } from "../operation.ts";
import { choice, words } from "../params.ts";

const database = () => choice(databases);

const meta = z.strictObject({
	database: z.enum(databases),
	columns: z
		.array(
			z.strictObject({ name: z.string(), type: z.string().meta({ description: "PostgreSQL's name of the type" }) }),
		)
		.meta({ description: "In the order of the statement" }),
	rows: count(),
	truncated: z.boolean().meta({ description: "There were more rows than a limit lets through" }),
	truncated_by: z.enum(["rows", "bytes"]).nullable(),
	row_limit: count(),
	byte_limit: count().meta({ "x-unit": "bytes" }),
});

export const runQuery = operation({
	owner: "gateway",
	summary: `One read-only SELECT in PostgreSQL's SQL over one database, for at most ${queryLimits.timeoutMs / 1_000} s and ${queryLimits.rows.toLocaleString("en")} rows, two at once; JSON, or CSV where Accept asks for it.`,
	params: z.strictObject({
		sql: z
			.string({ error: "must be text" })
			.trim()
			.min(1, "must have at least 1 character")
			.max(queryLimits.sqlCharacters, `must have at most ${queryLimits.sqlCharacters} characters`)
			.refine((value) => !value.includes("\u0000"), "must not contain NUL")
			.describe(
				"One SELECT over the views of the database, named without a schema; GET /query/schema (get_query_schema) lists them with their columns, and the functions that may be called",
			),
		database: database().default("master").describe("Which database to ask"),
	}),
	reply: z.strictObject({ data: z.array(z.record(z.string(), z.unknown())), meta }),
	http: { method: "POST", path: "/query", price: "pro" },
	example: {
		sql: "select region, count(*) as requests, round(sum(capacity_mw)) as mw from projects where kind = 'generation' and status_std = 'Active' group by region order by mw desc",
		database: "master",
	},
});

/** The part of `runQuery` that the owner of the database does. */
const queryParams = z.strictObject({
	sql: z.string().max(queryLimits.sqlCharacters),
	database: z.enum(databases),
	format: z.enum(["json", "csv"]),
	/** Whom concurrent statements are counted under: an account, or an address. */
	subject: words(1, 200),
});
/** With `format: "csv"` the rows are in `csv` and `data` is empty. */
const queryReply = z.strictObject({
	data: z.array(z.record(z.string(), z.unknown())),
	csv: z.string().optional(),
	meta,
});

export const queryQueues = operation({
	owner: "queue-ingest",
	summary: "Runs a SELECT over one of this service's databases.",
	params: queryParams,
	reply: queryReply,
});
export const querySignals = operation({ ...queryQueues, owner: "signals" });
export const queryScoring = operation({ ...queryQueues, owner: "scoring" });

const view = z.strictObject({
	name: z.string(),
	description: z.string(),
	rows: count().meta({ description: "Estimated from the planner's statistics; exact for small views" }),
	columns: z.array(
		z.strictObject({
			name: z.string(),
			type: z.string().meta({ description: "PostgreSQL's name of the type" }),
			description: z.string(),
			unit: z.string().nullable().meta({ description: "Null where the column is no quantity" }),
		}),
	),
});

export const getQuerySchema = operation({
	owner: "gateway",
	summary: "Every view and column that SQL can ask for, with types and units.",
	params: z.strictObject({ database: database().optional().describe("One database; all when absent") }),
	reply: z.strictObject({
		databases: z.array(z.strictObject({ name: z.enum(databases), description: z.string(), views: z.array(view) })),
		limits: z.strictObject({
			sql_characters: count(),
			rows: count(),
			bytes: count().meta({ "x-unit": "bytes" }),
			row_bytes: count().meta({ "x-unit": "bytes" }),
			timeout_ms: count().meta({ "x-unit": "ms" }),
			at_once: count().meta({ description: "Statements of one account or address at the same time" }),
		}),
		functions: z.array(z.string()).meta({ description: "What a statement may call, beside operators and casts" }),
	}),
	http: { method: "GET", path: "/query/schema", price: "free" },
	example: { database: "master" },
});

/** A service's own databases; the gateway puts the services' answers together. */
export const describeQueueViews = operation({
	owner: "queue-ingest",
	summary: "The views of this service's databases.",
	params: z.strictObject({}),
	reply: z.strictObject({ databases: getQuerySchema.reply.shape.databases }),
});
export const describeSignalViews = operation({ ...describeQueueViews, owner: "signals" });
export const describeScoringViews = operation({ ...describeQueueViews, owner: "scoring" });
