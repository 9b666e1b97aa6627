/** The catalog: every endpoint by resource, with a description of its parameters, derived from the registry. */
import { about, resourceNotes } from "#libs/contract/documents/about.ts";
import { type OperationName, type OperationShape, type Reply, resources } from "#libs/contract/index.ts";
import { type HttpBinding, takesBody } from "#libs/contract/operation.ts";
import { allowedOf } from "#libs/contract/schemas/fields.ts";
import { toolsOfRegistry } from "../mcp-tools/tools.ts";
import { type HttpOperation, httpOperations, pathParameters, priceUsd } from "../registry/bindings.ts";
import { isRequired, jsonSchema } from "../registry/json-schema.ts";
import { bodyOf, callUrl } from "./calls.ts";

/** Operations with shorter paths come first, so that lists precede their members. Resources without HTTP operations are omitted. */
export function operationsByResource(): { name: string; description: string; members: HttpOperation[] }[] {
	const all = httpOperations();
	return Object.entries(resources).flatMap(([name, declared]) => {
		const members = all.filter((each) => each.name in declared).sort(byPath);
		return members.length === 0 ? [] : [{ name, description: resourceNotes[name] ?? "", members }];
	});
}

function byPath({ http: one }: HttpOperation, { http: other }: HttpOperation): number {
	const depth = (path: string) => path.split("/").length;
	return (
		depth(one.path) - depth(other.path) || one.path.localeCompare(other.path) || one.method.localeCompare(other.method)
	);
}

/** MCP tools by the operation that each calls. */
export function toolNames(): Map<OperationName, string> {
	return new Map([...toolsOfRegistry()].map(([tool, { declared }]) => [declared.name, tool]));
}

export function catalog(publicUrl: string): Reply<"getCatalog"> {
	const tools = toolNames();
	const all = operationsByResource().map(({ name, description, members }) => ({
		name,
		description,
		endpoints: members.map((declared) => endpoint(declared, tools.get(declared.name) ?? null)),
	}));
	return {
		name: about.name,
		version: about.version,
		total_endpoints: httpOperations().length,
		mcp: `${publicUrl}/mcp`,
		resources: all,
	};
}

type Endpoint = Reply<"getCatalog">["resources"][number]["endpoints"][number];

function endpoint({ name, operation, http }: HttpOperation, tool: string | null): Endpoint {
	const example = operation.example ?? {};
	return {
		operation: name,
		method: http.method,
		path: http.path,
		summary: operation.summary,
		price: http.price,
		price_usd: priceUsd(http.price),
		needs_key: http.needsKey === true,
		media_type: operation.mediaType ?? "application/json",
		tool,
		parameters: parametersOf(operation, http),
		example: [callUrl(http, example), bodyOf(http, example)].filter((part) => part !== null).join(" "),
	};
}

export type Parameter = Endpoint["parameters"][number];

export function parametersOf(operation: OperationShape, http: HttpBinding): Parameter[] {
	const inPath = new Set(pathParameters(http.path));
	return Object.entries(operation.params.shape).map(([name, schema]) => {
		const described = jsonSchema(schema);
		return {
			name,
			in: inPath.has(name) ? "path" : takesBody(http.method) ? "body" : "query",
			type: [described.type ?? "string"].flat().join(" or "),
			required: isRequired(schema),
			default: described.default === undefined ? null : String(described.default),
			allowed: allowedOf(described),
			unit: described["x-unit"] ?? null,
			description: described.description ?? "",
		};
	});
}
