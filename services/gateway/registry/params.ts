/** Parses a URL into an operation's parameters, or throws a single 422 that lists every error. */
import { LRUCache } from "lru-cache";
import type { z } from "zod";
import { didYouMean } from "#libs/contract/did-you-mean.ts";
import { AppError, badRequest, type FieldError, invalid } from "#libs/contract/errors.ts";
import { type OperationName, type OperationShape, operations, type Params } from "#libs/contract/index.ts";
import { pathParameters } from "./bindings.ts";
import { jsonSchema } from "./json-schema.ts";

/** Most queries that are cached for an operation, and the longest query that is cached (characters). */
const mostRecent = 500;
const longestRecent = 200;

/** Names that every endpoint accepts but that are not parameters: they must reach neither an owner nor a log. */
const acceptedEverywhere = new Set(["api_key"]);

/** Parses path parameters and a query. Pure. @throws AppError 400 (cannot be decoded), 422 */
export type ReadParams<N extends OperationName> = (path: Record<string, string>, query: string) => Params<N>;

/** Makes the parser of an operation's parameters, with everything prepared that does not depend on the request. */
export function paramsReader<N extends OperationName>(name: N): ReadParams<N> {
	const { params: schema, http, gathers, noPast }: OperationShape = operations[name];
	const inPath = new Set(pathParameters(http?.path ?? ""));
	const inQuery = new Set(
		Object.keys(schema.shape).filter((parameter) => !inPath.has(parameter) && parameter !== gathers),
	);
	const repeatable = new Set([...inQuery].filter((parameter) => takesSeveral(schema.shape[parameter])));

	const hint = (parameter: string): string =>
		parameter === "as_of" && noPast !== undefined ? `. ${noPast}` : didYouMean(parameter, [...inQuery]);

	// Repeated queries are parsed once.
	const recent = new LRUCache<string, Params<N>>({ max: mostRecent });
	return (path, query) => {
		// Paths with parameters rarely repeat, and a query with a key belongs to one caller.
		const isCacheable = Object.keys(path).length === 0 && query.length <= longestRecent && !query.includes("api_key");
		const address = isCacheable ? query : undefined;
		const known = address === undefined ? undefined : recent.get(address);
		if (known !== undefined) return known;
		const errors: FieldError[] = [];
		// The object has no prototype, so that `?__proto__=` is a name like any other.
		const given: Record<string, unknown> = Object.assign(Object.create(null), path);
		const gathered: Record<string, string> = Object.create(null);
		for (const [parameter, value] of readQuery(query)) {
			if (acceptedEverywhere.has(parameter)) continue;
			if (gathers !== undefined && !inQuery.has(parameter)) {
				if (parameter in gathered) errors.push(fault(parameter, "is given more than once"));
				gathered[parameter] = value;
				continue;
			}
			const before = given[parameter];
			if (!inQuery.has(parameter))
				errors.push(fault(parameter, `is not a parameter of ${http?.method} ${http?.path}${hint(parameter)}`));
			else if (before !== undefined && repeatable.has(parameter)) given[parameter] = `${before},${value}`;
			else if (parameter in given) errors.push(fault(parameter, "is given more than once"));
			else given[parameter] = value;
		}
		if (gathers !== undefined) given[gathers] = gathered;
		const parsed = schema.safeParse(given);
		if (parsed.success && errors.length === 0) {
			const params = Object.freeze(parsed.data) as Params<N>;
			if (address !== undefined) recent.set(address, params);
			return params;
		}
		for (const issue of parsed.error?.issues ?? []) errors.push(translate(issue, inPath, given, "query"));
		throw invalid(errors);
	};
}

function takesSeveral(schema: z.ZodType | undefined): boolean {
	return schema !== undefined && jsonSchema(schema).items !== undefined && !("prefixItems" in jsonSchema(schema));
}

const fault = (parameter: string, msg: string): FieldError => ({ loc: ["query", parameter], msg });

/** Translates a zod issue into an error with the location of its parameter: the path, or `elsewhere`. */
export function translate(
	issue: z.core.$ZodIssue,
	inPath: Set<string>,
	given: object,
	elsewhere: "query" | "body",
): FieldError {
	const [first = "", inner] = issue.path;
	const parameter = String(first);
	const isThere = parameter in given || issue.code === "custom";
	const unknown = issue.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
	const within = [...issue.path.slice(1), ...unknown].map(String);
	// For a list of objects: the index, and the field of the object.
	if (isThere && typeof inner === "number" && within.length > 1)
		return { loc: [elsewhere, parameter, ...within], msg: unknown.length > 0 ? "is not a parameter" : issue.message };
	return {
		loc: [inPath.has(parameter) ? "path" : elsewhere, parameter],
		// A rule about several parameters has its own message ("lat and lon must be given together"). An error inside an object names the field.
		msg: !isThere ? "is required" : typeof inner === "string" ? `${inner} ${issue.message}` : issue.message,
	};
}

/** Most parameters of a query, fields of a body or arguments of a tool. */
export const maxParameters = 100;

/** Names and values in order, with repetitions. `+` is a space. @throws AppError 400 for an invalid percent-encoding, 414 for too many */
export function readQuery(text: string): [name: string, value: string][] {
	if (text === "") return [];
	const pairs: [string, string][] = [];
	for (const part of text.split("&")) {
		if (part === "") continue;
		if (pairs.length === maxParameters) throw new AppError(414, `there are more than ${maxParameters} parameters`);
		const equals = part.indexOf("=");
		if (equals === -1) pairs.push([decode(part), ""]);
		else pairs.push([decode(part.slice(0, equals)), decode(part.slice(equals + 1))]);
	}
	return pairs;
}

/** The opposite of `readQuery`. A list becomes one parameter, with commas. */
export const writeQuery = (pairs: readonly (readonly [name: string, value: unknown])[]): string =>
	pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`).join("&");

function decode(text: string): string {
	const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
	if (!spaced.includes("%")) return spaced;
	try {
		return decodeURIComponent(spaced);
	} catch {
		throw badRequest("the query is not valid percent-encoded UTF-8");
	}
}
