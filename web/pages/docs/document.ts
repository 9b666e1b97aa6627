/** The OpenAPI document, and the endpoints that the page derives from it. */
import type { Release } from "#libs/contract/documents/changelog.ts";
import { answerOf, type Call } from "#libs/contract/documents/programs.ts";
import type { ErrorCode } from "#libs/contract/error-codes.ts";
import type { OperationName } from "#libs/contract/index.ts";
import {
	byReference,
	componentSchemas,
	type JsonSchema,
	withoutReferences,
} from "#libs/contract/schemas/json-schema.ts";

export interface OpenapiDocument {
	info: { version: string; "x-guidance": string };
	tags: { name: string; description: string }[];
	paths: Record<string, Partial<Record<"get" | "post" | "patch" | "delete", DescribedOperation>>>;
	components: { schemas: Record<string, JsonSchema> };
}

interface DescribedOperation {
	operationId: OperationName;
	summary: string;
	/** Price, MCP tool, limits, and why the operation has no `as_of`. */
	description?: string | undefined;
	tags: string[];
	"x-price": string;
	"x-payment-info"?: { price: { mode: "fixed"; amount: string } | { mode: "dynamic"; min: string; max: string } };
	security: Record<string, unknown>[];
	parameters: DescribedParameter[];
	requestBody?: { content: Record<string, { schema: JsonSchema; example: Record<string, unknown> }> };
	responses: Record<string, { content?: Record<string, { schema: JsonSchema; example?: unknown }> }>;
}

interface DescribedParameter {
	name: string;
	in: "path" | "query";
	description?: string;
	required: boolean;
	schema: JsonSchema;
	example?: unknown;
}

/** The contents of /web/documentation.json: what the page needs in addition to the OpenAPI document. */
export interface Beside {
	/** Operations that pages may read under /web/data. */
	reads: OperationName[];
	guides: DescribedGuide[];
	errors: { code: ErrorCode; status: number; when: string; remedy: string }[];
	changelog: Release[];
}

export interface DescribedGuide {
	kind: string;
	path: string;
	title: string;
	lead: string;
	sections: { title: string; address: string }[];
}

export interface Parameter {
	name: string;
	in: "path" | "query" | "body";
	required: boolean;
	description: string;
	schema: JsonSchema;
	example: string | undefined;
}

export interface Endpoint {
	id: OperationName;
	method: "GET" | "POST" | "PATCH" | "DELETE";
	path: string;
	summary: string;
	/** Price, MCP tool, limits, and why the operation has no `as_of`. */
	description?: string | undefined;
	group: string;
	price: string;
	/** Price (USD) of a call without a key; undefined if there is none. */
	usd: string | undefined;
	/** `better`: a key is optional, but useful; `credits`: the token of prepaid credits is required. */
	key: "none" | "better" | "needed" | "credits";
	parameters: Parameter[];
	/** Schema and example of the response with status 200, by media type. */
	answers: [mediaType: string, content: { schema: JsonSchema; example?: unknown }][];
	refusals: string[];
}

export interface Group {
	name: string;
	description: string;
	endpoints: Endpoint[];
}

export function groupsOf({ tags, paths, components }: OpenapiDocument): Group[] {
	const named = byReference(componentSchemas, components.schemas);
	const all = Object.entries(paths).flatMap(([path, methods]) =>
		Object.entries(methods).map(([method, described]) => endpointOf(method, path, described, named)),
	);
	return tags.map(({ name, description }) => ({
		name,
		description,
		endpoints: all.filter(({ group }) => group === name).sort(byDepth),
	}));
}

/** Orders lists before their members and files. */
const byDepth = (one: Endpoint, other: Endpoint): number =>
	one.path.split("/").length - other.path.split("/").length ||
	Number(other.path === `/${one.group}`) - Number(one.path === `/${one.group}`);

/** Creates an endpoint whose schemas are resolved only when it is opened or searched: resolving all schemas would delay the page. */
function endpointOf(
	method: string,
	path: string,
	described: DescribedOperation,
	named: ReadonlyMap<string, JsonSchema>,
): Endpoint {
	const { operationId: id, summary, description, tags, security, responses } = described;
	let whole: Pick<Endpoint, "parameters" | "answers"> | undefined;
	const resolved = () => {
		if (whole === undefined) {
			const operation = withoutReferences(described, named);
			whole = {
				parameters: [...operation.parameters.map(parameterOf), ...bodyOf(operation)],
				answers: Object.entries(operation.responses["200"]?.content ?? {}),
			};
		}
		return whole;
	};
	return {
		id,
		method: method.toUpperCase() as Endpoint["method"],
		path,
		summary,
		description,
		group: tags[0] ?? "",
		price: described["x-price"],
		usd: usdOf(described),
		key: keyOf(security),
		get parameters() {
			return resolved().parameters;
		},
		get answers() {
			return resolved().answers;
		},
		refusals: Object.keys(responses).filter((status) => status !== "200"),
	};
}

function usdOf({ "x-payment-info": info }: DescribedOperation): string | undefined {
	if (info === undefined) return undefined;
	return info.price.mode === "fixed" ? info.price.amount : `${info.price.min} to ${info.price.max}`;
}

function keyOf(security: DescribedOperation["security"]): Endpoint["key"] {
	if (security.some((way) => "credits" in way) && security.length === 1) return "credits";
	if (security.length === 0) return "none";
	return security.some((way) => Object.keys(way).length === 0) ? "better" : "needed";
}

const parameterOf = ({
	name,
	in: position,
	description = "",
	required,
	schema,
	example,
}: DescribedParameter): Parameter => ({
	name,
	in: position,
	required,
	description,
	schema,
	example: example === undefined ? undefined : textOf(example),
});

function bodyOf({ requestBody }: DescribedOperation): Parameter[] {
	const { schema, example = {} } = requestBody?.content["application/json"] ?? {};
	return Object.entries(schema?.properties ?? {}).map(([name, each]) => ({
		name,
		in: "body",
		required: schema?.required?.includes(name) ?? false,
		description: each.description ?? "",
		schema: each,
		example: name in example ? textOf((example as Record<string, unknown>)[name]) : undefined,
	}));
}

/** Formats an example as text: lists are separated by commas; objects are JSON. */
function textOf(value: unknown): string {
	if (Array.isArray(value)) return value.join(",");
	return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Values typed into the fields, by parameter; an empty text means no value. */
export type Given = Record<string, string>;

export const exampleOf = ({ parameters }: Endpoint): Given =>
	Object.fromEntries(parameters.flatMap(({ name, example }) => (example === undefined ? [] : [[name, example]])));

export function callOf({ method, path, parameters, key, answers }: Endpoint, given: Given): Call {
	const set = parameters.filter(({ name }) => (given[name] ?? "") !== "");
	const at = path.replace(/\{(\w+)\}/g, (whole, name: string) => encodeURIComponent(given[name] || whole));
	const query = new URLSearchParams(
		set.filter((parameter) => parameter.in === "query").map(({ name }): [string, string] => [name, given[name] ?? ""]),
	).toString();
	const inBody = set.filter((parameter) => parameter.in === "body");
	const body = Object.fromEntries(inBody.map(({ name, schema }) => [name, parseValue(given[name] ?? "", schema)]));
	return {
		method,
		address: query === "" ? at : `${at}?${query}`,
		body: inBody.length === 0 ? undefined : JSON.stringify(body),
		secret: key === "none" ? undefined : key === "credits" ? "credits" : "key",
		answer: answerOf(answers[0]?.[0] ?? "application/json"),
	};
}

/** Parses a value. A text that is not of the schema's type is sent unchanged, so that the service explains the error. */
function parseValue(text: string, { type, items, anyOf }: JsonSchema): unknown {
	const types = [type ?? anyOf?.map((each) => each.type) ?? []].flat(2);
	if (items !== undefined && !text.startsWith("[")) return text.split(",").map((each) => parseValue(each, items));
	if (types.includes("string") && !types.includes("null")) return text;
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

/** Formats indented JSON, with invisible characters and direction marks escaped. */
export const jsonText = (value: unknown): string =>
	JSON.stringify(value, null, 2).replace(/[\p{Cf}\u007f-\u009f]/gu, escaped);

const escaped = (mark: string): string =>
	[...Array(mark.length).keys()]
		.map((position) => `\\u${mark.charCodeAt(position).toString(16).padStart(4, "0")}`)
		.join("");
