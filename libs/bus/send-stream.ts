/** The owner's side of a streamed reply: no faster than the requester takes it, and no longer than it is there. */
import { createInbox, headers, type Msg, type Subscription } from "@nats-io/transport-node";
import { unavailable } from "#libs/contract/errors.ts";
import type { Bus } from "./connect.ts";
import { cancelText, chunkHeader, creditHeader, endHeader, inChunks, windowChunks } from "./stream-wire.ts";

/**
 * Sends what `open` yields to the requester of `request`. The signal fires when the requester cancels or has not been heard from for
 * `waitMs`; that is no error. What the source throws is thrown on, for the caller to answer with.
 */
export async function sendStream(
	bus: Bus,
	request: Msg,
	waitMs: number,
	open: (signal: AbortSignal) => AsyncIterable<string | Uint8Array>,
): Promise<void> {
	const requester = new Requester(bus, request, waitMs);
	try {
		requester.send(0, new Uint8Array(0));
		const sent = await pump(requester, inChunks(open(requester.signal))[Symbol.asyncIterator]());
		const written = headers();
		written.set(endHeader, String(sent));
		request.respond("", { headers: written });
	} catch (error) {
		if (!requester.signal.aborted) throw error;
	} finally {
		requester.close();
	}
}

async function pump(requester: Requester, chunks: AsyncIterator<Uint8Array>): Promise<number> {
	try {
		for (let number = 1; ; number++) {
			await requester.credit(number);
			const next = await requester.orGone(chunks.next());
			if (next.done === true) return number - 1;
			requester.send(number, next.value);
		}
	} finally {
		// Not awaited: a source that is stuck would keep the requester's place for ever.
		void Promise.resolve(chunks.return?.()).catch(() => {});
	}
}

/** Who asked for the stream: how much it has granted, and whether it is still there. */
class Requester {
	readonly #bus: Bus;
	readonly #request: Msg;
	readonly #control: Subscription;
	readonly #watchdog: NodeJS.Timeout;
	readonly #gone = new AbortController();
	#granted: number;
	#wake: (() => void) | undefined;

	constructor(bus: Bus, request: Msg, waitMs: number) {
		this.#bus = bus;
		this.#request = request;
		this.#granted = Number(request.headers?.get(creditHeader)) || windowChunks;
		this.#control = bus.nats.subscribe(createInbox(`_INBOX.${bus.name}`), {
			callback: (error, message) => (error === null ? this.#hear(message.string()) : this.#leave(error)),
		});
		this.#watchdog = setTimeout(() => this.#leave(new Error("the requester went away")), waitMs);
	}

	get signal(): AbortSignal {
		return this.#gone.signal;
	}

	send(number: number, chunk: Uint8Array): void {
		const written = headers();
		written.set(chunkHeader, String(number));
		this.#bus.nats.publish(this.#request.reply ?? "", chunk, {
			headers: written,
			reply: this.#control.getSubject(),
		});
	}

	/** Resolves when chunk `number` may be sent. */
	async credit(number: number): Promise<void> {
		while (this.#granted < number)
			await this.orGone(
				new Promise<void>((resolve) => {
					this.#wake = resolve;
				}),
			);
	}

	/** Settles as `work` does, or rejects at once when the requester goes. One listener for one wait: nothing piles up. */
	orGone<T>(work: Promise<T>): Promise<T> {
		const { signal } = this.#gone;
		return new Promise((resolve, reject) => {
			const leave = () => reject(signal.reason);
			if (signal.aborted) leave();
			signal.addEventListener("abort", leave, { once: true });
			work.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
		});
	}

	close(): void {
		clearTimeout(this.#watchdog);
		this.#control.unsubscribe();
		this.#gone.abort(unavailable("The stream has ended."));
	}

	#hear(text: string): void {
		this.#watchdog.refresh();
		if (text === cancelText) this.#leave(new Error("the requester cancelled"));
		this.#granted = Math.max(this.#granted, Number(text) || 0);
		this.#wake?.();
	}

	#leave(reason: Error): void {
		this.#gone.abort(reason);
	}
}
