/** Whose call it is: what of an MCP request goes on to the requests that it stands for. */
import type { IncomingHttpHeaders, IncomingMessage, Server } from "node:http";
import { readQuery } from "../http/query.ts";
import { askInside } from "./connection.ts";

export interface Visitor {
	/** Where it reaches this server, for links. */
	baseUrl: string;
	/** Asks a route of this server for whoever sent the request. */
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

/** Who asks, where from, how it is traced. Payments of a call stand in its `_meta`. */
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
}

/** `admit` takes the MCP request for one free request. */
export function visitorOf(server: Server, asked: McpRequest, admit: () => Promise<unknown>): Visitor {
	const { raw, query, baseUrl } = asked;
	const headers = headersOf(raw.headers);
	const key = keyInQuery(query);
	const remoteAddress = raw.socket.remoteAddress ?? "";
	let counted: Promise<unknown> | undefined;
	return {
		baseUrl,
		ask({ method, path, body, tool, headers: more }, signal) {
			// The door of that request counts.
			counted ??= Promise.resolve();
			const type = body === undefined ? {} : { "content-type": "application/json" };
			return askInside(server, {
				method,
				path: key === "" ? path : `${path}${path.includes("?") ? "&" : "?"}${key}`,
				body,
				tool,
				headers: { accept: "application/json", ...headers, ...type, ...more },
				remoteAddress,
				signal,
			});
		},
		async count() {
			counted ??= admit();
			await counted;
		},
	};
}

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
