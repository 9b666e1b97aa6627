/** SQL statements, saved queries and the schema. The query service runs the statements. */
import type { Bus } from "#libs/bus/connect.ts";
import { request, requestJson } from "#libs/bus/requests/request.ts";
import { noReplyInTime, noResponder } from "#libs/bus/requests/wire.ts";
import { type Database, databases, queryLimits, resultFormats } from "#libs/contract/databases.ts";
import { AppError, type FieldError, invalid, unavailable } from "#libs/contract/errors.ts";
import { exportMediaTypes } from "#libs/contract/exports/files.ts";
import type { Handler, ParamsInput, Reply, RequestContext, SerializedReply } from "#libs/contract/index.ts";
import { type BoundValue, readValue } from "#libs/contract/operations/query/saved-query-values.ts";
import { isPaidPlan } from "#libs/contract/vocabulary.ts";
import { quality } from "../http/negotiation.ts";
import { callerOf } from "./keys.ts";

type Format = (typeof resultFormats)[number];

const mediaTypes = {
	csv: "text/csv; charset=utf-8; header=present",
	parquet: exportMediaTypes.parquet,
	arrow: exportMediaTypes.arrow,
} as const;

/** Runs a statement without caching its result. */
export const runQuery =
	(bus: Bus, timeoutMs: number): Handler<"runQuery"> =>
	({ sql, database, safe }, context) =>
		run({ sql, database, safe, format: preferredFormat(context) }, { bus, timeoutMs, context });

/** Runs the statement of a shared link. The query service caches the result while the data is unchanged. */
export const getQuery =
	(bus: Bus, timeoutMs: number): Handler<"getQuery"> =>
	({ sql, database, safe, format }, context) =>
		run({ sql, database, safe, format: format ?? preferredFormat(context), kept: true }, { bus, timeoutMs, context });

/** Returns the result as the query service wrote it. */
async function run(
	question: Pick<ParamsInput<"runStatement">, "sql" | "database" | "format" | "safe" | "values" | "kept">,
	{ bus, timeoutMs, context }: { bus: Bus; timeoutMs: number; context: RequestContext },
): Promise<SerializedReply<Reply<"runQuery">>> {
	const { format } = question;
	const reply = request(
		bus,
		"runStatement",
		{ ...question, ...countedCaller(context) },
		{ timeoutMs, plan: context.caller?.plan },
	);
	const { bytes, headers } = await reply.catch((error: unknown) => {
		throw forCaller(error);
	});
	const mediaType = format === "json" ? {} : { "content-type": mediaTypes[format] };
	return { json: bytes, headers: { ...mediaType, ...headers, vary: "Accept" } };
}

function forCaller(error: unknown): unknown {
	if (!(error instanceof AppError)) return error;
	if (error.message === noReplyInTime("runStatement").message)
		return unavailable("the statement ran or waited too long: retry, or request less data", 2);
	if (error.message === noResponder("runStatement").message)
		return unavailable("the service that runs statements is not available");
	return error;
}

function preferredFormat({ http }: RequestContext): Format {
	const accept = [http?.headers.accept ?? []].flat().join(",");
	const qualities: Record<Format, number> = {
		json: quality(accept, "application", "json"),
		csv: quality(accept, "text", "csv"),
		parquet: quality(accept, "application", "vnd.apache.parquet"),
		arrow: quality(accept, "application", "vnd.apache.arrow.stream"),
	};
	// The first of several formats with the same weight is used, so that a caller that accepts anything gets JSON.
	return resultFormats.reduce((best, each) => (qualities[each] > qualities[best] ? each : best));
}

/** The caller for whom concurrency and CPU time of statements are counted. */
function countedCaller({ caller, http }: RequestContext): Partial<ParamsInput<"runStatement">> {
	const isLimited = caller === undefined ? http?.loopback === false : !isPaidPlan(caller.plan);
	return {
		...(caller === undefined ? {} : { account: String(caller.accountId) }),
		...(http === undefined ? {} : { address: http.address }),
		...(isLimited && { limited: http?.isPaid !== true }),
	};
}

export function runSavedQuery(bus: Bus, timeoutMs: number): Handler<"runSavedQuery"> {
	return async ({ query_id, format = undefined, safe, values }, context) => {
		const { accountId } = callerOf(context);
		const { sql, database, parameters } = await requestJson(
			bus,
			"getSavedQuery",
			{ query_id },
			{ timeoutMs, accountId },
		);
		const question = { sql, database, safe, values: parseValues(parameters, values), kept: true };
		return run({ ...question, format: format ?? preferredFormat(context) }, { bus, timeoutMs, context });
	};
}

/** Parses the values of a saved query's parameters. @throws AppError 422 that names each unknown, missing or mistyped one */
function parseValues(
	parameters: Reply<"getSavedQuery">["parameters"],
	given: Readonly<Record<string, string>>,
): BoundValue[] {
	const errors: FieldError[] = [];
	const fault = (name: string, msg: string) => errors.push({ loc: ["query", name], msg });
	const known = new Set(parameters.map(({ name }) => name));
	for (const name of Object.keys(given)) if (!known.has(name)) fault(name, "is not a parameter of this query");
	const values = parameters.flatMap(({ name, type, default: usual }): BoundValue[] => {
		const text = Object.hasOwn(given, name) ? given[name] : undefined;
		const value = text ?? usual;
		if (value === undefined) fault(name, "is required");
		if (value === null) return [{ name, type, value }];
		const read = value === undefined ? undefined : readValue(type, value);
		if (read === undefined) return [];
		if ("value" in read) return [{ name, type, value: read.value }];
		fault(name, read.fault);
		return [];
	});
	// Nothing was executed, so the call is free, as with other invalid parameters.
	if (errors.length > 0) throw invalid(errors, { counts: false });
	return values;
}

export function getQuerySchema(bus: Bus, timeoutMs: number): Handler<"getQuerySchema"> {
	return async ({ database }) => {
		const wanted: readonly Database[] = database === undefined ? databases : [database];
		const described = await requestJson(bus, "describeViews", {}, { timeoutMs });
		const reply: Reply<"getQuerySchema"> = {
			databases: wanted.flatMap((name) => described.databases.find((each) => each.name === name) ?? []),
			limits: {
				sql_characters: queryLimits.sqlCharacters,
				rows: queryLimits.rows,
				bytes: queryLimits.bytes,
				row_bytes: queryLimits.rowBytes,
				timeout_ms: queryLimits.timeoutMs,
				at_once: queryLimits.atOnce,
			},
			functions: described.functions,
			macros: described.macros.filter(({ database: of }) => wanted.includes(of)),
		};
		return { json: JSON.stringify(reply) };
	};
}
