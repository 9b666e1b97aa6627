/** Parses the parameters in a body (JSON or a form) as strictly as those in a query. */
import { AppError, badRequest, type FieldError, invalid } from "#libs/contract/errors.ts";
import { type OperationName, type OperationShape, operations, type Params } from "#libs/contract/index.ts";
import { pathParameters } from "../registry/bindings.ts";
import { maxParameters, readQuery, translate } from "../registry/params.ts";

/** The fields of a body. The object has no prototype, so that `__proto__` is a name like any other. */
export type Fields = Record<string, unknown>;

/** Reads path parameters, query (only `api_key` is allowed) and body. @throws AppError 400, 422 */
export type ReadBodyParams<N extends OperationName> = (
	path: Record<string, string>,
	query: string,
	body: Fields,
) => Params<N>;

/**
 * Parses a body into fields; an empty body of any type has none. @throws AppError 400 if it cannot be parsed, 413 for too many fields, 415
 * for another media type, 422 for a repeated field
 */
export function readBody(contentType: string | undefined, body: Buffer | string): Fields {
	if (body.length === 0) return emptyFields();
	const mediaType = contentType?.split(";", 1)[0]?.trim().toLowerCase();
	const parse = mediaType === undefined ? undefined : parsers.get(mediaType);
	if (parse === undefined) throw new AppError(415, `send the body as ${[...parsers.keys()].join(" or ")}`);
	const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(contentType ?? "")?.[1];
	if (charset !== undefined && !/^utf-?8$/i.test(charset)) throw new AppError(415, "send the body in UTF-8");
	return parse(typeof body === "string" ? body : decode(body));
}

/** Like `paramsReader`, but errors have locations in the body (`["body", "email"]`). */
export function bodyReader<N extends OperationName>(name: N): ReadBodyParams<N> {
	const { params: schema, http }: OperationShape = operations[name];
	const inPath = new Set(pathParameters(http?.path ?? ""));
	const inBody = new Set(Object.keys(schema.shape).filter((parameter) => !inPath.has(parameter)));
	const unknown = `is not a parameter of ${http?.method} ${http?.path}`;

	return (path, query, body) => {
		const errors: FieldError[] = [];
		for (const [parameter] of readQuery(query)) {
			if (parameter === "api_key") continue;
			const msg = inBody.has(parameter) ? "belongs in the body" : unknown;
			errors.push({ loc: ["query", parameter], msg });
		}
		const given: Fields = Object.assign(emptyFields(), path);
		for (const [field, value] of Object.entries(body)) {
			if (inBody.has(field)) given[field] = value;
			else errors.push({ loc: ["body", field], msg: unknown });
		}
		const parsed = schema.safeParse(given);
		if (parsed.success && errors.length === 0) return parsed.data as Params<N>;
		for (const issue of parsed.error?.issues ?? []) errors.push(translate(issue, inPath, given, "body"));
		throw invalid(errors);
	};
}

const emptyFields = (): Fields => Object.create(null);

const parsers = new Map<string, (text: string) => Fields>([
	["application/json", readJson],
	["application/x-www-form-urlencoded", readForm],
]);

function decode(body: Buffer): string {
	try {
		return new TextDecoder("utf-8", { fatal: true }).decode(body);
	} catch {
		throw badRequest("the body is not valid UTF-8");
	}
}

function readJson(text: string): Fields {
	const value = parseJson(text);
	if (typeof value !== "object" || value === null || Array.isArray(value))
		throw badRequest("the body must be a JSON object");
	if (Object.keys(value).length > maxParameters) throw tooManyFields();
	refuseRepeated(topLevelNames(text));
	return Object.assign(emptyFields(), value);
}

/** Reports the position of a syntax error, but not the text, which can be a secret. */
function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch (error) {
		const position = error instanceof Error ? /at position \d+/.exec(error.message)?.[0] : undefined;
		throw badRequest(position === undefined ? "the body is not valid JSON" : `the body is not valid JSON ${position}`);
	}
}

/** The names of a JSON object, with repetitions. A repeated name is refused, because parsers differ in which value they use. */
function topLevelNames(validJson: string): string[] {
	const names: string[] = [];
	let depth = 0;
	for (const [token, text] of validJson.matchAll(/("[^"\\]*(?:\\.[^"\\]*)*")\s*:|"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]]/g)) {
		if (token === "{" || token === "[") depth++;
		else if (token === "}" || token === "]") depth--;
		else if (text !== undefined && depth === 1) names.push(JSON.parse(text));
	}
	return names;
}

function readForm(text: string): Fields {
	const pairs = decodePairs(text);
	refuseRepeated(pairs.map(([name]) => name));
	const fields = emptyFields();
	// A browser sends every field of a form, so an empty field was not filled in.
	for (const [name, value] of pairs) if (value !== "") fields[name] = value;
	return fields;
}

function decodePairs(text: string): [string, string][] {
	try {
		return readQuery(text);
	} catch (error) {
		if (!(error instanceof AppError)) throw error;
		throw error.status === 414 ? tooManyFields() : badRequest("the form is not valid percent-encoded UTF-8");
	}
}

const tooManyFields = (): AppError => new AppError(413, `the body has more than ${maxParameters} fields`);

function refuseRepeated(names: string[]): void {
	const repeated = new Set(names.filter((name, at) => names.indexOf(name) < at));
	if (repeated.size > 0)
		throw invalid([...repeated].map((name) => ({ loc: ["body", name], msg: "is given more than once" })));
}
