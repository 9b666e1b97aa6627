/**
 * Handles one MCP request, in either version of the protocol. Uses the SDK's low-level server, because the high-level one would build the
 * tools for each request and parse each result again.
 */
import {
	ProtocolError,
	ProtocolErrorCode,
	Server,
	type ServerContext,
	type ServerOptions,
	type Tool,
} from "@modelcontextprotocol/server";
import { about } from "#libs/contract/documents/about.ts";
import { AppError } from "#libs/contract/errors.ts";
import type { Logger } from "#libs/service/logger.ts";
import type { BoundTool } from "../mcp-tools/tools.ts";
import { callTool } from "./call-tool.ts";
import type { CallerContext } from "./caller-context.ts";
import { callOperation, findOperations, searchTools } from "./find-operations.ts";
import { getPrompt, prompts } from "./prompts.ts";
import { readResource, resources } from "./resources.ts";
import { watch, watchRequest } from "./watch-request.ts";

export interface McpOptions {
	/** All tools that can be called, and those that `tools/list` shows. */
	tools: ReadonlyMap<string, BoundTool>;
	list: { tools: Tool[] };
	log: Logger;
}

const hour = 3_600_000;
/** Cache hint for lists, which are the same for all callers and do not change while the server runs. */
const listCacheHint = { ttlMs: hour, cacheScope: "public" } as const;

const serverOptions: ServerOptions = {
	capabilities: { tools: {}, prompts: {}, resources: {} },
	instructions: [
		about.description,
		"Lists come in pages: pass page and per_page, and read the total before you count. A result is short: as many rows as fit, without null values; response_format=detailed returns all. Capacities are MW, money USD; dates are YYYY-MM-DD, times UTC.",
		"Start with search or list_projects for requests, search_developers for companies, get_query_schema and run_query for a question that no tool answers in one call. find_operations finds all other operations and describes every parameter and field; call_operation calls them. describe_dataset lists what a dataset does not contain; watch_request watches a request. energy-data://llms-full explains every field.",
		'Send an API key as the header X-API-Key or Authorization: Bearer (a free one: GET /register over HTTP), or connect by OAuth. A call that needs a payment is answered with x402\'s terms: repeat it with _meta["x402/payment"]. _meta.http of a result contains what remains of the rate limit and the quota.',
	].join("\n\n"),
	cacheHints: {
		"tools/list": listCacheHint,
		"prompts/list": listCacheHint,
		"resources/list": listCacheHint,
		"resources/templates/list": listCacheHint,
		"server/discover": listCacheHint,
		// Resources contain live examples, so they expire sooner than the lists.
		"resources/read": { ttlMs: 300_000, cacheScope: "public" },
	},
};

/** The operation and arguments of a `call_operation`. @throws ProtocolError if they are invalid */
function parseCall({ name, arguments: given = {}, ...others }: Record<string, unknown>): NamedCall {
	const [other] = Object.keys(others);
	const fault =
		other !== undefined
			? `${other}: is not an argument of ${callOperation}; those of the operation belong in arguments`
			: typeof name !== "string"
				? "name: must be the name of an operation"
				: typeof given !== "object" || given === null || Array.isArray(given)
					? "arguments: must be an object"
					: undefined;
	if (fault !== undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, fault);
	return { name: name as string, given: given as Record<string, unknown> };
}

interface NamedCall {
	name: string;
	given: Record<string, unknown>;
}

/** Counts a message that is answered from the registry as a free request. */
async function countFree<T>(caller: CallerContext, answer: () => T): Promise<T> {
	await caller.count();
	return answer();
}

export function mcpServer(caller: CallerContext, { tools, list, log }: McpOptions): Server {
	const server = new Server(
		{ name: "energy-infrastructure-data", title: about.name, version: about.version },
		serverOptions,
	);
	server.setRequestHandler("tools/list", () => list);
	server.setRequestHandler("tools/call", ({ params }, context) => {
		const { signal, _meta: meta = {} } = context.mcpReq;
		if (params.name === findOperations)
			return withProtocolErrors(
				countFree(caller, () => searchTools(tools, params.arguments ?? {})),
				context,
				log,
			);
		if (params.name === watchRequest)
			return withProtocolErrors(watch(params.arguments ?? {}, caller, signal), context, log);
		const { name, given } =
			params.name === callOperation
				? parseCall(params.arguments ?? {})
				: { name: params.name, given: params.arguments ?? {} };
		const bound = tools.get(name);
		if (bound === undefined)
			throw new ProtocolError(
				ProtocolErrorCode.InvalidParams,
				`there is no tool ${JSON.stringify(name.slice(0, 200))}`,
			);
		return withProtocolErrors(callTool({ bound, given, meta, caller, signal }), context, log);
	});
	server.setRequestHandler("prompts/list", () => ({ prompts }));
	server.setRequestHandler("prompts/get", ({ params }) => getPrompt(params.name, params.arguments));
	server.setRequestHandler("resources/list", () => ({ resources }));
	server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [] }));
	server.setRequestHandler("resources/read", ({ params }, context) =>
		withProtocolErrors(readResource(params.uri, caller, context.mcpReq.signal), context, log),
	);
	return server;
}

/** Converts errors to protocol errors. The message of an unexpected error is logged but not sent. */
async function withProtocolErrors<T>(work: Promise<T>, { mcpReq }: ServerContext, log: Logger): Promise<T> {
	try {
		return await work;
	} catch (error) {
		if (error instanceof ProtocolError) throw error;
		if (error instanceof AppError)
			throw new ProtocolError(ProtocolErrorCode.InternalError, error.message, { status: error.status });
		if (!mcpReq.signal.aborted) log.error({ err: error, method: mcpReq.method }, "an MCP request failed");
		throw new ProtocolError(ProtocolErrorCode.InternalError, "something went wrong on our side");
	}
}
