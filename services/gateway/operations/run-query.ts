import type { Bus } from "#libs/bus/connect.ts";
import { request } from "#libs/bus/request.ts";
import { noAnswerInTime, nobodyAnswers } from "#libs/bus/wire.ts";
import { databaseOwners } from "#libs/contract/databases.ts";
import { AppError, unavailable } from "#libs/contract/errors.ts";
import type { Handler, Reply, RequestContext } from "#libs/contract/index.ts";
import { quality } from "../http/prefers-page.ts";

const operationOf = { "queue-ingest": "queryQueues", signals: "querySignals", scoring: "queryScoring" } as const;

/** Asked anew each time. JSON goes on as the owner wrote it; CSV has no place for what is said about it but headers. */
export function runQuery(bus: Bus, timeoutMs: number): Handler<"runQuery"> {
	return async ({ sql, database }, context) => {
		const format = prefersCsv(context) ? "csv" : "json";
		const question = { sql, database, format, subject: subjectOf(context) } as const;
		const operation = operationOf[databaseOwners[database]];
		const { bytes } = await request(bus, operation, question, { timeoutMs }).catch((error: unknown) => {
			throw forCaller(error, operation);
		});
		if (format === "json") return { json: bytes, dataVersion: 0, headers: { vary: "Accept" } };
		const { csv = "", meta } = JSON.parse(Buffer.from(bytes).toString()) as Reply<"queryQueues">;
		return {
			json: Buffer.from(csv),
			dataVersion: 0,
			headers: {
				"content-type": "text/csv; charset=utf-8; header=present",
				"x-row-count": String(meta.rows),
				"x-truncated": meta.truncated_by ?? "false",
				vary: "Accept",
			},
		};
	};
}

/** Names of what is inside mean nothing to a caller. */
function forCaller(error: unknown, operation: (typeof operationOf)[keyof typeof operationOf]): unknown {
	if (!(error instanceof AppError)) return error;
	if (error.message === noAnswerInTime(operation).message)
		return unavailable("the statement took too long, or had to wait: try again, or ask for less", 2);
	if (error.message === nobodyAnswers(operation).message)
		return unavailable("The service that answers for this database is not available.");
	return error;
}

function prefersCsv({ http }: RequestContext): boolean {
	const accept = [http?.headers.accept ?? []].flat().join(",");
	return quality(accept, "text", "csv") > quality(accept, "application", "json");
}

/** Whom statements at the same time are counted under: the account, or without a key the address. */
function subjectOf({ caller, http }: RequestContext): string {
	return caller === undefined ? `address:${http?.address ?? "unknown"}` : `account:${caller.accountId}`;
}
