/** The extensions of a 402 for indexers and agents: parameters and response of the operation, from the registry. */
import { declareDiscoveryExtension } from "@x402/extensions/bazaar";
import { declarePaymentIdentifierExtension, PAYMENT_IDENTIFIER } from "@x402/extensions/payment-identifier";
import type { z } from "zod";
import { type OperationName, type OperationShape, operations } from "#libs/contract/index.ts";
import { pathParameters } from "../../../registry/bindings.ts";
import { isRequired, type JsonObject, jsonSchema } from "../../../registry/json-schema.ts";

/** Only these keywords of a parameter's schema are shown, because headers must be short. */
const shownOfParameters = ["type", "enum"];
/** Keywords that are shown for required parameters. */
const shownOfRequired = [...shownOfParameters, "default", "minimum", "maximum"];
const maxShownFields = 6;
/** If an optional parameter has more values, they are omitted. */
const maxShownValues = 10;
/** Maximum optional parameters that are shown. The most common ones are declared first. */
const maxShownOptional = 20;

const extensionCache = new Map<OperationName, Record<string, unknown>>();

/** The extensions of an operation's 402, cached. */
export function extensionsOf(name: OperationName): Record<string, unknown> {
	const cached = extensionCache.get(name);
	if (cached !== undefined) return cached;
	const extensions = { ...bazaarOf(operations[name]), [PAYMENT_IDENTIFIER]: declarePaymentIdentifierExtension(false) };
	extensionCache.set(name, extensions);
	return extensions;
}

/** Media type of the response, without its parameters. */
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
				.map(([name, schema]) => [name, operation.example?.[name] ?? acceptedValue(schema)]),
		),
		inputSchema: schemaOf(inQuery),
		...(inPath.size === 0 ? {} : { pathParamsSchema: schemaOf(parameters.filter(([name]) => inPath.has(name))) }),
		output: outputOf(operation),
	};
	const asQuery = { ...config, method };
	const asBody = { ...asQuery, bodyType: "json" as const };
	const { info, ...rest } = declareDiscoveryExtension(method === "POST" ? asBody : asQuery).bazaar ?? {};
	const describedInfo = { ...info, output: { ...info?.output, ...(operation.mediaType ? { type: "text" } : {}) } };
	// With a template, indexers see /projects/1 and /projects/2 as one resource.
	const template = inPath.size === 0 ? {} : { routeTemplate: path.replace(/\{(\w+)\}/g, ":$1") };
	return { bazaar: { info: describedInfo, ...rest, ...template } };
}

function schemaOf(parameters: [name: string, schema: z.ZodType][]): JsonObject {
	const required = parameters.filter(([, schema]) => isRequired(schema)).map(([name]) => name);
	const optional = parameters.filter(([, schema]) => !isRequired(schema));
	const omitted = new Set(optional.slice(maxShownOptional).map(([name]) => name));
	const shown = parameters.filter(([name]) => !omitted.has(name));
	return {
		type: "object",
		...(omitted.size === 0 ? {} : { description: `${omitted.size} more optional parameters are in /openapi.json` }),
		properties: Object.fromEntries(shown.map(([name, schema]) => [name, shownSchema(schema)])),
		...(required.length === 0 ? {} : { required }),
	};
}

function shownSchema(schema: z.ZodType): JsonObject {
	const whole = jsonSchema(schema);
	const keys = isRequired(schema) ? shownOfRequired : shownOfParameters;
	const isLong = !isRequired(schema) && Array.isArray(whole.enum) && whole.enum.length > maxShownValues;
	return Object.fromEntries(
		keys.flatMap((key) => (key in whole && !(key === "enum" && isLong) ? [[key, whole[key]]] : [])),
	);
}

/** An example value that the parameter accepts. */
function acceptedValue(schema: z.ZodType): unknown {
	const { enum: values } = jsonSchema(schema);
	const candidates = [...(Array.isArray(values) ? values : []), "solar", "TX", "2026-01-31", 100, 1, true];
	return candidates.find((value) => schema.safeParse(value).success) ?? null;
}

/** The first fields of the response, with invented values of their types, because the package requires an example. */
function outputOf({ reply, mediaType }: OperationShape): { example: unknown; schema: JsonObject } {
	if (mediaType !== undefined) return { example: mediaType, schema: { type: "string" } };
	const { properties = {} } = jsonSchema(reply) as { properties?: Record<string, JsonObject> };
	const shown = Object.entries(properties).slice(0, maxShownFields);
	return {
		example: Object.fromEntries(shown.map(([name, schema]) => [name, exampleOf(schema)])),
		schema: { properties: Object.fromEntries(shown.map(([name, { type }]) => [name, type ? { type } : {}])) },
	};
}

function exampleOf({ type, enum: values }: JsonObject): unknown {
	if (Array.isArray(values)) return values[0];
	const first = Array.isArray(type) ? type[0] : type;
	if (first === "string") return "";
	if (first === "number" || first === "integer") return 0;
	if (first === "boolean") return true;
	if (first === "array") return [];
	return first === "object" ? {} : null;
}
