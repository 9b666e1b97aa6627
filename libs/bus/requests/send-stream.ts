/** The owner's side of a streamed reply: sends chunks as fast as the requester reads, until it cancels or disappears. */
import { createInbox, headers, type Msg, type MsgHdrs, type Subscription } from "@nats-io/transport-node";
import { unavailable } from "#libs/contract/errors.ts";
import type { RequestContext } from "#libs/contract/index.ts";
import { untilAborted } from "#libs/contract/within.ts";
import type { Bus } from "../connect.ts";
import {
	cancelText,
	chunkHeader,
	creditHeader,
	endHeader,
	headHeader,
	inChunks,
	progressMs,
	windowChunks,
} from "./stream-wire.ts";
import { knownVersionOf } from "./wire.ts";

/**
 * Sends the chunks of the source that `open` returns. The context's signal fires when the requester cancels, has sent nothing for `goneMs`, or
 * has been reading for longer than `longestMs`; none of these is an error.
 * @throws what the source throws
 */
export async function sendStream(
	bus: Bus,
	request: Msg,
	times: StreamTimes,
	open: (context: RequestContext) => AsyncIterable<string | Uint8Array>,
): Promise<void> {
	const requester = new Requester(bus, request, times);
	try {
		requester.send(0, new Uint8Array(0));
		const sent = await pump(requester, inChunks(open(requester.context))[Symbol.asyncIterator]());
		const messageHeaders = headers();
		messageHeaders.set(endHeader, String(sent));
		requester.addHead(messageHeaders);
		request.respond("", { headers: messageHeaders });
	} catch (error) {
		if (!requester.signal.aborted) throw error;
	} finally {
		requester.close();
	}
}

async function pump(requester: Requester, chunks: AsyncIterator<Uint8Array>): Promise<number> {
	try {
		for (let number = 1; ; number++) {
			await requester.waitForCredit(number);
			const next = await untilAborted(chunks.next(), requester.signal);
			if (next.done === true) return number - 1;
			requester.send(number, next.value);
		}
	} finally {
		// Not awaited, because a stuck source would occupy the slot forever.
		void Promise.resolve(chunks.return?.()).catch(() => {});
	}
}

export interface StreamTimes {
	goneMs: number;
	longestMs: number;
}

/** The requester of the stream: how many chunks it has granted, and whether it still responds. */
class Requester {
	readonly #bus: Bus;
	readonly #request: Msg;
	readonly #control: Subscription;
	readonly #watchdog: NodeJS.Timeout;
	readonly #end: NodeJS.Timeout;
	readonly #gone = new AbortController();
	readonly context: RequestContext;
	/** Headers that have not been sent yet. */
	#head: Record<string, string> | undefined;
	#reportedAt = performance.now();
	#granted: number;
	#wake: (() => void) | undefined;

	constructor(bus: Bus, request: Msg, { goneMs, longestMs }: StreamTimes) {
		this.#bus = bus;
		this.#request = request;
		this.#granted = Number(request.headers?.get(creditHeader)) || windowChunks;
		this.#control = bus.nats.subscribe(createInbox(`_INBOX.${bus.name}`), {
			callback: (error, message) => (error === null ? this.#receive(message.string()) : this.#gone.abort(error)),
		});
		this.#watchdog = setTimeout(() => this.#gone.abort(new Error("the requester is gone")), goneMs);
		this.#end = setTimeout(() => this.#gone.abort(new Error("the requester takes too long")), longestMs);
		this.context = {
			signal: this.signal,
			knownVersion: knownVersionOf(request),
			head: (head) => {
				this.#head = head;
			},
			progress: () => this.#reportProgress(),
		};
	}

	get signal(): AbortSignal {
		return this.#gone.signal;
	}

	send(number: number, chunk: Uint8Array): void {
		const messageHeaders = headers();
		messageHeaders.set(chunkHeader, String(number));
		if (number > 0) this.addHead(messageHeaders);
		this.#bus.nats.publish(this.#request.reply ?? "", chunk, {
			headers: messageHeaders,
			reply: this.#control.getSubject(),
		});
	}

	addHead(messageHeaders: MsgHdrs): void {
		if (this.#head !== undefined) messageHeaders.set(headHeader, JSON.stringify(this.#head));
		this.#head = undefined;
	}

	/** Resolves when chunk `number` may be sent. */
	async waitForCredit(number: number): Promise<void> {
		while (this.#granted < number)
			await untilAborted(
				new Promise<void>((resolve) => {
					this.#wake = resolve;
				}),
				this.signal,
			);
	}

	close(): void {
		clearTimeout(this.#watchdog);
		clearTimeout(this.#end);
		this.#control.unsubscribe();
		this.#gone.abort(unavailable("the stream has ended"));
	}

	#reportProgress(): void {
		if (this.signal.aborted || performance.now() - this.#reportedAt < progressMs) return;
		this.#reportedAt = performance.now();
		this.send(0, new Uint8Array(0));
	}

	#receive(text: string): void {
		this.#watchdog.refresh();
		if (text === cancelText) this.#gone.abort(new Error("the requester cancelled"));
		this.#granted = Math.max(this.#granted, Number(text) || 0);
		this.#wake?.();
	}
}
