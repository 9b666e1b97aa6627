/** `/mcp`: one stateless endpoint for both versions of the protocol. Its requests are authorized like those of operations. */
import {
	createMcpHandler,
	isJSONRPCRequest,
	isJsonContentType,
	isSpecType,
	localhostAllowedOrigins,
	validateOriginHeader,
} from "@modelcontextprotocol/server";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError, keyInvalid } from "#libs/contract/errors.ts";
import { operations } from "#libs/contract/index.ts";
import type { Logger } from "#libs/service/logger.ts";
import { accessTokenIn, type ResolveToken, unauthorized } from "../authorization/access-tokens.ts";
import type { KeyCaller } from "../callers/caller.ts";
import { readKey } from "../callers/secrets.ts";
import { newCall } from "../calls/call.ts";
import type { Config } from "../config.ts";
import type { CountFree } from "../http/errors.ts";
import { siteOf } from "../http/links.ts";
import { inSpan } from "../http/span.ts";
import { shortTools } from "../mcp-tools/listed.ts";
import { toolsOfRegistry } from "../mcp-tools/tools.ts";
import { authorizerOf, type Pipeline, type PipelineOptions, pipelineOf } from "../pipeline/pipeline.ts";
import type { HttpOperation } from "../registry/bindings.ts";
import { readQuery } from "../registry/params.ts";
import { HttpTransport } from "../transports/http-transport.ts";
import { type CallerContext, callerContext, type McpRequest } from "./caller-context.ts";
import { callOperation, generalTools } from "./find-operations.ts";
import { isResource } from "./resources.ts";
import { mcpServer } from "./server.ts";
import { watchRequest, watchTool } from "./watch-request.ts";

export interface MountOptions {
	pipeline: PipelineOptions;
	resolveToken: ResolveToken;
	countFree: CountFree;
	config: Pick<Config, "PUBLIC_URL" | "KEYLESS" | "URL_MAX_LENGTH" | "HEADERS_MAX_BYTES">;
	log: Logger;
}

type Answer = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** A message that makes no call is counted as a free request of this operation. */
const freeMessage: HttpOperation = {
	name: "getManifest",
	operation: operations.getManifest,
	http: { method: "POST", path: "/mcp", price: "free" },
};

export function addMcp(app: FastifyInstance, { pipeline, resolveToken, countFree, config, log }: MountOptions): void {
	const tools = toolsOfRegistry();
	const list = { tools: [...shortTools(tools), ...generalTools, watchTool] };
	const authorize = authorizerOf(freeMessage, pipeline);
	const pipelines = new Map<string, Pipeline>();
	const pipelineFor = (operation: HttpOperation): Pipeline => {
		const operationPipeline = pipelines.get(operation.name) ?? pipelineOf(operation, pipeline);
		pipelines.set(operation.name, operationPipeline);
		return operationPipeline;
	};
	const authorizeMessage = async (
		request: FastifyRequest,
		reply: FastifyReply,
		tokenCaller?: KeyCaller,
	): Promise<void> => {
		const call = newCall(freeMessage, new HttpTransport(request, reply, config.PUBLIC_URL, tokenCaller));
		await authorize(call);
		call.params = {};
		await pipeline.rates.quota(call);
	};
	const contexts = new WeakMap<Request, CallerContext>();
	const handler = createMcpHandler(
		({ requestInfo }) => {
			const caller = requestInfo && contexts.get(requestInfo);
			if (caller === undefined) throw new Error("an MCP request without a caller");
			return mcpServer(caller, { tools, list, log });
		},
		{
			// Streams of changes stay empty, because tools, prompts and resources do not change while the server runs.
			maxSubscriptions: 100,
			onerror: (error) => log.debug({ reason: error.message }, "an MCP message was refused"),
		},
	);
	/** Runs `read`. If that throws, the message is counted as a free request. */
	const countIfRefused = async <T>(
		request: FastifyRequest,
		reply: FastifyReply,
		read: () => T | Promise<T>,
	): Promise<T> => {
		try {
			return await read();
		} catch (error) {
			await countFree(request, reply);
			throw error;
		}
	};
	/** Whether the message needs a key and has none. An assistant then has to get a token first. */
	const lacksKey = (request: FastifyRequest, message: unknown): boolean => {
		const { text: query } = request.query as { text: string };
		if (readKey(request.headers, query) !== undefined) return false;
		if (readQuery(query).some(([name, value]) => name === "auth" && value === "required")) return true;
		const name = calledTool(message);
		const { needsKey = false, price = "free" } = tools.get(name ?? "")?.declared.http ?? {};
		return name === watchRequest || needsKey || (price !== "free" && config.KEYLESS === "closed");
	};
	const origins = allowedOrigins(config);
	const listening = new Set<AbortController>();
	app.addHook("preClose", async () => {
		for (const disconnection of listening) disconnection.abort();
	});
	const answer: Answer = async (request, reply) => {
		const { message, caller } = await countIfRefused(request, reply, async () => {
			refuseOtherPages(request, origins);
			const message = readMessage(request);
			const site = siteOf(config.PUBLIC_URL, request);
			const tokenCaller = await readTokenCaller(request, site, resolveToken);
			if (tokenCaller === undefined && lacksKey(request, message)) throw unauthorized(keyNeededText, site);
			return {
				message,
				caller: callerContext(mcpRequest(request, config, tokenCaller), {
					pipelineFor,
					authorize: () => authorizeMessage(request, reply, tokenCaller),
					log,
				}),
			};
		});
		if (!isCountedByCall(message, tools)) await caller.count();
		const disconnection = new AbortController();
		reply.raw.once("close", () => {
			disconnection.abort();
			listening.delete(disconnection);
		});
		// The stream of this method does not end by itself, so the server ends it when it closes.
		if (methodOf(message) === "subscriptions/listen") listening.add(disconnection);
		const converted = webRequest(request, disconnection.signal);
		contexts.set(converted, caller);
		const response = await handler.fetch(converted, { parsedBody: message });
		return sendResponse(reply, response, caller);
	};
	app.route({
		method: "POST",
		url: "/mcp",
		config: { countsItself: true },
		handler: inSpan("POST", "/mcp", withRpcErrors(answer)),
	});
}

/**
 * Protects local and private servers from pages of other sites, even if the site's name resolves to this server. Browsers send an Origin
 * with every POST.
 */
function refuseOtherPages({ headers }: FastifyRequest, allowed: string[]): void {
	const verdict = validateOriginHeader(headers.origin, allowed);
	if (!verdict.ok) throw new AppError(403, "pages of this origin may not use /mcp");
}

function allowedOrigins({ PUBLIC_URL: url }: Pick<Config, "PUBLIC_URL">): string[] {
	return [...localhostAllowedOrigins(), ...(url === undefined ? [] : [new URL(url).hostname])];
}

/** Parses the body. The result is undefined if the body is not declared as JSON; the SDK then returns 415. @throws AppError 400 */
function readMessage({ headers, body }: FastifyRequest): unknown {
	if (!isJsonContentType(headers["content-type"])) return undefined;
	const message = parseJson((body as Buffer | undefined) ?? Buffer.alloc(0));
	// Batches are no longer part of the protocol, and would let many calls count as one request.
	if (Array.isArray(message))
		throw new RpcRefusal(invalidRequest, "batches are not part of the protocol: send one message");
	return message;
}

function parseJson(body: Buffer): unknown {
	try {
		return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
	} catch {
		throw new RpcRefusal(parseError, "the body is not valid JSON");
	}
}

const methodOf = (message: unknown): unknown => (message as { method?: unknown } | null | undefined)?.method;

/** Whether the message makes a call, which is counted instead of the message. */
function isCountedByCall(message: unknown, tools: ReadonlyMap<string, unknown>): boolean {
	if (!isJSONRPCRequest(message)) return false;
	const name = calledTool(message);
	if (name !== undefined) return name === watchRequest || tools.has(name);
	return isSpecType.ReadResourceRequest(message) && isResource(message.params.uri);
}

/** The tool that a message calls, directly or by `call_operation`. */
function calledTool(message: unknown): string | undefined {
	if (!isSpecType.CallToolRequest(message)) return undefined;
	const { name, arguments: given } = message.params;
	return name === callOperation ? String(given?.name) : name;
}

const keyNeededText =
	"this call requires an API key: send it as X-API-Key or Authorization: Bearer (GET /register over HTTP issues a free one), or connect by OAuth";

/**
 * Returns the caller that an access token identifies; undefined without a token. Removes the token from the headers, because it is not a key.
 * @throws AppError 401, 403
 */
async function readTokenCaller(
	request: FastifyRequest,
	site: string,
	resolveToken: ResolveToken,
): Promise<KeyCaller | undefined> {
	const token = accessTokenIn(request.headers);
	if (token === undefined) return undefined;
	delete request.headers.authorization;
	if (readKey(request.headers, (request.query as { text: string }).text) !== undefined)
		throw keyInvalid("the request carries an access token and an API key");
	return resolveToken(token, { ip: request.ip, site });
}

function mcpRequest(
	request: FastifyRequest,
	config: MountOptions["config"],
	tokenCaller: KeyCaller | undefined,
): McpRequest {
	const { text: query } = request.query as { text: string };
	return {
		id: request.id,
		ip: request.ip,
		tokenCaller,
		headers: request.headers,
		query,
		baseUrl: siteOf(config.PUBLIC_URL, request),
		longestUrl: config.URL_MAX_LENGTH,
		longestHeaders: config.HEADERS_MAX_BYTES,
	};
}

/** Converts the request to the Fetch API. The body is omitted, because it has already been read. */
function webRequest({ headers: sent }: FastifyRequest, signal: AbortSignal): Request {
	const headers = new Headers();
	for (const [name, value] of Object.entries(sent))
		if (value !== undefined) headers.set(name, [value].flat().join(", "));
	return new Request("http://localhost/mcp", { method: "POST", headers, signal });
}

/** Sends a response. A message that made no call is counted as a free request first. */
async function sendResponse(reply: FastifyReply, response: Response, caller: CallerContext): Promise<FastifyReply> {
	const type = response.headers.get("content-type");
	if (response.body !== null && type?.startsWith("text/event-stream")) {
		// A stream has already begun and can no longer be refused, so it is counted when it ends.
		reply.raw.once("close", () => void caller.count().catch(() => {}));
		// Keeps proxies from buffering the stream.
		return startAnswer(reply, response).header("x-accel-buffering", "no").send(response.body);
	}
	const body = response.body === null ? undefined : Buffer.from(await response.arrayBuffer());
	await caller.count();
	return startAnswer(reply, response).send(body);
}

function startAnswer(reply: FastifyReply, { status, headers }: Response): FastifyReply {
	const type = headers.get("content-type");
	return reply.code(status).headers({ "cache-control": "no-store", ...(type !== null && { "content-type": type }) });
}

const parseError = -32_700;
const invalidRequest = -32_600;
const serverError = -32_000;

class RpcRefusal extends AppError {
	readonly rpcCode: number;

	constructor(code: number, detail: string) {
		super(400, detail);
		this.rpcCode = code;
	}
}

/** Wraps a handler so that refusals are sent as JSON-RPC errors. */
function withRpcErrors(answer: Answer): Answer {
	return async (request, reply) => {
		try {
			return await answer(request, reply);
		} catch (error) {
			if (!(error instanceof AppError)) throw error;
			const { status, message, retryAfterSeconds, headers } = error;
			if (retryAfterSeconds !== undefined) reply.header("retry-after", String(Math.ceil(retryAfterSeconds)));
			const code = error instanceof RpcRefusal ? error.rpcCode : serverError;
			return reply
				.code(status)
				.headers({ ...headers, "cache-control": "no-store", "content-type": "application/json; charset=utf-8" })
				.send(JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message, data: { status } } }));
		}
	};
}
