/** The interface as TypeScript, printed from the OpenAPI document, so that the client's package does not depend on the contract. */
import { componentSchemas, type JsonSchema } from "#libs/contract/schemas/json-schema.ts";
import { openapiDocument } from "../../services/gateway/documents/openapi/openapi.ts";

export interface Described {
	operationId: string;
	summary: string;
	parameters: { name: string; in: string; required: boolean; description?: string; schema: JsonSchema }[];
	requestBody?: { content: Record<string, { schema: JsonSchema }> };
	responses: Record<string, { content: Record<string, { schema: JsonSchema }> }>;
}

/** The operations of the OpenAPI document, and its schemas by name. */
export function readInterface(): { operations: Described[]; schemas: Record<string, JsonSchema> } {
	const { paths, components } = openapiDocument() as unknown as {
		paths: Record<string, Record<string, Described>>;
		components: { schemas: Record<string, JsonSchema> };
	};
	return { operations: Object.values(paths).flatMap((methods) => Object.values(methods)), schemas: components.schemas };
}

/** Returns a module with an interface for each schema, and `Calls` with parameters and reply of each operation. */
export function typesOfInterface(): string {
	const { operations, schemas } = readInterface();
	const declarations = Object.entries(schemas).map(([name, schema]) => declaration(name, schema));
	const calls = operations.map((each) => `\t/** ${comment(each.summary)} */\n\t${each.operationId}: ${callOf(each)};`);
	return [...declarations, `export interface Calls {\n${calls.join("\n")}\n}`].join("\n\n").concat("\n");
}

function declaration(name: string, schema: JsonSchema): string {
	const text = schema.description === undefined ? "" : `/** ${comment(schema.description)} */\n`;
	if (schema.properties === undefined) return `${text}export type ${name} = ${typeOf(schema)};`;
	return `${text}export interface ${name} ${objectOf(schema)}`;
}

function callOf({ parameters, requestBody, responses }: Described): string {
	const fields = parameters.map(({ name, required, description, schema }) =>
		field(name, { ...schema, ...(description !== undefined && { description }) }, required, oneOrSeveral(schema)),
	);
	const [body] = Object.values(requestBody?.content ?? {});
	const given = [
		...(fields.length > 0 || body === undefined ? [`{\n${indented(fields.join("\n"))}\n\t}`] : []),
		...(body === undefined ? [] : [typeOf(body.schema)]),
	];
	const [answer] = Object.values(responses["200"]?.content ?? {});
	return `{ params: ${given.join(" & ")}; reply: ${typeOf(answer?.schema ?? {})} }`;
}

/** A list parameter also accepts a single value. */
const oneOrSeveral = (schema: JsonSchema): string =>
	schema.items === undefined ? typeOf(schema) : `${typeOf(schema.items)} | readonly (${typeOf(schema.items)})[]`;

function objectOf({ properties = {}, required = [] }: JsonSchema): string {
	const fields = Object.entries(properties).map(([name, each]) => field(name, each, required.includes(name)));
	return `{\n${fields.join("\n")}\n}`;
}

function field(name: string, schema: JsonSchema, isRequired: boolean, type = typeOf(schema)): string {
	const unit = schema["x-unit"];
	const text = [schema.description, unit === undefined ? undefined : `[${unit}]`].filter(Boolean).join(" ");
	const note = text === "" ? "" : `\t/** ${comment(text)} */\n`;
	return `${note}\t${/^\w+$/.test(name) ? name : JSON.stringify(name)}${isRequired ? "" : "?"}: ${type};`;
}

function typeOf(schema: JsonSchema): string {
	const { $ref, const: only, enum: words, anyOf, oneOf, items, properties, additionalProperties, type } = schema;
	if ($ref !== undefined) return $ref.slice(componentSchemas.length);
	if (only !== undefined) return JSON.stringify(only);
	if (words !== undefined) return words.map((word) => JSON.stringify(word)).join(" | ");
	const variants = anyOf ?? oneOf;
	if (variants !== undefined) return [...new Set(variants.map(typeOf))].join(" | ");
	if (items !== undefined) return `(${typeOf(items)})[]`;
	if (properties !== undefined) return objectOf(schema);
	if (Array.isArray(type)) return type.map((each) => typeOf({ type: each })).join(" | ");
	switch (type) {
		case "string":
		case "boolean":
		case "null":
			return type;
		case "integer":
		case "number":
			return "number";
		case "array":
			return "unknown[]";
		case "object":
			return `Record<string, ${typeof additionalProperties === "object" ? typeOf(additionalProperties) : "unknown"}>`;
		default:
			return "unknown";
	}
}

const comment = (text: string): string => text.replaceAll("*/", "*\\/").replace(/\s+/g, " ");
const indented = (text: string): string => text.replace(/^/gm, "\t");
