/** The requester's side of a streamed reply. */
import { createInbox, type Msg, type Subscription } from "@nats-io/transport-node";
import { type AppError, unavailable } from "#libs/contract/errors.ts";
import { type OperationName, type ParamsInput, requestSubject } from "#libs/contract/index.ts";
import type { Bus } from "../connect.ts";
import { runInClientSpan } from "../trace.ts";
import type { RequestOptions, StreamedName } from "./request.ts";
import { cancelText, creditHeader, headOf, renewMs, streamMessage, windowChunks } from "./stream-wire.ts";
import { type Watched, watchOf } from "./watch.ts";
import {
	busUnavailable,
	errorOf,
	isNoResponders,
	noReplyInTime,
	noResponder,
	requestHeaders,
	requestIdHeader,
	shapeOf,
} from "./wire.ts";

const defaultTimeoutMs = 30_000;

export interface StreamedReply extends AsyncIterableIterator<Uint8Array> {
	/** The response headers, which the owner sends with its first chunk. */
	readonly head: Readonly<Record<string, string>>;
}

/**
 * Requests a streamed reply and resolves when its first chunk has arrived (or its end, if it is empty), so that earlier errors can still set
 * the HTTP status. The chunks can be read once; leaving the loop cancels the stream.
 * @throws AppError from the owner, or 503 if no instance responds in time; while reading, also if a chunk is missing
 */
export async function requestStream<N extends StreamedName>(
	bus: Bus,
	name: N,
	params: ParamsInput<N>,
	options: RequestOptions = {},
): Promise<StreamedReply> {
	if (!bus.connected) throw busUnavailable();
	options.signal?.throwIfAborted();
	const reader = new StreamReader(bus, name, options);
	try {
		await reader.open(params);
		return reader;
	} catch (error) {
		reader.close(true);
		throw error;
	}
}

class StreamReader implements StreamedReply {
	head: Readonly<Record<string, string>> = {};
	readonly #bus: Bus;
	readonly #name: OperationName;
	readonly #timeoutMs: number;
	readonly #signal: AbortSignal | undefined;
	readonly #knownVersion: number | undefined;
	readonly #inbox: Subscription;
	readonly #renewal: NodeJS.Timeout;
	/** Chunks that have not been read yet, at most `windowChunks` because of the credit. */
	readonly #chunks: Uint8Array[] = [];
	#arrivedCount = 0;
	#readCount = 0;
	#grantedChunk = windowChunks;
	#receivedAt = performance.now();
	/** The owner's subject; undefined until the owner has accepted the request. */
	#control: string | undefined;
	#watched: Watched | undefined;
	#outcome: { error?: unknown } | undefined;
	#closed = false;
	#wake: (() => void) | undefined;

	constructor(bus: Bus, name: OperationName, options: RequestOptions) {
		this.#bus = bus;
		this.#name = name;
		this.#timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
		this.#signal = options.signal;
		this.#knownVersion = options.knownVersion;
		this.#inbox = bus.nats.subscribe(createInbox(`_INBOX.${bus.name}`), {
			callback: (error, message) => (error === null ? this.#receive(message) : this.#settle(busUnavailable())),
		});
		this.#renewal = setInterval(() => this.#renew(), Math.min(renewMs, this.#timeoutMs / 2));
		this.#signal?.addEventListener("abort", this.#abort, { once: true });
	}

	open(params: object): Promise<void> {
		const messageHeaders = requestHeaders(this.#timeoutMs, { knownVersion: this.#knownVersion });
		messageHeaders.set(creditHeader, String(windowChunks));
		return runInClientSpan(this.#name, messageHeaders, async () => {
			this.#watched = watchOf(this.#bus).add(shapeOf(this.#name).owner, (error) => this.#settle(error ?? this.#gone()));
			messageHeaders.set(requestIdHeader, this.#watched.id);
			this.#bus.nats.publish(requestSubject(this.#name), JSON.stringify(params), {
				headers: messageHeaders,
				reply: this.#inbox.getSubject(),
			});
			await this.#chunkOrEnd();
		});
	}

	async next(): Promise<IteratorResult<Uint8Array>> {
		await this.#chunkOrEnd();
		const chunk = this.#chunks.shift();
		if (chunk === undefined) {
			this.close(false);
			return { done: true, value: undefined };
		}
		this.#readCount++;
		// Credit is granted for half a window at a time: a message for each chunk would double the traffic.
		if (this.#readCount + windowChunks - this.#grantedChunk >= windowChunks / 2) {
			this.#grantedChunk = this.#readCount + windowChunks;
			this.#send(String(this.#grantedChunk));
		}
		return { done: false, value: chunk };
	}

	async return(): Promise<IteratorResult<Uint8Array>> {
		this.close(true);
		return { done: true, value: undefined };
	}

	[Symbol.asyncIterator](): this {
		return this;
	}

	close(early: boolean): void {
		if (this.#closed) return;
		this.#closed = true;
		clearInterval(this.#renewal);
		this.#signal?.removeEventListener("abort", this.#abort);
		if (early && this.#outcome === undefined) this.#send(cancelText);
		this.#settle();
		this.#chunks.length = 0;
		this.#inbox.unsubscribe();
	}

	/** Resolves when there is a chunk or the stream has ended. @throws the stream's error after all its chunks have been read */
	async #chunkOrEnd(): Promise<void> {
		// The owner is silent while the reader is slow, so its silence counts only from the start of this read.
		this.#receivedAt = performance.now();
		while (this.#chunks.length === 0 && this.#outcome === undefined)
			await new Promise<void>((resolve) => {
				this.#wake = resolve;
			});
		if (this.#chunks.length > 0 || this.#outcome?.error === undefined) return;
		this.close(true);
		throw this.#outcome.error;
	}

	#receive(message: Msg): void {
		this.#receivedAt = performance.now();
		if (isNoResponders(message)) {
			this.#settle(this.#gone());
			return;
		}
		const read = streamMessage(message);
		this.head = headOf(message) ?? this.head;
		if (read === undefined) this.#settle(errorOf(message) ?? brokenStream());
		else if (read.kind === "end") this.#settle(read.number === this.#arrivedCount ? undefined : brokenStream());
		else if (read.number === 0) this.#control = message.reply;
		else if (read.number === this.#arrivedCount + 1) this.#arrive(message.data);
		else {
			this.#send(cancelText);
			this.#settle(brokenStream());
		}
	}

	#arrive(chunk: Uint8Array): void {
		this.#arrivedCount++;
		if (this.#outcome !== undefined) return;
		this.#chunks.push(chunk);
		this.#wake?.();
	}

	/** Repeats the grant, and notices when the owner is silent for too long. */
	#renew(): void {
		this.#send(String(this.#grantedChunk));
		const isWaiting = this.#chunks.length === 0 && this.#outcome === undefined;
		if (!isWaiting || performance.now() - this.#receivedAt < this.#timeoutMs) return;
		this.#send(cancelText);
		this.#settle(noReplyInTime(this.#name));
	}

	/** Sends with this inbox as the reply subject, so that NATS reports if the owner has gone. */
	#send(text: string): void {
		if (this.#control === undefined || this.#bus.nats.isClosed()) return;
		this.#bus.nats.publish(this.#control, text, { reply: this.#inbox.getSubject() });
	}

	readonly #abort = (): void => {
		this.#send(cancelText);
		this.#chunks.length = 0;
		this.#settle(this.#signal?.reason ?? new Error("cancelled"));
	};

	#gone(): AppError {
		return this.#control === undefined ? noResponder(this.#name) : brokenStream();
	}

	#settle(error?: unknown): void {
		if (this.#watched !== undefined) watchOf(this.#bus).remove(this.#watched);
		this.#outcome ??= error === undefined ? {} : { error };
		this.#wake?.();
	}
}

const brokenStream = () => unavailable("the stream broke off");
