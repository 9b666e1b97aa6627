/** The tools, derived from the registry: one for each operation that reads. Made once, because no request changes them. */
import type { Tool } from "@modelcontextprotocol/server";
import type { OperationName, OperationShape } from "#libs/contract/index.ts";
import { type HttpOperation, httpOperations } from "../registry/bindings.ts";
import { jsonSchema, type JsonSchema as RegistrySchema } from "../registry/json-schema.ts";
import { describe, namedIn, ownParameter } from "./descriptions.ts";
import { answersJson, fitsResult, textFormats } from "./forms.ts";

type JsonSchema = Record<string, unknown>;

export interface BoundTool {
	tool: Tool;
	/** What a call of it asks. */
	asked: HttpOperation;
}

/**
 * What an agent is not offered. A key in a conversation is a key that leaked, and words that an agent read somewhere must not be able
 * to end a key or to spend money: keys and credits are for people and programs, over HTTP. Nor pages and documents: see `resources.ts`.
 */
const leftOut = new Set<string>([
	"register",
	"rotateKey",
	"revokeKey",
	"buyCredits",
	"startCheckout",
	"getOpenapi",
	"getAsyncapi",
	"getManifestFile",
]);

/** By name, in the order of the documents. */
export function toolsOfRegistry(): Map<string, BoundTool> {
	const offered = httpOperations().filter(isOffered);
	const names = new Map(offered.map(({ name, http }) => [http.path as string, toolName(name)]));
	return new Map(offered.map((asked) => [toolName(asked.name), { tool: describeTool(asked, names), asked }]));
}

/** `listProjects` is `list_projects`. */
export const toolName = (name: OperationName): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function isOffered({ name, operation, http }: HttpOperation): boolean {
	if (leftOut.has(name) || !fitsResult(operation)) return false;
	return http.method === "GET" || http.readsByPost === true;
}

function describeTool(asked: HttpOperation, names: ReadonlyMap<string, string>): Tool {
	const { name, operation } = asked;
	const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
	const title = words.charAt(0).toUpperCase() + words.slice(1);
	const outputSchema = answersJson(operation) ? objectSchema(namedIn(answerSchema(operation), names)) : partSchema;
	const input = inputSchema(asked, names);
	const perPage = input.properties?.per_page as { maximum?: number } | undefined;
	return {
		name: toolName(name),
		title,
		description: describe(asked, names, perPage?.maximum),
		inputSchema: input,
		...(outputSchema !== undefined && { outputSchema }),
		annotations: { title, readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
	};
}

/** With `fields` an answer lacks others, and clients refuse what their schema does not allow. */
function answerSchema({ reply, fields }: OperationShape): JsonSchema {
	const whole = jsonSchema(reply);
	if (fields === undefined) return whole;
	const { of, always } = fields;
	const partly = (schema: RegistrySchema): RegistrySchema => {
		if (schema.anyOf !== undefined) return { ...schema, anyOf: schema.anyOf.map(partly) };
		if (of === null) return { ...schema, required: [...always] };
		const rows = schema.properties?.[of];
		const items = { ...rows?.items, required: [...always] };
		return { ...schema, properties: { ...schema.properties, [of]: { ...rows, items } } };
	};
	return partly(whole) as JsonSchema;
}

function inputSchema({ name, operation }: HttpOperation, names: ReadonlyMap<string, string>): Tool["inputSchema"] {
	const fields = Object.entries(operation.params.shape);
	const formats = textFormats(operation);
	const properties = Object.fromEntries(
		fields.map(([field, schema]) => {
			const description = ownParameter(name, field);
			const described = { ...namedIn(jsonSchema(schema), names), ...(description !== undefined && { description }) };
			return [field, field === "format" && formats !== undefined ? { ...described, enum: formats } : described];
		}),
	);
	const required = fields.filter(([, schema]) => !schema.safeParse(undefined).success).map(([field]) => field);
	return {
		type: "object",
		properties: properties as NonNullable<Tool["inputSchema"]["properties"]>,
		...(required.length > 0 && { required }),
		additionalProperties: false,
	};
}

/** Of an answer that is not JSON: what is said beside its text. */
const partSchema: NonNullable<Tool["outputSchema"]> = {
	type: "object",
	properties: {
		media_type: { type: "string", description: "Of the text, which is the first part of this result's content" },
		bytes: { type: "integer", minimum: 0, description: "Of the text", "x-unit": "bytes" },
		truncated: { type: "boolean", description: "The text is the beginning of a longer answer, cut after a whole line" },
		download: {
			type: "string",
			description: "Where the whole answer is, over HTTP: with the same key, or for a new payment",
		},
	},
	required: ["media_type", "bytes", "truncated", "download"],
	additionalProperties: false,
};

/** Earlier revisions of the protocol know no answer but an object. */
function objectSchema(json: JsonSchema): Tool["outputSchema"] {
	const forms = [json, ...((json.anyOf ?? []) as JsonSchema[])].slice(json.anyOf === undefined ? 0 : 1);
	return forms.every(({ type }) => type === "object") ? { ...json, type: "object" } : undefined;
}
