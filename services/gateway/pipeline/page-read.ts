/** Pages read priced operations for free, within limits: rows of a read, distance from the start of a list, rows a day. */
import { type FieldError, invalid } from "#libs/contract/errors.ts";
import { takesBody } from "#libs/contract/operation.ts";
import { pageReach, pageRows } from "#libs/contract/vocabulary.ts";
import { networkOf } from "../callers/addresses.ts";
import type { Call } from "../calls/call.ts";
import type { Paged } from "../http/links.ts";
import type { Limiter } from "../limiter/limiter.ts";
import { TooMany } from "../limiter/rate-headers.ts";
import type { HttpOperation } from "../registry/bindings.ts";

interface Listed extends Paged {
	limit?: number;
	after?: number;
}

export const isPricedRead = ({ pageRead }: HttpOperation): boolean => (pageRead?.minRows ?? 0) > 0;

/** @returns a check of the parameters of a page's read of a priced operation, which throws AppError 422; undefined for any other operation */
export function pageReadCheck(operation: HttpOperation): ((params: Listed) => void) | undefined {
	if (!isPricedRead(operation)) return undefined;
	const where = takesBody(operation.http.method) ? "body" : "query";
	return (params) => {
		const errors: FieldError[] = [];
		for (const name of ["per_page", "limit"] as const)
			if ((params[name] ?? 0) > pageRows)
				errors.push({
					loc: [where, name],
					msg: `must be at most ${pageRows} in a request from the website; programs may read more with an API key`,
				});
		const { page = 1, per_page = 0, limit = per_page } = params;
		if (page * limit > pageReach)
			errors.push({
				loc: [where, "page"],
				msg: `must be within the first ${pageReach.toLocaleString("en-US")} rows, which is all that the website shows: narrow the filters`,
			});
		for (const name of ["cursor", "after"] as const)
			if (params[name] !== undefined)
				errors.push({
					loc: [where, name],
					msg: "is not accepted from the website; programs may use it at the operation's own address",
				});
		if (errors.length > 0) throw invalid(errors);
	};
}

export interface RowsOfDay {
	/** The last read of a day may exceed the limit. @throws AppError 429 */
	take(call: Call): Promise<void>;
	giveBack(call: Call): void;
}

/** Limits the rows that a network may read in a day (UTC). `maxRows`: 0 for no limit. */
export function openRowsOfDay(limiter: Pick<Limiter, "take" | "add">, maxRows: number): RowsOfDay {
	const subjectOf = ({ transport: { ip } }: Call) => `rows:${networkOf(ip)}`;
	const dailyLimits = { perMinute: null, periodQueries: maxRows, period: "day" } as const;
	return {
		async take(call) {
			const { operation, params, client } = call;
			if (!isPricedRead(operation) || params === undefined || client.loopback || maxRows === 0) return;
			const { per_page = 0, limit = per_page }: Listed = params;
			const queries = Math.max(operation.pageRead?.minRows ?? 0, limit);
			const decision = await limiter.take(subjectOf(call), { ...dailyLimits, queries }, true);
			if (!decision.allowed) {
				const { resetsAt, resetSeconds } = decision.month ?? { resetsAt: "the end of the day (UTC)", resetSeconds: 1 };
				const detail = `your network has reached the website's limit of ${maxRows.toLocaleString("en-US")} rows a day: continue after ${resetsAt}, or use the API with a key (/register)`;
				throw new TooMany(detail, "day", resetSeconds, {});
			}
			call.rowsOfDay = queries;
		},
		giveBack(call) {
			if (call.rowsOfDay > 0) limiter.add(subjectOf(call), -call.rowsOfDay, "day");
			call.rowsOfDay = 0;
		},
	};
}
