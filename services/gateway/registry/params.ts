/** Parses the parameters of an operation from a URL. A single 422 lists all errors. */
import { LRUCache } from "lru-cache";
import type { z } from "zod";
import { didYouMean } from "#libs/contract/did-you-mean.ts";
import { AppError, badRequest, type FieldError, invalid } from "#libs/contract/errors.ts";
import { type OperationName, type OperationShape, operations, type Params } from "#libs/contract/index.ts";
import { pathParameters } from "./bindings.ts";
import { jsonSchema } from "./json-schema.ts";

/** Maximum queries that are cached for an operation. */
const maxCachedQueries = 500;
/** Longer queries are not cached. */
const maxCachedCharacters = 200;

/** Names that every endpoint accepts, but that are not parameters. Their values must not reach an owner or a log. */
const acceptedEverywhere = new Set(["api_key"]);

/** Parses path parameters and a query. Pure. @throws AppError 400 (cannot be decoded), 422 */
export type ReadParams<N extends OperationName> = (path: Record<string, string>, query: string) => Params<N>;

/** @returns the parser of an operation's parameters. Everything that does not depend on the request is prepared once */
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
	const cache = new LRUCache<string, Params<N>>({ max: maxCachedQueries });
	return (path, query) => {
		// Paths with parameters rarely repeat, and a query with a key belongs to one caller.
		const isCacheable =
			Object.keys(path).length === 0 && query.length <= maxCachedCharacters && !query.includes("api_key");
		const cacheKey = isCacheable ? query : undefined;
		const cached = cacheKey === undefined ? undefined : cache.get(cacheKey);
		if (cached !== undefined) return cached;
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
			const earlierValue = given[parameter];
			if (!inQuery.has(parameter))
				errors.push(fault(parameter, `is not a parameter of ${http?.method} ${http?.path}${hint(parameter)}`));
			else if (earlierValue !== undefined && repeatable.has(parameter)) given[parameter] = `${earlierValue},${value}`;
			else if (parameter in given) errors.push(fault(parameter, "is given more than once"));
			else given[parameter] = value;
		}
		if (gathers !== undefined) given[gathers] = gathered;
		const parsed = schema.safeParse(given);
		if (parsed.success && errors.length === 0) {
			const params = Object.freeze(parsed.data) as Params<N>;
			if (cacheKey !== undefined) cache.set(cacheKey, params);
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
	const isGiven = parameter in given || issue.code === "custom";
	const unknown = issue.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
	const within = [...issue.path.slice(1), ...unknown].map(String);
	// In a list of objects, the location includes the index and the field of the object.
	if (isGiven && typeof inner === "number" && within.length > 1)
		return { loc: [elsewhere, parameter, ...within], msg: unknown.length > 0 ? "is not a parameter" : issue.message };
	return {
		loc: [inPath.has(parameter) ? "path" : elsewhere, parameter],
		// The message of an error inside an object begins with the field. A rule about several parameters has a complete message.
		msg: !isGiven ? "is required" : typeof inner === "string" ? `${inner} ${issue.message}` : issue.message,
	};
}

/** Maximum parameters of a query, fields of a body or arguments of a tool. */
export const maxParameters = 100;

/** Decodes a query to names and values, in order and with repetitions. @throws AppError 400 for an invalid percent-encoding, 414 for too many */
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

/** Encodes a query. A list becomes one parameter, with commas. */
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
