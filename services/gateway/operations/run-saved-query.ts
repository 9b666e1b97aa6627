import type { Bus } from "#libs/bus/connect.ts";
import { requestJson } from "#libs/bus/request.ts";
import { type FieldError, invalid } from "#libs/contract/errors.ts";
import type { Handler, Reply } from "#libs/contract/index.ts";
import { type BoundValue, readValue } from "#libs/contract/saved-query-values.ts";
import { callerOf } from "./caller-of.ts";
import { preferredFormat, run } from "./run-query.ts";

/** The statement and its parameters are the account's, the run is that of `getQuery`. */
export function runSavedQuery(bus: Bus, timeoutMs: number): Handler<"runSavedQuery"> {
	return async ({ query_id, format = undefined, safe, values }, context) => {
		const { accountId } = callerOf(context);
		const { sql, database, parameters } = await requestJson(
			bus,
			"getSavedQuery",
			{ query_id },
			{ timeoutMs, accountId },
		);
		const question = { sql, database, safe, values: valuesOf(parameters, values), kept: true };
		return run({ ...question, format: format ?? preferredFormat(context) }, { bus, timeoutMs, context });
	};
}

/** @throws AppError 422 that names each parameter which is unknown, missing or of another type */
function valuesOf(
	parameters: Reply<"getSavedQuery">["parameters"],
	given: Readonly<Record<string, string>>,
): BoundValue[] {
	const errors: FieldError[] = [];
	const fault = (name: string, msg: string) => errors.push({ loc: ["query", name], msg });
	const known = new Set(parameters.map(({ name }) => name));
	for (const name of Object.keys(given)) if (!known.has(name)) fault(name, "is no parameter of this query");
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
	// Nothing has run: it is free, as what is wrong with declared parameters is.
	if (errors.length > 0) throw invalid(errors, { counts: false });
	return values;
}
