/**
 * A request of this process to itself: no port and no network, but the same parser, hooks, authorization and routes as every other request, so
 * that nothing has to be said twice about keys, limits, prices and usage. It is answered while the server closes, too.
 */
import { type IncomingMessage, type OutgoingHttpHeaders, request, type Server } from "node:http";
import { duplexPair } from "node:stream";

export interface InsideRequest {
	method: "GET" | "POST";
	/** With its query. */
	path: string;
	headers: OutgoingHttpHeaders;
	body?: string | undefined;
	/** Of the caller: limits count it. */
	remoteAddress: string;
	/** The MCP tool that it is made for: a payment is bound to it. */
	tool?: string | undefined;
	/** The caller has disconnected, or has read enough. */
	signal: AbortSignal;
}

/** By the server's end of the connection: nothing that is sent in a request can pretend to be made for a tool. */
const tools = new WeakMap<object, string>();

const inside = new WeakSet<object>();

/** Whether the connection is one of this process to itself. What it asks was counted where it came from. */
export const isOwnRequest = (socket: object): boolean => inside.has(socket);

/** The MCP tool that the request on this connection was made for; undefined for one that came over the network. */
export const toolOf = (socket: object): string | undefined => tools.get(socket);

/** The answer, as its first bytes are there. Destroying it closes the connection, as a caller who leaves does. */
export function requestSelf(server: Server, asked: InsideRequest): Promise<IncomingMessage> {
	const { method, path, headers, body = "", remoteAddress, tool, signal } = asked;
	const [near, far] = duplexPair();
	Object.assign(far, { remoteAddress });
	inside.add(far);
	if (tool !== undefined) tools.set(far, tool);
	// A pair of streams, unlike a pair of sockets, does not end together by itself.
	near.once("close", () => far.destroy());
	far.once("close", () => near.destroy());
	server.emit("connection", far);
	return new Promise((resolve, reject) => {
		const length = method === "POST" ? { "content-length": Buffer.byteLength(body) } : {};
		const asking = request({ method, path, headers: { ...headers, ...length }, signal, createConnection: () => near });
		asking.once("response", resolve).on("error", reject).end(body);
	});
}

/** What there is of an answer up to a bound. What goes beyond it is not read: the stream is destroyed. */
export async function readUpTo(answer: IncomingMessage, maxBytes: number): Promise<{ bytes: Buffer; whole: boolean }> {
	const chunks: Buffer[] = [];
	let length = 0;
	for await (const chunk of answer as AsyncIterable<Buffer>) {
		chunks.push(chunk);
		length += chunk.length;
		if (length > maxBytes) return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), whole: false };
	}
	return { bytes: Buffer.concat(chunks), whole: true };
}
