/** Saved queries: statements with parameters that an account saves under a name. */
import { z } from "zod";
import { databases } from "../../databases.ts";
import { named, page, timestamp } from "../../envelopes.ts";
import { requireCsvForSafe } from "../../exports/files.ts";
import { gatewayOperation, subscriptionsOperation } from "../../operation.ts";
import { choice, integer, listParams, none, refuse, words } from "../../params.ts";
import { getQuery, runQuery } from "./query.ts";
import { parameterTypes, readValue, savedQueryLimits, takenNames } from "./saved-query-values.ts";

const queryId = () => integer(1, Number.MAX_SAFE_INTEGER).describe("Number of a saved query of the account");
const name = () => words(1, 100).describe("Name of the saved query, unique in the account");
const { sql, database, safe, format } = getQuery.params.shape;
const statement = sql.describe("One SELECT as in POST /query, in which `$name` is the value of a declared parameter");
const database_ = z.enum(databases);

const parameterDefault = () =>
	z.union([z.string(), z.number().meta({ "x-unit": "of the parameter" }), z.boolean(), z.null()], {
		error: "must be a value",
	});

const parameter = z
	.strictObject({
		name: z
			.string({ error: "must be text" })
			.regex(/^[a-z][a-z0-9_]{0,62}$/, "must be of a-z, 0-9 and _, begin with a letter, and have at most 63 characters")
			.refine((value) => !takenNames.has(value), `must be none of ${[...takenNames].join(", ")}`),
		type: choice(parameterTypes),
		default: parameterDefault().optional().describe("Default of an optional parameter; null is NULL"),
	})
	.superRefine(({ type, default: value }, context) => {
		const read = value === undefined || value === null ? undefined : readValue(type, value);
		if (read !== undefined && "fault" in read) refuse(context, "default", read.fault);
	});

const parameters = () =>
	z
		.array(parameter, { error: "must be a list of parameters" })
		.max(savedQueryLimits.parameters, `must have at most ${savedQueryLimits.parameters} parameters`)
		.refine((all) => new Set(all.map((each) => each.name)).size === all.length, "must have different names")
		.describe(
			"Each with `name`, `type` (text, number, date or boolean) and, if optional, `default` (null: NULL without a type; write `$name::date` if a function needs one)",
		);

const savedQuery = named("SavedQuery", {
	query_id: z.int().min(1).describe("Number of the saved query"),
	name: z.string(),
	sql: z.string().describe("The statement, as sent"),
	database: database_,
	parameters: z.array(
		named("SavedQueryParameter", {
			name: z.string().describe("`$name` in the statement, and a parameter of the address that runs it"),
			type: z.enum(parameterTypes),
			default: parameterDefault()
				.optional()
				.describe("Value if none is given, null as NULL; absent if a value is required"),
		}),
	),
	created_at: timestamp(),
	changed_at: timestamp().describe("When it was last changed"),
});

const exampleQuery = {
	name: "Active requests of a state",
	sql: "select id, name, capacity_mw from active_requests where state = $state and capacity_mw >= $least_mw order by capacity_mw desc",
	database: "master",
};

export const createSavedQuery = subscriptionsOperation({
	summary: "Saves a statement with parameters under a name. It is checked as in POST /query, but not run.",
	params: z.strictObject({ name: name(), sql: statement, database, parameters: parameters().default([]) }),
	reply: savedQuery,
	http: { method: "POST", path: "/queries", price: "free", needsKey: true },
	example: {
		...exampleQuery,
		parameters: [
			{ name: "state", type: "text" },
			{ name: "least_mw", type: "number" },
		],
	},
});

export const listSavedQueries = subscriptionsOperation({
	summary: "The account's saved queries, oldest first, a page at a time.",
	params: listParams({}, 200),
	reply: page(savedQuery),
	http: { method: "GET", path: "/queries", price: "free", needsKey: true },
	example: {},
});

export const getSavedQuery = subscriptionsOperation({
	summary: "A saved query: its statement and its parameters.",
	params: z.strictObject({ query_id: queryId() }),
	reply: savedQuery,
	http: { method: "GET", path: "/queries/{query_id}", price: "free", needsKey: true },
	example: { query_id: 1 },
});

export const changeSavedQuery = subscriptionsOperation({
	summary: "Renames a saved query, or replaces its statement, database or parameters.",
	params: z.strictObject({
		query_id: queryId(),
		name: name().optional(),
		sql: statement.optional(),
		database: database_.optional().describe("Database of views that are named without one"),
		parameters: parameters().optional(),
	}),
	reply: savedQuery,
	http: { method: "PATCH", path: "/queries/{query_id}", price: "free", needsKey: true },
	example: { query_id: 1, name: "Active requests of a state" },
});

export const deleteSavedQuery = subscriptionsOperation({
	summary: "Deletes a saved query.",
	params: z.strictObject({ query_id: queryId() }),
	reply: none,
	http: { method: "DELETE", path: "/queries/{query_id}", price: "free", needsKey: true },
	example: { query_id: 1 },
});

export const runSavedQuery = gatewayOperation({
	summary:
		"Runs a saved query with these values of its parameters, as GET /query runs a statement: its limits, price and formats.",
	params: z
		.strictObject({
			query_id: queryId(),
			format,
			safe,
			values: z
				.record(z.string(), z.string())
				.default({})
				.describe("The values, each as a query parameter with its own name: `?state=TX&least_mw=50`"),
		})
		.superRefine(requireCsvForSafe),
	gathers: "values",
	mediaTypes: { json: "application/json", csv: "text/csv", parquet: "application/vnd.apache.parquet" },
	reply: runQuery.reply,
	http: { method: "GET", path: "/queries/{query_id}/run", price: "pro", needsKey: true },
	example: { query_id: 1, values: { state: "TX" } },
});
