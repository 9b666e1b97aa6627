/** A call made by an MCP message, as the pipeline sees it. */
import type { Transport } from "../calls/call.ts";
import { disconnected } from "../http/answer.ts";

export interface McpTransport extends Transport {
	readonly answerHeaders: Record<string, string>;
	/** Ends the answer once. Without a status the client has disconnected. */
	end(status?: number): void;
}

type McpCall = Pick<Transport, "id" | "ip" | "headers" | "method" | "path" | "query" | "body" | "url" | "site">;

/** `signal` fires when the client disconnects. */
export function mcpTransport(call: McpCall, signal: AbortSignal): McpTransport {
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
