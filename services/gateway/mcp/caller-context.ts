/** Whose call it is: what of an MCP request goes on to the calls that it makes, which run through the same pipeline as any request. */
import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import { AppError } from "#libs/contract/errors.ts";
import type { Logger } from "#libs/service/logger.ts";
import { newCall } from "../calls/call.ts";
import { refusalOf } from "../http/errors.ts";
import { countCall } from "../http/metrics.ts";
import { inCallSpan } from "../http/span.ts";
import type { Paid, Sending } from "../payments/settle.ts";
import type { Pipeline } from "../pipeline/pipeline.ts";
import type { Answered, HttpOperation } from "../registry/bindings.ts";
import { readQuery } from "../registry/params.ts";
import { type McpTransport, mcpTransport } from "./mcp-transport.ts";

export interface CallerContext {
	/** Of the MCP request, and so of the calls that it makes. */
	requestId: string;
	/** Where it reaches this server, for links. */
	baseUrl: string;
	/** Of a path with its query (characters). */
	longestUrl: number;
	/** Makes a call in the name of the caller. @throws AppError 431 for more headers than a request may have. */
	call(question: Asking, signal: AbortSignal): Promise<Answer>;
	/** Counts the message itself under the limit of what is free, once, unless it made a call. @throws AppError 429 */
	count(): Promise<void>;
}

export interface Asking {
	operation: HttpOperation;
	/** Path parameters, as text. */
	path: Record<string, string>;
	/** Percent-encoded. */
	query: string;
	body?: string | undefined;
	/** The MCP tool that it is made for: a payment is bound to it. */
	tool?: string;
	headers?: Record<string, string>;
	/** Of an answer: what goes beyond it is not read (bytes). */
	maxBytes: number;
}

/** What came of a call: an answer, or a refusal with the body that HTTP would have. */
export interface Answer {
	status: number;
	headers: Record<string, string>;
	bytes: Buffer;
	/** There is no more of it. */
	whole: boolean;
}

/** The caller, its address, and the trace. Payments of a call stand in its `_meta`. */
const handedOn = [
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
	headers: IncomingHttpHeaders;
	/** As it was sent. */
	query: string;
	baseUrl: string;
	longestUrl: number;
	/** All headers of a request together (bytes). */
	longestHeaders: number;
}

export interface CallerOptions {
	pipelineFor(operation: HttpOperation): Pipeline;
	/** Takes the MCP request for one free request. */
	authorize(): Promise<unknown>;
	log: Logger;
}

export function callerContextOf(asked: McpRequest, { pipelineFor, authorize, log }: CallerOptions): CallerContext {
	const { id, ip, baseUrl, longestUrl, longestHeaders } = asked;
	const headers = headersOf(asked.headers);
	const key = keyInQuery(asked.query);
	let counted: Promise<unknown> | undefined;
	return {
		requestId: id,
		baseUrl,
		// With the key.
		longestUrl: longestUrl - key.length - 1,
		async call({ operation, path, query, body, tool, headers: more, maxBytes }, signal) {
			// Nothing is taken for a client that has disconnected.
			signal.throwIfAborted();
			const type = body === undefined ? {} : { "content-type": "application/json" };
			const sent = { accept: "application/json", ...headers, ...type, ...more };
			if (lengthOf(sent) > longestHeaders)
				throw new AppError(431, `the headers are longer than ${longestHeaders} bytes`);
			// The authorization of that call counts.
			counted ??= Promise.resolve();
			const question = {
				...{ id, ip, path, headers: sent, method: operation.http.method, site: baseUrl },
				query: [query, key].filter((part) => part !== "").join("&"),
				body: body === undefined ? undefined : Buffer.from(body),
				url: `mcp://tool/${tool ?? operation.name}`,
			};
			const transport = mcpTransport(question, signal);
			const cameAt = performance.now();
			transport.whenEnded(() => countCall(operation.name, transport.status, (performance.now() - cameAt) / 1_000));
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
		const answered = await pipeline.answer(call, undefined);
		const { bytes, whole } = await readAnswer(answered, transport, maxBytes).catch((error: unknown) => {
			// It was answered, and what it cost stays taken, as over HTTP.
			transport.end(answered.status);
			throw error;
		});
		transport.end(answered.status);
		return { status: answered.status, headers: inLowerCase(transport.answerHeaders, answered.headers), bytes, whole };
	} catch (error) {
		const fields = () => ({ request_id: transport.id, operation: operation.name });
		const { status, headers, body } = refusalOf(error, log, fields);
		transport.end(status);
		return { status, headers: inLowerCase(transport.answerHeaders, headers), bytes: Buffer.from(body), whole: true };
	}
}

/** Names of headers as an HTTP client finds them. */
const inLowerCase = (...all: Record<string, string>[]): Record<string, string> =>
	Object.fromEntries(
		all.flatMap((headers) => Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
	);

/** Reads up to a bound; of what was paid for it is said how that ended. */
async function readAnswer(
	answered: Answered | Paid,
	transport: McpTransport,
	maxBytes: number,
): Promise<{ bytes: Buffer; whole: boolean }> {
	const said = (how: Sending) => {
		if ("sent" in answered) answered.sent(how);
	};
	const { body } = answered;
	const stop = () => {
		if (body instanceof Readable) body.destroy();
	};
	const disconnected = new AppError(499, "the caller has disconnected");
	if (transport.closed) {
		said("left");
		stop();
		throw disconnected;
	}
	transport.whenEnded(stop);
	try {
		const read = await readUpTo(body, maxBytes);
		said(read.whole && !transport.closed ? "delivered" : "left");
		return read;
	} catch (error) {
		said(transport.closed ? "left" : "broken");
		throw transport.closed ? disconnected : error;
	}
}

/** What there is of a body up to a bound. What goes beyond it is not read: the stream is destroyed. */
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
	Object.fromEntries(handedOn.flatMap((name) => (sent[name] === undefined ? [] : [[name, sent[name]]])));

/** For clients that can be given an address but no headers: `/mcp?api_key=pk_...`. Other parameters mean nothing here. */
function keyInQuery(query: string): string {
	const keys = readQuery(query).filter(([name]) => name === "api_key");
	return keys.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
}
