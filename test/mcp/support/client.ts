/** The official client before `/mcp`, in either era of the protocol, and requests to it that no client would send. */
import { type CallToolResult, Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

export const eras = ["2025-11-25", "2026-07-28"] as const;
export type Era = (typeof eras)[number];

export interface ConnectOptions {
	era?: Era;
	headers?: Record<string, string>;
	/** Query string of the address: `?api_key=...`. */
	query?: string;
}

export interface Connected extends AsyncDisposable {
	client: Client;
	call(name: string, given?: Record<string, unknown>, meta?: Record<string, unknown>): Promise<CallToolResult>;
}

export async function connect(url: string, options: ConnectOptions = {}): Promise<Connected> {
	const { era = "2026-07-28", headers = {}, query = "" } = options;
	const mode = era === "2026-07-28" ? { pin: era } : "legacy";
	const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
	await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp${query}`), { requestInit: { headers } }));
	return {
		client,
		call: (name, given = {}, meta) =>
			client.callTool({
				name,
				arguments: given,
				...(meta !== undefined && { _meta: meta }),
			}) as Promise<CallToolResult>,
		[Symbol.asyncDispose]: () => client.close(),
	};
}

/** The first text of a result. */
export function textOf({ content: [first] }: CallToolResult): string {
	if (first?.type !== "text") throw new Error("the result has no text");
	return first.text;
}

export const httpOf = ({ _meta }: CallToolResult) => _meta?.http as Record<string, unknown>;

const clientMeta = {
	"io.modelcontextprotocol/clientCapabilities": {},
	"io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
};

/** A message of the current revision, as it should be; `change` makes it another. */
export function message(method: string, params: Record<string, unknown> = {}, version = "2026-07-28") {
	const { _meta, ...rest } = params;
	const meta = { "io.modelcontextprotocol/protocolVersion": version, ...clientMeta, ...(_meta as object | undefined) };
	const named = typeof params.name === "string" ? params.name : params.uri;
	return {
		body: { jsonrpc: "2.0", id: 1, method, params: { ...rest, _meta: meta } },
		headers: {
			"content-type": "application/json",
			accept: "application/json, text/event-stream",
			"mcp-protocol-version": version,
			"mcp-method": method,
			...(typeof named === "string" && { "mcp-name": named }),
		} as Record<string, string>,
	};
}

export interface RpcAnswer {
	status: number;
	headers: Headers;
	/** The message, or what else was answered. */
	json: {
		result?: Record<string, unknown>;
		error?: { code: number; message: string; data?: unknown };
		detail?: string;
	};
}

/** Sends a body and headers as they are. */
export async function post(
	url: string,
	body: unknown,
	headers: Record<string, string>,
	more: RequestInit = {},
): Promise<RpcAnswer> {
	const sent = typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
	const response = await fetch(`${url}/mcp`, { method: "POST", headers, body: sent, ...more });
	const text = await response.text();
	// An answer of the earlier era is an event.
	const data = response.headers.get("content-type")?.startsWith("text/event-stream")
		? /^data: (.*)$/m.exec(text)?.[1]
		: text;
	return { status: response.status, headers: response.headers, json: data ? JSON.parse(data) : {} };
}
