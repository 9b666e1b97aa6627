/** The MCP tools, derived once from the registry: one for each operation that only reads. */
import type { Tool } from "@modelcontextprotocol/server";
import type { OperationName } from "#libs/contract/index.ts";
import { type HttpOperation, httpOperations } from "../registry/bindings.ts";
import { isRequired, jsonSchema } from "../registry/json-schema.ts";
import { describe, nameTools, ownParameter } from "./descriptions.ts";
import { fitsResult, textFormats } from "./forms.ts";

export interface BoundTool {
	tool: Tool;
	declared: HttpOperation;
}

/**
 * Operations that are not tools. A key that appears in a conversation has leaked, and a text that an agent reads must not be able to make it
 * revoke a key or spend money, so keys, credits and an account's export are available only over HTTP. Documents are resources
 * (`resources.ts`), and `getQuery` duplicates `run_query`.
 */
const excludedTools = new Set<string>([
	"register",
	"rotateKey",
	"revokeKey",
	"exportAccount",
	"buyCredits",
	"startCheckout",
	"getOpenapi",
	"getAsyncapi",
	"getManifestFile",
	"getQuery",
]);

let tools: ReadonlyMap<string, BoundTool> | undefined;

export function toolsOfRegistry(): ReadonlyMap<string, BoundTool> {
	tools ??= describeTools();
	return tools;
}

function describeTools(): Map<string, BoundTool> {
	const offered = httpOperations().filter(isOffered);
	const names = new Map(offered.map(({ name, http }) => [http.path as string, toolName(name)]));
	return new Map(
		offered.map((declared) => [toolName(declared.name), { tool: describeTool(declared, names), declared }]),
	);
}

/** `list_projects` for `listProjects`. */
export const toolName = (name: OperationName): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function isOffered({ name, operation, http }: HttpOperation): boolean {
	if (excludedTools.has(name) || !fitsResult(operation)) return false;
	return http.method === "GET" || http.readsByPost === true;
}

function describeTool(declared: HttpOperation, names: ReadonlyMap<string, string>): Tool {
	const input = inputSchema(declared, names);
	const perPage = input.properties?.per_page as { maximum?: number } | undefined;
	return {
		name: toolName(declared.name),
		description: describe(declared, names, perPage?.maximum),
		inputSchema: input,
	};
}

function inputSchema({ name, operation }: HttpOperation, names: ReadonlyMap<string, string>): Tool["inputSchema"] {
	const formats = textFormats(operation);
	// A tool's result is not compressed.
	const isOffered = (field: string) => formats === undefined || field !== "compression";
	const fields = Object.entries(operation.params.shape).filter(([field]) => isOffered(field));
	const properties = Object.fromEntries(
		fields.map(([field, schema]) => {
			const description = ownParameter(name, field);
			const described = { ...nameTools(jsonSchema(schema), names), ...(description !== undefined && { description }) };
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
