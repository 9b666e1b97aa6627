/** Converts a tool's arguments to the equivalent HTTP request, whose values the pipeline validates. */
import type { z } from "zod";
import { AppError, type FieldError, invalid, notFound } from "#libs/contract/errors.ts";
import { takesBody } from "#libs/contract/operation.ts";
import { isBinaryFormat } from "../mcp-tools/forms.ts";
import { type HttpOperation, httpOperations, pathParameters } from "../registry/bindings.ts";
import { jsonSchema } from "../registry/json-schema.ts";
import { maxParameters, writeQuery } from "../registry/params.ts";

export interface ToolRequest {
	/** Path and query of the equivalent HTTP request. */
	address: string;
	path: Record<string, string>;
	query: string;
	/** JSON, for an operation with a body. */
	body?: string;
}

export type Arguments = Record<string, unknown>;

/**
 * Converts arguments. Values in an address must be text, numbers or booleans; the operation validates values in a body. `maxCharacters`: maximum
 * length of path and query. @throws AppError 431 for too many arguments, 414 for too long ones, 422 for other values in an address, 404 for an id
 * that would result in the path of a different operation
 */
export function toolRequest({ operation, http }: HttpOperation, given: Arguments, maxCharacters: number): ToolRequest {
	refuseTooMuch(given, takesBody(http.method) ? Number.POSITIVE_INFINITY : maxCharacters);
	const inPath = pathParameters(http.path);
	const rest = spreadGathered(given, operation.gathers).filter(([name]) => !inPath.includes(name));
	const declared = new Map(Object.entries(operation.params.shape));
	const errors = [
		...inPath.flatMap((name) => faultOfPathValue(name, given[name])),
		// In a query `api_key` would be the caller's key, and keys must not be part of a conversation.
		...rest.flatMap(([name]) => (name === "api_key" && !declared.has("api_key") ? [notHere(name)] : [])),
		...rest.flatMap(([name, value]) =>
			takesBody(http.method) ? faultOfJson(name, value) : faultOfValue(name, value, declared.get(name)),
		),
		// Checked before the caller pays.
		...(isBinaryFormat(operation, given.format)
			? [fault("format", `is not text, which is all that tools return: use GET ${http.path} over HTTP`)]
			: []),
	];
	if (errors.length > 0) throw invalid(errors);
	const at = inPath.reduce(
		(url, name) => url.replace(`{${name}}`, encodeURIComponent(String(given[name]))),
		http.path as string,
	);
	// With the id `stats`, `/developers/{developer_id}` would be the path of a different operation.
	if (inPath.length > 0 && declaredPaths.has(at)) throw notFound("nothing has this id");
	const path = Object.fromEntries(inPath.map((name) => [name, String(given[name])]));
	if (takesBody(http.method)) return { address: at, path, query: "", body: JSON.stringify(Object.fromEntries(rest)) };
	const query = writeQuery(rest);
	const address = query === "" ? at : `${at}?${query}`;
	// Checked again, because percent-encoding can make a character nine characters long.
	if (address.length > maxCharacters) throw tooLong(maxCharacters);
	return { address, path, query };
}

/** Replaces the argument `gathers`, an object, by its fields, because over HTTP they are separate parameters of the query. */
function spreadGathered(given: Arguments, gathers: string | undefined): [string, unknown][] {
	return Object.entries(given).flatMap(([name, value]): [string, unknown][] =>
		name === gathers && typeof value === "object" && value !== null && !Array.isArray(value)
			? Object.entries(value)
			: [[name, value]],
	);
}

function refuseTooMuch(given: Arguments, maxCharacters: number): void {
	const all = Object.entries(given);
	if (all.length > maxParameters) throw new AppError(431, `there are more than ${maxParameters} arguments`);
	const length = (value: unknown) => (typeof value === "string" ? value.length : 1);
	if (all.reduce((sum, [name, value]) => sum + name.length + length(value), 0) > maxCharacters)
		throw tooLong(maxCharacters);
}

const tooLong = (maxCharacters: number) =>
	new AppError(414, `the arguments are longer than ${maxCharacters} characters`);

const declaredPaths = new Set<string>(httpOperations().map(({ http }) => http.path));

/** Checks a value of the path. An empty value is refused, because it would result in a different path. */
function faultOfPathValue(name: string, value: unknown): FieldError[] {
	if (value === undefined) return [fault(name, "is required")];
	return value === "" ? [fault(name, "must have at least 1 character")] : faultOfPlain(name, value);
}

function faultOfValue(name: string, value: unknown, schema: z.ZodType | undefined): FieldError[] {
	// A list is sent as one query parameter, with commas.
	if (Array.isArray(value) && value.length > 0 && schema !== undefined && jsonSchema(schema).type === "array")
		return value.flatMap((one) => faultOfPlain(name, one)).slice(0, 1);
	return faultOfPlain(name, value);
}

function faultOfPlain(name: string, value: unknown): FieldError[] {
	if (!isUnicode(name)) return [fault("arguments", "contain a name that is not valid Unicode")];
	switch (typeof value) {
		case "string":
			return isUnicode(value) ? [] : [fault(name, "is not valid Unicode")];
		case "number":
		case "boolean":
			return [];
		default:
			return [fault(name, "must be text, a number, true or false; omit the argument if it has no value")];
	}
}

/** A value in a body may be any JSON in valid Unicode that is not deeply nested. */
function faultOfJson(name: string, value: unknown, levels = mostNestingLevels): FieldError[] {
	if (typeof value !== "object" || value === null)
		return typeof value === "string" && !isUnicode(value) ? [fault(name, "is not valid Unicode")] : [];
	if (levels === 0) return [fault(name, `has more than ${mostNestingLevels} levels`)];
	return Object.entries(value)
		.flatMap(([inner, each]) => faultOfJson(name, isUnicode(inner) ? each : inner, levels - 1))
		.slice(0, 1);
}

const mostNestingLevels = 8;

const isUnicode = (text: string): boolean => text.isWellFormed();

const notHere = (name: string) =>
	fault(name, "is not an argument: a key is sent as X-API-Key or Authorization: Bearer");
const fault = (name: string, msg: string): FieldError => ({ loc: ["arguments", name], msg });
