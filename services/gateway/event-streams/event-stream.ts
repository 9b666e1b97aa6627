/** One client's stream of server-sent events: missed items from the log, then live items from the feed, each once and in order. */
import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { backoffMs } from "#libs/bus/wake.ts";
import type { Feed, Page, Sequenced } from "./feed.ts";

export interface EventStreamOptions<T extends Sequenced> {
	feed: Feed<T>;
	/** Sequence number of the last event that the client received. */
	after: number;
	readAfter(seq: number): Promise<Page<T>>;
	matches(item: T): boolean;
	bytesOf(item: T): Buffer;
	/** Unsent bytes beyond which a slow client is disconnected. */
	maxBytes: number;
	onCut(): void;
	onEnd(): void;
}

/** Time that a client waits before it reconnects (ms). */
const retryMs = 2_000;
const itemsAtOnce = 100;

export class EventStream<T extends Sequenced> extends Readable {
	readonly #options: EventStreamOptions<T>;
	/** Every item up to this number was sent or filtered out. */
	#seq: number;
	#listening: Disposable | undefined;
	#wake: (() => void) | undefined;
	#hasEnded = false;

	constructor(options: EventStreamOptions<T>) {
		super({ highWaterMark: 65_536 });
		this.#options = options;
		this.#seq = options.after;
		// Sends the position first: a client that disconnects before the first event resumes from here.
		this.push(`retry: ${retryMs}\nid: ${this.#seq}\n\n`);
		void this.#catchUp();
	}

	get isLive(): boolean {
		return this.#listening !== undefined;
	}

	/** Sends a comment and the position, so that a client with narrow filters does not read the log again after a reconnect. */
	heartbeat(): void {
		if (this.#hasEnded) return;
		if (this.isLive) this.#pushOrCut(Buffer.from(`:\nid: ${this.#seq}\n\n`));
		else if (this.readableLength === 0) this.push(":\n\n");
	}

	/** Ends the stream cleanly, so that the client reconnects. */
	finish(): void {
		this.#listening?.[Symbol.dispose]();
		if (!this.#hasEnded) this.push(null);
		this.#hasEnded = true;
		this.#wake?.();
	}

	override _read(): void {
		this.#wake?.();
	}

	override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
		this.#hasEnded = true;
		this.#listening?.[Symbol.dispose]();
		this.#wake?.();
		this.#options.onEnd();
		callback(error);
	}

	async #catchUp(): Promise<void> {
		const { feed, readAfter } = this.#options;
		for (let failures = 0; !this.#hasEnded; ) {
			if (feed.covers(this.#seq)) {
				const { items, next } = feed.since(this.#seq, itemsAtOnce);
				if (items.length === 0) {
					// `since` and `listen` run without an await between them, so no item is missed.
					this.#seq = next;
					this.#listening = feed.listen((newItems) => this.#sendLive(newItems));
					return;
				}
				this.#send(items, next);
			} else {
				try {
					const { items, next } = await readAfter(this.#seq);
					// A standby can lag behind the feed.
					failures = next > this.#seq ? 0 : failures + 1;
					this.#send(items, next);
				} catch {
					failures++;
				}
				if (failures > 0) await pause(backoffMs(failures, 100, 5_000));
			}
			await this.#waitForReader();
		}
	}

	/** Resolves when less than the high water mark is unread. */
	async #waitForReader(): Promise<void> {
		while (!this.#hasEnded && this.readableLength >= this.readableHighWaterMark)
			await new Promise<void>((resolve) => {
				this.#wake = resolve;
			});
	}

	#sendLive(items: readonly T[]): void {
		const bytes = this.#serializeChosen(items);
		this.#seq = Math.max(this.#seq, items.at(-1)?.seq ?? 0);
		if (bytes !== undefined) this.#pushOrCut(bytes);
	}

	#send(items: readonly T[], next: number): void {
		const bytes = this.#serializeChosen(items);
		this.#seq = next;
		if (bytes !== undefined && !this.#hasEnded) this.push(bytes);
	}

	#serializeChosen(items: readonly T[]): Buffer | undefined {
		const { matches, bytesOf } = this.#options;
		const chunks = items.filter((item) => item.seq > this.#seq && matches(item)).map(bytesOf);
		return chunks.length > 1 ? Buffer.concat(chunks) : chunks[0];
	}

	/** Sends bytes, or disconnects the client if it has left too many unread. */
	#pushOrCut(bytes: Buffer): void {
		if (this.#hasEnded) return;
		this.push(bytes);
		if (this.readableLength <= this.#options.maxBytes) return;
		this.#options.onCut();
		this.destroy();
	}
}
