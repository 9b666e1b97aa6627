/** One client's stream of server-sent events: what it has missed from the log, then what the feed brings, each once and in order. */
import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { backoffMs } from "#libs/bus/wake.ts";
import type { Feed, Page, Sequenced } from "./feed.ts";

export interface EventStreamOptions<T extends Sequenced> {
	feed: Feed<T>;
	/** Number of the last event that the client has. */
	after: number;
	/** What follows a number that the feed does not have at hand any more. */
	past(seq: number): Promise<Page<T>>;
	chooses(item: T): boolean;
	/** The event as it is sent. */
	bytesOf(item: T): Buffer;
	/** Unsent bytes beyond which a client is too slow. */
	maxBytes: number;
	onCut(): void;
	onEnd(): void;
}

/** What a client waits for before it connects again (ms). */
const retryMs = 2_000;
/** Items that are taken from the feed at once by a client that catches up. */
const atOnce = 100;

export class EventStream<T extends Sequenced> extends Readable {
	readonly #options: EventStreamOptions<T>;
	/** Everything up to it was sent or is not chosen. */
	#seq: number;
	#listening: Disposable | undefined;
	#wake: (() => void) | undefined;
	#isOver = false;

	constructor(options: EventStreamOptions<T>) {
		super({ highWaterMark: 65_536 });
		this.#options = options;
		this.#seq = options.after;
		// The place without an event: a client that loses its connection before the first one resumes from here.
		this.push(`retry: ${retryMs}\nid: ${this.#seq}\n\n`);
		void this.#catchUp();
	}

	/** Whether it has caught up. */
	get isLive(): boolean {
		return this.#listening !== undefined;
	}

	/** A comment; with the place, so that a client whose filters choose little does not read all of it again. */
	heartbeat(): void {
		if (this.#isOver) return;
		if (this.isLive) this.#pushInTime(Buffer.from(`:\nid: ${this.#seq}\n\n`));
		else if (this.readableLength === 0) this.push(":\n\n");
	}

	/** A clean end: the client connects again. */
	finish(): void {
		this.#listening?.[Symbol.dispose]();
		if (!this.#isOver) this.push(null);
		this.#isOver = true;
		this.#wake?.();
	}

	override _read(): void {
		this.#wake?.();
	}

	override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
		this.#isOver = true;
		this.#listening?.[Symbol.dispose]();
		this.#wake?.();
		this.#options.onEnd();
		callback(error);
	}

	async #catchUp(): Promise<void> {
		const { feed, past } = this.#options;
		for (let failures = 0; !this.#isOver; ) {
			if (feed.covers(this.#seq)) {
				const { items, next } = feed.since(this.#seq, atOnce);
				if (items.length === 0) {
					// Nothing can come between this and the feed's next word.
					this.#seq = next;
					this.#listening = feed.listen((more) => this.#live(more));
					return;
				}
				this.#send(items, next);
			} else {
				try {
					const { items, next } = await past(this.#seq);
					// A standby that has not yet what the feed knows of.
					failures = next > this.#seq ? 0 : failures + 1;
					this.#send(items, next);
				} catch {
					failures++;
				}
				if (failures > 0) await pause(backoffMs(failures, 100, 5_000));
			}
			await this.#taken();
		}
	}

	/** Resolves when the client has taken most of what it was sent. */
	async #taken(): Promise<void> {
		while (!this.#isOver && this.readableLength >= this.readableHighWaterMark)
			await new Promise<void>((resolve) => {
				this.#wake = resolve;
			});
	}

	#live(items: readonly T[]): void {
		const bytes = this.#chosen(items);
		this.#seq = Math.max(this.#seq, items.at(-1)?.seq ?? 0);
		if (bytes !== undefined) this.#pushInTime(bytes);
	}

	#send(items: readonly T[], next: number): void {
		const bytes = this.#chosen(items);
		this.#seq = next;
		if (bytes !== undefined && !this.#isOver) this.push(bytes);
	}

	#chosen(items: readonly T[]): Buffer | undefined {
		const { chooses, bytesOf } = this.#options;
		const chosen = items.filter((item) => item.seq > this.#seq && chooses(item)).map(bytesOf);
		return chosen.length > 1 ? Buffer.concat(chosen) : chosen[0];
	}

	#pushInTime(bytes: Buffer): void {
		if (this.#isOver) return;
		this.push(bytes);
		if (this.readableLength <= this.#options.maxBytes) return;
		this.#options.onCut();
		this.destroy();
	}
}
