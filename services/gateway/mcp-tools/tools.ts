/** The tools, derived from the registry: one for each operation that reads. Made once, because no request changes them. */
import type { Tool } from "@modelcontextprotocol/server";
import type { OperationName } from "#libs/contract/index.ts";
import { type HttpOperation, httpOperations } from "../registry/bindings.ts";
import { isRequired, jsonSchema } from "../registry/json-schema.ts";
import { describe, namedIn, ownParameter } from "./descriptions.ts";
import { fitsResult, textFormats } from "./forms.ts";

export interface BoundTool {
	tool: Tool;
	/** What a call of it asks. */
	asked: HttpOperation;
}

/**
 * What an agent is not offered. A key in a conversation is a key that leaked, and words that an agent read somewhere must not be able
 * to end a key or to spend money: keys and credits are for people and programs, over HTTP. Nor pages and documents: see `resources.ts`; nor a link to what `run_query` answers.
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
	"getQuery",
]);

let tools: ReadonlyMap<string, BoundTool> | undefined;

/** By name, in the order of the documents. */
export function toolsOfRegistry(): ReadonlyMap<string, BoundTool> {
	tools ??= describeTools();
	return tools;
}

function describeTools(): Map<string, BoundTool> {
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
	const input = inputSchema(asked, names);
	const perPage = input.properties?.per_page as { maximum?: number } | undefined;
	return {
		name: toolName(asked.name),
		description: describe(asked, names, perPage?.maximum),
		inputSchema: input,
	};
}

function inputSchema({ name, operation }: HttpOperation, names: ReadonlyMap<string, string>): Tool["inputSchema"] {
	const formats = textFormats(operation);
	// Of what is no text.
	const isOffered = (field: string) => formats === undefined || field !== "compression";
	const fields = Object.entries(operation.params.shape).filter(([field]) => isOffered(field));
	const properties = Object.fromEntries(
		fields.map(([field, schema]) => {
			const description = ownParameter(name, field);
			const described = { ...namedIn(jsonSchema(schema), names), ...(description !== undefined && { description }) };
			return [field, field === "format" && formats !== undefined ? { ...described, enum: formats } : described];
		}),
	);
	const required = fields.filter(([, schema]) => isRequired(schema)).map(([field]) => field);
	return {
		type: "object",
		properties: properties as NonNullable<Tool["inputSchema"]["properties"]>,
		...(required.length > 0 && { required }),
		additionalProperties: false,
	};
}
