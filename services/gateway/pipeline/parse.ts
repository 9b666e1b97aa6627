/** Step: the parameters, from where the declaration has them. Pure; a fault is kept and reported after the limits. */
import { takesBody } from "#libs/contract/operation.ts";
import type { Call, Transport } from "../calls/call.ts";
import { bodyReader, readBody } from "../http/body.ts";
import type { HttpOperation } from "../registry/bindings.ts";
import { paramsReader } from "../registry/params.ts";
import { pageReadCheck } from "./page-read.ts";

/** @returns a step that sets `params`, or `fault` (AppError 400, 413, 415, 422). */
export function parser(operation: HttpOperation): (call: Call) => void {
	const read = reader(operation);
	const check = pageReadCheck(operation);
	return (call) => {
		try {
			const params = read(call.transport);
			check?.(params);
			call.params = params;
		} catch (fault) {
			call.fault = fault;
		}
	};
}

function reader({ name, http }: HttpOperation): (from: Transport) => object {
	if (!takesBody(http.method)) {
		const read = paramsReader(name);
		return ({ path, query }) => read(path, query);
	}
	const read = bodyReader(name);
	return ({ path, query, headers, body }) => read(path, query, readBody(headers["content-type"], body ?? ""));
}
