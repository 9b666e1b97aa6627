import type { Bus } from "#libs/bus/connect.ts";
import { request } from "#libs/bus/request.ts";
import { noAnswerInTime, noResponder } from "#libs/bus/wire.ts";
import type { resultFormats } from "#libs/contract/databases.ts";
import { AppError, unavailable } from "#libs/contract/errors.ts";
import type { Handler, ParamsInput, Reply, RequestContext, Versioned } from "#libs/contract/index.ts";
import { isPaidPlan } from "#libs/contract/vocabulary.ts";
import { quality } from "../http/prefers-page.ts";

type Format = (typeof resultFormats)[number];

const mediaTypes = {
	csv: "text/csv; charset=utf-8; header=present",
	parquet: "application/vnd.apache.parquet",
} as const;

/** Asked anew each time. */
export const runQuery =
	(bus: Bus, timeoutMs: number): Handler<"runQuery"> =>
	({ sql, database, safe }, context) =>
		run({ sql, database, safe, format: preferredFormat(context) }, { bus, timeoutMs, context });

/** A link that many open is answered from what was kept, as long as the data is the same. */
export const getQuery =
	(bus: Bus, timeoutMs: number): Handler<"getQuery"> =>
	({ sql, database, safe, format }, context) =>
		run({ sql, database, safe, format: format ?? preferredFormat(context), kept: true }, { bus, timeoutMs, context });

interface Asking {
	bus: Bus;
	timeoutMs: number;
	context: RequestContext;
}

/** The result as the query service wrote it. */
export async function run(
	question: Pick<ParamsInput<"runStatement">, "sql" | "database" | "format" | "safe" | "values" | "kept">,
	{ bus, timeoutMs, context }: Asking,
): Promise<Versioned<Reply<"runQuery">>> {
	const { format } = question;
	const asked = request(
		bus,
		"runStatement",
		{ ...question, ...callerOf(context) },
		{ timeoutMs, plan: context.caller?.plan },
	);
	const { bytes, headers } = await asked.catch((error: unknown) => {
		throw forCaller(error);
	});
	const mediaType = format === "json" ? {} : { "content-type": mediaTypes[format] };
	return { json: bytes, dataVersion: 0, headers: { ...mediaType, ...headers, vary: "Accept" } };
}

/** Names of what is inside mean nothing to a caller. */
function forCaller(error: unknown): unknown {
	if (!(error instanceof AppError)) return error;
	if (error.message === noAnswerInTime("runStatement").message)
		return unavailable("the statement took too long, or had to wait: try again, or ask for less", 2);
	if (error.message === noResponder("runStatement").message)
		return unavailable("The service that runs statements is not available.");
	return error;
}

/** JSON unless one of the others is ranked above it. */
export function preferredFormat({ http }: RequestContext): Format {
	const accept = [http?.headers.accept ?? []].flat().join(",");
	const json = quality(accept, "application", "json");
	const csv = quality(accept, "text", "csv");
	const parquet = quality(accept, "application", "vnd.apache.parquet");
	if (parquet > Math.max(json, csv)) return "parquet";
	return csv > json ? "csv" : "json";
}

/** Whom statements at the same time, and CPU time, are counted under. */
function callerOf({ caller, http }: RequestContext): Partial<ParamsInput<"runStatement">> {
	const isLimited = caller === undefined ? http?.loopback === false : !isPaidPlan(caller.plan);
	return {
		...(caller === undefined ? {} : { account: String(caller.accountId) }),
		...(http === undefined ? {} : { address: http.address }),
		...(isLimited && { limited: http?.isPaid !== true }),
	};
}
