/** Server-sent events by `fetch`, so that a key can be sent and Node.js can read them: each once, in order, through lost connections. */
import { isFinal } from "./errors.ts";
import { pause, type Sent, type Transport } from "./transport.ts";

export interface ServerEvent<T> {
	/** Its place in the stream: from where to go on. */
	id: string;
	event: string;
	data: T;
}

/** Called with what becomes of the connection. */
export interface ConnectionCallbacks {
	/** The service answers, the first time and each time again. */
	onOpen?(): void;
	/** The connection was lost or not made; it is tried again, unless this throws. */
	onLost?(error: unknown): void;
}

/** Wait before a stream that ended is opened again (ms), unless the service says otherwise. */
const usualRetryMs = 2_000;
const longestRetryMs = 60_000;

/** Never ends by itself: the service may end a stream at any time, and then it is opened again after the last event. */
export async function* eventsOf<T>(
	transport: Transport,
	sent: Sent,
	{ onOpen, onLost }: ConnectionCallbacks = {},
): AsyncGenerator<ServerEvent<T>, void> {
	let last: string | undefined;
	let retryMs = usualRetryMs;
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
				// The place comes with heartbeats, too.
				if (id !== undefined) last = id;
				if (data !== undefined) yield { id: last ?? "", event: event ?? "message", data: JSON.parse(data) as T };
			}
		} catch (error) {
			sent.signal?.throwIfAborted();
			if (isFinal(error)) throw error;
			onLost?.(error);
			failures++;
		}
		await pause(Math.min(retryMs * 2 ** Math.max(0, failures - 1), longestRetryMs), sent.signal);
	}
}

interface Message {
	id?: string;
	event?: string;
	data?: string;
	retry?: number;
}

/** Blocks of lines, parted by empty ones (HTML standard, 9.2.6). What is cut off at the end is no message. */
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
