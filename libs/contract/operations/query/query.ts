/** Read-only SQL over the databases, and the description of their views. */
import { z } from "zod";
import { databases, queryLimits, resultFormats } from "../../databases.ts";
import { count, named } from "../../envelopes.ts";
import { requireCsvForSafe, safeCsv } from "../../exports/files.ts";
import { gatewayOperation, queryOperation } from "../../operation.ts";
import { choice, none, words } from "../../params.ts";
import { parameterTypes, savedQueryLimits } from "./saved-query-values.ts";

const database = () => choice(databases);

const dataVersion = () => count().describe("Data version of the database's owner when the view last changed");
const asOf = () => z.string().describe("When the view was read from its owner's database, UTC");

const meta = z.strictObject({
	database: z.enum(databases),
	columns: z
		.array(
			z.strictObject({
				name: z.string(),
				type: z.string().describe("DuckDB's name of the type"),
				unit: z
					.string()
					.nullable()
					.describe(
						"Unit of the view's column with this name, or the suffix of a number's name (`total_mw`); null if there is neither",
					),
				source: z
					.string()
					.nullable()
					.describe(
						"`database.view.column`: the only column of the statement's views with this name and type; null if there is none or more than one",
					),
				description: z.string().nullable().describe("Meaning of that column of the view"),
			}),
		)
		.describe(
			"In the order of the statement; columns with the same name (in any case) are numbered from the second on: id, id_2",
		),
	rows: count(),
	truncated: z.boolean().describe("Whether a limit cut off rows"),
	truncated_by: z.enum(["rows", "bytes"]).nullable(),
	row_limit: count().describe("Maximum rows of a response"),
	byte_limit: count().meta({ "x-unit": "bytes" }),
	views: z
		.array(z.strictObject({ view: z.string(), data_version: dataVersion(), as_of: asOf() }))
		.describe("The views that the statement names, as `database.view`, with their versions"),
});

const statement = {
	sql: z
		.string({ error: "must be text" })
		.trim()
		.min(1, "must have at least 1 character")
		.max(queryLimits.sqlCharacters, `must have at most ${queryLimits.sqlCharacters} characters`)
		.refine((value) => !value.includes("\u0000"), "must not contain NUL")
		.describe(
			"One SELECT (also WITH, FROM, DESCRIBE and SUMMARIZE) over the views, named as view or database.view; GET /query/schema (get_query_schema) lists them with their columns, and the functions that may be called",
		),
	database: database().default("master").describe("Database of views that are named without one"),
	safe: safeCsv(),
};

const result = z.strictObject({ data: z.array(z.record(z.string(), z.unknown())), meta });

const exampleStatement = {
	sql: "select region, count(*) as requests, round(sum(active_mw)) as mw from active_requests group by region order by mw desc",
	database: "master",
};

export const runQuery = gatewayOperation({
	summary: `One read-only SELECT in DuckDB's SQL over all databases, for at most ${queryLimits.timeoutMs / 1_000} s and ${queryLimits.rows.toLocaleString("en")} rows, two at once; JSON, or CSV, Parquet or Arrow where Accept asks for it.`,
	params: z.strictObject(statement),
	reply: result,
	http: { method: "POST", path: "/query", price: "pro", readsByPost: true },
	example: exampleStatement,
});

export const getQuery = gatewayOperation({
	summary:
		"The same as a link that can be shared: it returns the current result. While the data does not change, the result may be up to a minute old.",
	params: z
		.strictObject({
			...statement,
			format: choice(resultFormats)
				.optional()
				.describe(
					"json when absent, unless Accept ranks text/csv, application/vnd.apache.parquet or application/vnd.apache.arrow.stream above it",
				),
		})
		.superRefine(requireCsvForSafe),
	reply: result,
	http: { method: "GET", path: "/query", price: "pro" },
	example: exampleStatement,
});

/** The query service's part of `runQuery` and `getQuery`. For formats other than `json`, the reply is the file. */
export const runStatement = queryOperation({
	summary: "Runs a SELECT over the extracts.",
	params: z.strictObject({
		sql: z.string().max(queryLimits.sqlCharacters),
		database: z.enum(databases),
		format: z.enum(resultFormats),
		safe: z.boolean().optional(),
		/** Values of the statement's parameters (`$name`). They are bound, never inserted into its text. */
		values: z
			.array(
				z.strictObject({
					name: z.string().max(63),
					type: z.enum(parameterTypes),
					value: z.union([
						z.string().max(savedQueryLimits.characters),
						z.number().meta({ "x-unit": "of the parameter" }),
						z.boolean(),
						z.null(),
					]),
				}),
			)
			.max(savedQueryLimits.parameters)
			.optional(),
		/** Whether a cached result may be used. */
		kept: z.boolean().optional(),
		/** The account and address under which concurrent statements are counted. */
		account: words(1, 200).optional(),
		address: words(1, 200).optional(),
		/**
		 * Present if the CPU time is limited: for the account of a Free key, or for the address (except loopback) of a call without a key. False if the
		 * statement is paid for; its CPU time then counts only if it fails, because a failed statement is not charged.
		 */
		limited: z.boolean().optional(),
	}),
	reply: result,
});

/** Checks a statement before it is saved. It refuses the same statements as `runStatement`. */
export const checkStatement = queryOperation({
	summary: "Checks a SELECT over the extracts and its declared parameters without running it.",
	params: z.strictObject({
		sql: z.string().max(queryLimits.sqlCharacters),
		database: z.enum(databases),
		/** Names of the declared parameters. */
		parameters: z.array(z.string().max(63)).max(savedQueryLimits.parameters),
		account: words(1, 200).optional(),
	}),
	reply: none,
});

const view = named("QueryView", {
	name: z.string(),
	description: z.string(),
	rows: count(),
	data_version: dataVersion(),
	as_of: asOf(),
	columns: z.array(
		z.strictObject({
			name: z.string(),
			type: z.string().describe("DuckDB's name of the type"),
			description: z.string(),
			unit: z.string().nullable().describe("Null if the column is not a quantity"),
		}),
	),
});

const macro = named("QueryMacro", {
	database: z.enum(databases),
	name: z.string(),
	description: z.string(),
	parameters: z.array(z.string()),
	example: z.string().describe("An example call, for use in FROM"),
	view: z.string().describe("The view of that database whose rows and columns it returns"),
});

export const getQuerySchema = gatewayOperation({
	summary: "All views and columns available in SQL, with types and units.",
	params: z.strictObject({ database: database().optional().describe("One database; all when absent") }),
	reply: z.strictObject({
		databases: z.array(z.strictObject({ name: z.enum(databases), description: z.string(), views: z.array(view) })),
		limits: z.strictObject({
			sql_characters: count(),
			rows: count(),
			bytes: count().meta({ "x-unit": "bytes" }),
			row_bytes: count().meta({ "x-unit": "bytes" }).describe("Maximum bytes of a row"),
			timeout_ms: count().meta({ "x-unit": "ms" }),
			at_once: count().describe("Statements of one account or address at the same time"),
		}),
		functions: z.array(z.string()).describe("Functions that a statement may call, besides operators and casts"),
		macros: z
			.array(macro)
			.describe("Table functions that a statement in that database may use in FROM, besides views: a view as of a day"),
	}),
	http: { method: "GET", path: "/query/schema", price: "free" },
	example: { database: "master" },
});

export const describeViews = queryOperation({
	summary: "The views that statements can name.",
	params: none,
	reply: z.strictObject({
		databases: getQuerySchema.reply.shape.databases,
		functions: z.array(z.string()),
		macros: getQuerySchema.reply.shape.macros,
	}),
});
