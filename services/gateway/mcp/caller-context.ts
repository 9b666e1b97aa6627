/** The caller of an MCP request, and the calls that it makes, which run through the same pipeline as HTTP requests. */
import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import { AppError } from "#libs/contract/errors.ts";
import type { Logger } from "#libs/service/logger.ts";
import type { KeyCaller } from "../callers/caller.ts";
import { callerGone, newCall, type Transport } from "../calls/call.ts";
import { disconnected } from "../http/answer.ts";
import { refusalOf } from "../http/errors.ts";
import { countCall } from "../http/metrics.ts";
import { inCallSpan } from "../http/span.ts";
import type { Paid, Sending } from "../payments/settle.ts";
import type { Pipeline } from "../pipeline/pipeline.ts";
import type { CallResponse, HttpOperation } from "../registry/bindings.ts";
import { readQuery } from "../registry/params.ts";

export interface CallerContext {
	requestId: string;
	/** The address at which the caller reaches this server, for links. */
	baseUrl: string;
	/** Maximum length of path and query (characters). */
	longestUrl: number;
	/** Makes a call on behalf of the caller. @throws AppError 431 if the headers are too long */
	call(request: CallRequest, signal: AbortSignal): Promise<Answer>;
	/** Counts the message as a free request, once, unless it made a call. @throws AppError 429 */
	count(): Promise<void>;
}

export interface CallRequest {
	operation: HttpOperation;
	path: Record<string, string>;
	query: string;
	body?: string | undefined;
	/** The tool that makes the call. A payment is bound to it. */
	tool?: string;
	headers?: Record<string, string>;
	maxBytes: number;
}

/** The response to a call. An error has the same body as over HTTP. */
export interface Answer {
	status: number;
	headers: Record<string, string>;
	bytes: Buffer;
	/** Whether the response was read to its end. */
	whole: boolean;
}

/** Headers of the MCP request that its calls receive: key, address and trace. Payments are not in headers but in the `_meta` of calls. */
const forwardedHeaders = [
	"authorization",
	"forwarded",
	"host",
	"traceparent",
	"tracestate",
	"user-agent",
	"x-api-key",
	"x-credit-token",
	"x-forwarded-for",
	"x-forwarded-proto",
];

export interface McpRequest {
	id: string;
	ip: string;
	/** The caller, if an access token has identified it. */
	tokenCaller: KeyCaller | undefined;
	headers: IncomingHttpHeaders;
	query: string;
	baseUrl: string;
	longestUrl: number;
	/** Maximum length of all headers together (bytes). */
	longestHeaders: number;
}

export interface CallerOptions {
	pipelineFor(operation: HttpOperation): Pipeline;
	/** Counts the MCP message as a free request. */
	authorize(): Promise<unknown>;
	log: Logger;
}

export function callerContext(mcpRequest: McpRequest, { pipelineFor, authorize, log }: CallerOptions): CallerContext {
	const { id, ip, tokenCaller, baseUrl, longestUrl, longestHeaders } = mcpRequest;
	const headers = headersOf(mcpRequest.headers);
	const key = keyInQuery(mcpRequest.query);
	let counted: Promise<unknown> | undefined;
	let calls = 0;
	return {
		requestId: id,
		baseUrl,
		// The key takes a part of the URL, because `call` adds it to the query.
		longestUrl: longestUrl - key.length - 1,
		async call({ operation, path, query, body, tool, headers: callHeaders, maxBytes }, signal) {
			// Nothing is counted for a client that has disconnected.
			signal.throwIfAborted();
			const type = body === undefined ? {} : { "content-type": "application/json" };
			const allHeaders = { accept: "application/json", ...headers, ...type, ...callHeaders };
			if (lengthOf(allHeaders) > longestHeaders)
				throw new AppError(431, `the headers are longer than ${longestHeaders} bytes`);
			// The call is counted instead of the message.
			counted ??= Promise.resolve();
			const request = {
				// Each call needs a separate id, because the ledger has one row for each id.
				...{
					id: calls++ === 0 ? id : `${id}.${calls}`,
					ip,
					tokenCaller,
					path,
					headers: allHeaders,
					method: operation.http.method,
					site: baseUrl,
				},
				query: [query, key].filter((part) => part !== "").join("&"),
				body: body === undefined ? undefined : Buffer.from(body),
				url: `mcp://tool/${tool ?? operation.name}`,
			};
			const transport = mcpTransport(request, signal);
			const startedAt = performance.now();
			transport.whenEnded(() => countCall(operation.name, transport.status, (performance.now() - startedAt) / 1_000));
			return inCallSpan(operation, id, () => answerOf(pipelineFor(operation), operation, transport, maxBytes, log));
		},
		async count() {
			counted ??= authorize();
			await counted;
		},
	};
}

async function answerOf(
	pipeline: Pipeline,
	operation: HttpOperation,
	transport: McpTransport,
	maxBytes: number,
	log: Logger,
): Promise<Answer> {
	const call = newCall(operation, transport);
	try {
		await pipeline.authorize(call);
		const response = await pipeline.answer(call, undefined);
		const { bytes, whole } = await readAnswer(response, transport, maxBytes).catch((error: unknown) => {
			// The call has succeeded, and remains counted, as over HTTP.
			transport.end(response.status);
			throw error;
		});
		transport.end(response.status);
		return { status: response.status, headers: inLowerCase(transport.answerHeaders, response.headers), bytes, whole };
	} catch (error) {
		const fields = () => ({ request_id: transport.id, operation: operation.name });
		const { status, headers, body } = refusalOf(error, log, fields);
		transport.end(status);
		return { status, headers: inLowerCase(transport.answerHeaders, headers), bytes: Buffer.from(body), whole: true };
	}
}

/** Merges headers. Names are in lower case, as HTTP clients return them. */
const inLowerCase = (...all: Record<string, string>[]): Record<string, string> =>
	Object.fromEntries(
		all.flatMap((headers) => Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
	);

/** Reads a response up to `maxBytes`. If the call was paid for, reports how the transfer ended. */
async function readAnswer(
	response: CallResponse | Paid,
	transport: McpTransport,
	maxBytes: number,
): Promise<{ bytes: Buffer; whole: boolean }> {
	const report = (how: Sending) => {
		if ("sent" in response) response.sent(how);
	};
	const { body } = response;
	const stop = () => {
		if (body instanceof Readable) body.destroy();
	};
	if (transport.closed) {
		report("left");
		stop();
		throw callerGone();
	}
	transport.whenEnded(stop);
	try {
		const result = await readUpTo(body, maxBytes);
		report(result.whole && !transport.closed ? "delivered" : "left");
		return result;
	} catch (error) {
		report(transport.closed ? "left" : "broken");
		throw transport.closed ? callerGone() : error;
	}
}

/** Reads up to `maxBytes` of a body, and discards the rest. */
async function readUpTo(body: Buffer | Readable, maxBytes: number): Promise<{ bytes: Buffer; whole: boolean }> {
	if (!(body instanceof Readable)) return { bytes: body.subarray(0, maxBytes), whole: body.length <= maxBytes };
	const chunks: Buffer[] = [];
	let length = 0;
	for await (const chunk of body as AsyncIterable<Buffer>) {
		chunks.push(chunk);
		length += chunk.length;
		if (length > maxBytes) return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), whole: false };
	}
	return { bytes: Buffer.concat(chunks), whole: true };
}

const lengthOf = (headers: Record<string, string | string[]>): number =>
	Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + String(value).length + ": \r\n".length, 0);

const headersOf = (sent: IncomingHttpHeaders): Record<string, string | string[]> =>
	Object.fromEntries(forwardedHeaders.flatMap((name) => (sent[name] === undefined ? [] : [[name, sent[name]]])));

/** The part of the query that contains a key (`/mcp?api_key=pk_...`), for clients that can set a URL but no headers. */
function keyInQuery(query: string): string {
	const keys = readQuery(query).filter(([name]) => name === "api_key");
	return keys.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
}

/** A call made by an MCP message, as the pipeline sees it. */
interface McpTransport extends Transport {
	readonly answerHeaders: Record<string, string>;
	/** Ends the response; only the first call has an effect. The status is absent if the client has disconnected. */
	end(status?: number): void;
}

type McpCall = Pick<
	Transport,
	"id" | "ip" | "tokenCaller" | "headers" | "method" | "path" | "query" | "body" | "url" | "site"
>;

/** `signal` fires when the client disconnects. */
function mcpTransport(call: McpCall, signal: AbortSignal): McpTransport {
	const answerHeaders: Record<string, string> = {};
	const listeners: (() => void)[] = [];
	let status: number = disconnected;
	let closed = false;
	const transport: McpTransport = {
		...call,
		answerHeaders,
		get status() {
			return status;
		},
		get closed() {
			return closed;
		},
		setHeaders: (headers) => void Object.assign(answerHeaders, headers),
		whenEnded: (then) => void listeners.push(then),
		end(ended = disconnected) {
			if (closed) return;
			status = ended;
			closed = true;
			for (const listener of listeners) listener();
		},
	};
	if (signal.aborted) transport.end();
	else signal.addEventListener("abort", () => transport.end(), { once: true });
	return transport;
}
