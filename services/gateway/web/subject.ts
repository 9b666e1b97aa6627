/** Whether what a page is about exists: else its address is one of nothing. */
import type { PlainName } from "#libs/bus/request.ts";
import { AppError } from "#libs/contract/errors.ts";
import type { ParamsInput } from "#libs/contract/index.ts";
import { newCall, type Transport } from "../calls/call.ts";
import type { Work } from "../calls/work.ts";
import { inTime } from "../documents/in-time.ts";
import { type HttpOperation, pathParameters } from "../registry/bindings.ts";
import { paramsReader } from "../registry/params.ts";
import type { ResponseCache } from "../response-cache/response-cache.ts";

export interface SubjectOptions {
	answers: ResponseCache;
	work: Work;
}

/** A page does not wait for longer (ms): it says by itself what it cannot read. */
const patienceMs = 1_000;

/**
 * Asks for the answer that the page itself will read, which is then kept for it. @throws AppError 4xx where there is none; of an owner that
 * does not answer in time nothing is known, and the page is shown.
 */
export function subjectCheck(operation: HttpOperation, { answers, work }: SubjectOptions) {
	const { name, http } = operation;
	if (pathParameters(http.path).length === 0) return async () => {};
	const read = paramsReader(name);
	return async (transport: Transport): Promise<void> => {
		const params = read(transport.path, dayIn(transport.query)) as ParamsInput<PlainName>;
		const call = newCall(operation, transport);
		const asked = answers.get(name as PlainName, params, () => work(call));
		try {
			await inTime(asked, AbortSignal.timeout(patienceMs));
		} catch (error) {
			if (error instanceof AppError && error.status < 500 && error.status !== 429) throw error;
		}
	};
}

/** Of a link's query pages read the day alone: what else stands there, as of a campaign, is no fault. */
function dayIn(query: string): string {
	const as_of = new URLSearchParams(query).get("as_of");
	return as_of === null ? "" : new URLSearchParams({ as_of }).toString();
}
