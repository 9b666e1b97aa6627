/** The parts of a 402 for indexers and agents besides the price: parameters and answer of the operation, from the registry. */
import { declareDiscoveryExtension } from "@x402/extensions/bazaar";
import { declarePaymentIdentifierExtension, PAYMENT_IDENTIFIER } from "@x402/extensions/payment-identifier";
import type { z } from "zod";
import { type OperationName, type OperationShape, operations } from "#libs/contract/index.ts";
import { pathParameters } from "../../../registry/bindings.ts";
import { isRequired, jsonSchema } from "../../../registry/json-schema.ts";

type JsonSchema = Record<string, unknown>;

/** Keywords that are shown of parameters: few, because a header is short. Bounds are shown for required ones only. */
const shownOfParameters = ["type", "enum"];
const shownOfRequired = [...shownOfParameters, "default", "minimum", "maximum"];
const maxShownFields = 6;
/** Values of an optional parameter. */
const maxShownWords = 10;
/** Optional parameters, the most used of which are declared first. */
const mostShownOptional = 20;

const extensionCache = new Map<OperationName, Record<string, unknown>>();

/** The extensions of an operation's 402, made once. */
export function extensionsOf(name: OperationName): Record<string, unknown> {
	const known = extensionCache.get(name);
	if (known !== undefined) return known;
	const extensions = { ...bazaarOf(operations[name]), [PAYMENT_IDENTIFIER]: declarePaymentIdentifierExtension(false) };
	extensionCache.set(name, extensions);
	return extensions;
}

/** Media type of the answer without parameters. */
export const mediaTypeOf = (name: OperationName): string =>
	((operations[name] as OperationShape).mediaType ?? "application/json").replace(/;.*/s, "");

function bazaarOf(operation: OperationShape): Record<string, unknown> {
	const { method = "GET", path = "/" } = operation.http ?? {};
	const inPath = new Set(pathParameters(path));
	const parameters = Object.entries(operation.params.shape);
	const inQuery = parameters.filter(([name]) => !inPath.has(name));
	const config = {
		input: Object.fromEntries(
			inQuery
				.filter(([, schema]) => isRequired(schema))
				.map(([name, schema]) => [name, operation.example?.[name] ?? acceptedBy(schema)]),
		),
		inputSchema: schemaOf(inQuery),
		...(inPath.size === 0 ? {} : { pathParamsSchema: schemaOf(parameters.filter(([name]) => inPath.has(name))) }),
		output: outputOf(operation),
	};
	const asQuery = { ...config, method };
	const asBody = { ...asQuery, bodyType: "json" as const };
	const { info, ...rest } = declareDiscoveryExtension(method === "POST" ? asBody : asQuery).bazaar ?? {};
	const answered = { ...info, output: { ...info?.output, ...(operation.mediaType ? { type: "text" } : {}) } };
	// With it, indexers see /projects/1 and /projects/2 as one resource.
	const template = inPath.size === 0 ? {} : { routeTemplate: path.replace(/\{(\w+)\}/g, ":$1") };
	return { bazaar: { info: answered, ...rest, ...template } };
}

type Parameter = [name: string, schema: z.ZodType];

function schemaOf(parameters: Parameter[]): JsonSchema {
	const required = parameters.filter(([, schema]) => isRequired(schema)).map(([name]) => name);
	const optional = parameters.filter(([, schema]) => !isRequired(schema));
	const left = new Set(optional.slice(mostShownOptional).map(([name]) => name));
	const shown = parameters.filter(([name]) => !left.has(name));
	return {
		type: "object",
		...(left.size === 0 ? {} : { description: `${left.size} more optional parameters are in /openapi.json` }),
		properties: Object.fromEntries(shown.map(([name, schema]) => [name, shownSchema(schema)])),
		...(required.length === 0 ? {} : { required }),
	};
}

function shownSchema(schema: z.ZodType): JsonSchema {
	const whole = jsonSchema(schema);
	const keys = isRequired(schema) ? shownOfRequired : shownOfParameters;
	const isLong = !isRequired(schema) && Array.isArray(whole.enum) && whole.enum.length > maxShownWords;
	return Object.fromEntries(
		keys.flatMap((key) => (key in whole && !(key === "enum" && isLong) ? [[key, whole[key]]] : [])),
	);
}

/** An example value that the parameter accepts. */
function acceptedBy(schema: z.ZodType): unknown {
	const { enum: words } = jsonSchema(schema);
	const likely = [...(Array.isArray(words) ? words : []), "solar", "TX", "2026-01-31", 100, 1, true];
	return likely.find((value) => schema.safeParse(value).success) ?? null;
}

/** The first fields of the answer with values of their types, because the package requires an example. */
function outputOf({ reply, mediaType }: OperationShape): { example: unknown; schema: JsonSchema } {
	if (mediaType !== undefined) return { example: mediaType, schema: { type: "string" } };
	const { properties = {} } = jsonSchema(reply) as { properties?: Record<string, JsonSchema> };
	const shown = Object.entries(properties).slice(0, maxShownFields);
	return {
		example: Object.fromEntries(shown.map(([name, schema]) => [name, exampleOf(schema)])),
		schema: { properties: Object.fromEntries(shown.map(([name, { type }]) => [name, type ? { type } : {}])) },
	};
}

function exampleOf({ type, enum: words }: JsonSchema): unknown {
	if (Array.isArray(words)) return words[0];
	const first = Array.isArray(type) ? type[0] : type;
	if (first === "string") return "";
	if (first === "number" || first === "integer") return 0;
	if (first === "boolean") return true;
	if (first === "array") return [];
	return first === "object" ? {} : null;
}
