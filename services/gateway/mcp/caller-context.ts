/** Whose call it is: what of an MCP request goes on to the requests that it stands for. */
import type { IncomingHttpHeaders, IncomingMessage, Server } from "node:http";
import { AppError } from "#libs/contract/errors.ts";
import { requestSelf } from "../http/own-requests.ts";
import { readQuery } from "../registry/query.ts";

export interface CallerContext {
	/** Where it reaches this server, for links. */
	baseUrl: string;
	/** Of a path with its query (characters). */
	longestUrl: number;
	/** Sends a request to a route of this server in the name of the caller. @throws AppError 431 for more headers than a request may have. */
	ask(question: Asking, signal: AbortSignal): Promise<IncomingMessage>;
	/** Counts the message itself under the limit of what is free, once, unless something was asked for it. @throws AppError 429 */
	count(): Promise<void>;
}

export interface Asking {
	method: "GET" | "POST";
	path: string;
	body?: string | undefined;
	tool?: string;
	headers?: Record<string, string>;
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
	"x-forwarded-host",
	"x-forwarded-proto",
];

export interface McpRequest {
	raw: IncomingMessage;
	/** As it was sent. */
	query: string;
	baseUrl: string;
	longestUrl: number;
	/** All headers of a request together (bytes). */
	longestHeaders: number;
}

/** `authorize` takes the MCP request for one free request. */
export function callerContextOf(server: Server, asked: McpRequest, authorize: () => Promise<unknown>): CallerContext {
	const { raw, query, baseUrl, longestUrl, longestHeaders } = asked;
	const headers = headersOf(raw.headers);
	const key = keyInQuery(query);
	const remoteAddress = raw.socket.remoteAddress ?? "";
	let counted: Promise<unknown> | undefined;
	return {
		baseUrl,
		// With the key.
		longestUrl: longestUrl - key.length - 1,
		async ask({ method, path, body, tool, headers: more }, signal) {
			const type = body === undefined ? {} : { "content-type": "application/json" };
			const sent = { accept: "application/json", ...headers, ...type, ...more };
			if (lengthOf(sent) > longestHeaders)
				throw new AppError(431, `the headers are longer than ${longestHeaders} bytes`);
			// The authorization of that request counts.
			counted ??= Promise.resolve();
			const answer = await requestSelf(server, {
				method,
				path: key === "" ? path : `${path}${path.includes("?") ? "&" : "?"}${key}`,
				body,
				tool,
				headers: sent,
				remoteAddress,
				signal,
			});
			// Every answer has one but those of the parser, which refuses before authorization.
			if (answer.headers["x-request-id"] === undefined) await authorize();
			return answer;
		},
		async count() {
			counted ??= authorize();
			await counted;
		},
	};
}

const lengthOf = (headers: Record<string, string | string[]>): number =>
	Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + String(value).length + ": \r\n".length, 0);

function headersOf(sent: IncomingHttpHeaders): Record<string, string | string[]> {
	const found = handedOn.flatMap((name) => {
		const value = sent[name];
		return value === undefined ? [] : [[name, value] as const];
	});
	return Object.fromEntries(found);
}

/** For clients that can be given an address but no headers: `/mcp?api_key=pk_...`. Other parameters mean nothing here. */
function keyInQuery(query: string): string {
	const keys = readQuery(query).filter(([name]) => name === "api_key");
	return keys.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
}
