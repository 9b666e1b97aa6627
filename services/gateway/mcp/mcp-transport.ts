/** A tool call, or a resource that is read, as the pipeline sees it: what of its MCP message goes on to it, and what is said of its answer. */
import type { IncomingHttpHeaders } from "node:http";
import type { Transport } from "../calls/call.ts";

/** Nothing was answered: the client disconnected first. */
const disconnected = 499;

export interface McpCall {
	/** Of the MCP request. */
	id: string;
	ip: string;
	headers: IncomingHttpHeaders;
	method: string;
	path: Record<string, string>;
	/** With the key of a client that can be given an address but no headers. */
	query: string;
	body: Buffer | undefined;
	/** What a payment buys: the tool, as x402 has it for MCP. */
	url: string;
	/** Where the client reaches the service. */
	site: string;
	/** The client has disconnected. */
	signal: AbortSignal;
}

export class McpTransport implements Transport {
	readonly id: string;
	readonly ip: string;
	readonly headers: IncomingHttpHeaders;
	readonly method: string;
	readonly path: Record<string, string>;
	readonly query: string;
	readonly body: Buffer | undefined;
	readonly url: string;
	readonly site: string;
	/** Of the answer. */
	readonly answerHeaders: Record<string, string> = {};
	status = disconnected;
	closed = false;
	readonly #listeners: (() => void)[] = [];

	constructor({ signal, ...call }: McpCall) {
		this.id = call.id;
		this.ip = call.ip;
		this.headers = call.headers;
		this.method = call.method;
		this.path = call.path;
		this.query = call.query;
		this.body = call.body;
		this.url = call.url;
		this.site = call.site;
		if (signal.aborted) this.end();
		else signal.addEventListener("abort", () => this.end(), { once: true });
	}

	setHeaders(headers: Record<string, string>): void {
		Object.assign(this.answerHeaders, headers);
	}

	whenEnded(then: () => void): void {
		this.#listeners.push(then);
	}

	/** The answer has ended; with its status, unless the client disconnected. Once. */
	end(status?: number): void {
		if (this.closed) return;
		if (status !== undefined) this.status = status;
		this.closed = true;
		for (const listener of this.#listeners) listener();
	}
}
