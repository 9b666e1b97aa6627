/**
 * Reads server-sent events: each event once, in order, across reconnections. Uses `fetch`, which unlike EventSource can send a key and exists in
 * Node.js.
 */
import { isFinal } from "./errors.ts";
import { pause, type Sent, type Transport } from "./transport.ts";

export interface ServerEvent<T> {
	/** Position in the stream from which it can be resumed. */
	id: string;
	event: string;
	data: T;
}

/** Called when the state of the connection changes. */
export interface ConnectionCallbacks {
	/** The connection was opened or reopened. */
	onOpen?(): void;
	/** The connection failed; it is retried unless this throws. */
	onLost?(error: unknown): void;
}

/** Pause before a stream is reopened (ms), unless the service sends `retry`. */
const defaultRetryMs = 2_000;
const maxRetryMs = 60_000;

/** Yields events forever: if the service ends the stream, it is reopened after the last event. */
export async function* eventsOf<T>(
	transport: Transport,
	sent: Sent,
	{ onOpen, onLost }: ConnectionCallbacks = {},
): AsyncGenerator<ServerEvent<T>, void> {
	let last: string | undefined;
	let retryMs = defaultRetryMs;
	let failures = 0;
	while (true) {
		try {
			const headers = { accept: "text/event-stream", ...(last !== undefined && { "last-event-id": last }) };
			const { body } = await transport.send({ ...sent, headers });
			if (body === null) throw new Error("the stream has no body");
			onOpen?.();
			for await (const { id, event, data, retry } of messagesOf(body)) {
				failures = 0;
				if (retry !== undefined) retryMs = retry;
				// Heartbeats also carry the position.
				if (id !== undefined) last = id;
				if (data !== undefined) yield { id: last ?? "", event: event ?? "message", data: JSON.parse(data) as T };
			}
		} catch (error) {
			sent.signal?.throwIfAborted();
			if (isFinal(error)) throw error;
			onLost?.(error);
			failures++;
		}
		await pause(Math.min(retryMs * 2 ** Math.max(0, failures - 1), maxRetryMs), sent.signal);
	}
}

interface Message {
	id?: string;
	event?: string;
	data?: string;
	retry?: number;
}

/** Splits the stream into messages: blocks of lines separated by empty lines (HTML standard, 9.2.6). Discards an incomplete last block. */
async function* messagesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Message, void> {
	let rest = "";
	const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
	try {
		while (true) {
			const { done, value } = await reader.read();
			if (done) return;
			const blocks = (rest + value).split(/\r?\n\r?\n/);
			rest = blocks.pop() ?? "";
			for (const block of blocks) yield messageOf(block);
		}
	} finally {
		await reader.cancel().catch(() => {});
	}
}

function messageOf(block: string): Message {
	const message: Message = {};
	for (const line of block.split(/\r?\n/)) {
		const [, name = "", value = ""] = /^(\w*):? ?(.*)$/s.exec(line) ?? [];
		if (name === "data") message.data = message.data === undefined ? value : `${message.data}\n${value}`;
		else if (name === "id" || name === "event") message[name] = value;
		else if (name === "retry" && /^\d+$/.test(value)) message.retry = Number(value);
	}
	return message;
}
