/** Reads a log once for all clients of a gateway, and passes each new item on to them, once and in order. */
import { setTimeout as pause } from "node:timers/promises";
import { incidentOf } from "#libs/bus/incident.ts";
import { backoffMs } from "#libs/bus/wake.ts";
import type { Logger } from "#libs/service/logger.ts";

export interface Sequenced {
	readonly seq: number;
}

/** Items after a given sequence number, in order. `next`: the number after which to continue; at the end of the log, the given number. */
export interface Page<T> {
	items: readonly T[];
	next: number;
}

export interface Source<T extends Sequenced> {
	readonly name: string;
	head(): Promise<number>;
	after(seq: number): Promise<Page<T>>;
	/** Calls `onMore` when there may be new items. */
	watch(onMore: () => void): Disposable;
}

/** Number of recent items that are in memory, so that clients that join can catch up without a request to the log. */
const maxRecentItems = 1_000;

export class Feed<T extends Sequenced> {
	readonly #source: Source<T>;
	readonly #log: Logger;
	readonly #listeners = new Set<(items: readonly T[]) => void>();
	/** All items after `#recentFrom`, up to `#newest`. */
	readonly #recent: T[] = [];
	#recentFrom = 0;
	#newest = 0;
	#followers = 0;
	#watching: Disposable | undefined;
	#isReady = false;
	#starting: Promise<void> | undefined;
	#reading: Promise<void> | undefined;
	#mayHaveMore = false;
	/** Items that listeners have not received yet. Items that arrive together are passed on together. */
	#pending: T[] = [];

	constructor(source: Source<T>, log: Logger) {
		this.#source = source;
		this.#log = log;
	}

	get newest(): number {
		return this.#newest;
	}

	/** Runs the feed until the result is disposed. @throws AppError 503 while its source cannot be read */
	async follow(): Promise<Disposable> {
		this.#followers++;
		const following = { [Symbol.dispose]: () => this.#leave() };
		try {
			this.#starting ??= this.#start();
			await this.#starting;
			return following;
		} catch (error) {
			following[Symbol.dispose]();
			throw error;
		}
	}

	/** Whether all items after a number are in memory, so that `since` can be called. */
	covers(seq: number): boolean {
		return seq >= this.#recentFrom;
	}

	since(seq: number, maxItems: number): Page<T> {
		const first = this.#recent.findIndex((item) => item.seq > seq);
		const items = first < 0 ? [] : this.#recent.slice(first, first + maxItems);
		return { items, next: items.length === maxItems ? (items.at(-1)?.seq ?? seq) : Math.max(seq, this.#newest) };
	}

	listen(onItems: (items: readonly T[]) => void): Disposable {
		this.#listeners.add(onItems);
		return { [Symbol.dispose]: () => void this.#listeners.delete(onItems) };
	}

	async refresh(): Promise<void> {
		if (!this.#isReady) return;
		this.#mayHaveMore = true;
		this.#reading ??= this.#read().finally(() => {
			this.#reading = undefined;
		});
		await this.#reading;
	}

	async #start(): Promise<void> {
		// Watching begins before the newest number is read, so that no item is missed.
		this.#watching = this.#source.watch(() => void this.refresh());
		try {
			this.#newest = await this.#source.head();
			this.#recentFrom = this.#newest;
			this.#recent.length = 0;
			this.#isReady = true;
		} catch (error) {
			this.#stop();
			throw error;
		}
		void this.refresh();
	}

	#leave(): void {
		this.#followers--;
		if (this.#followers === 0) this.#stop();
	}

	#stop(): void {
		this.#watching?.[Symbol.dispose]();
		this.#watching = undefined;
		this.#starting = undefined;
		this.#isReady = false;
		this.#pending = [];
	}

	async #read(): Promise<void> {
		const incident = incidentOf({
			log: this.#log,
			fields: { feed: this.#source.name },
			message: "a feed of event streams cannot be read",
			closed: "a feed of event streams is read again",
		});
		for (let failures = 0; this.#mayHaveMore && this.#isReady; ) {
			this.#mayHaveMore = false;
			try {
				await this.#readToEnd();
				failures = 0;
				incident.close();
			} catch (error) {
				incident.open(error);
				this.#mayHaveMore = true;
				await pause(backoffMs(++failures, 100, 5_000));
			}
		}
	}

	async #readToEnd(): Promise<void> {
		const watching = this.#watching;
		for (;;) {
			const { items, next } = await this.#source.after(this.#newest);
			// The feed was stopped or restarted meanwhile.
			if (next <= this.#newest || this.#watching !== watching) return;
			this.#append(items, next);
		}
	}

	#append(items: readonly T[], next: number): void {
		this.#newest = next;
		this.#recent.push(...items);
		const [lastRemoved] = this.#recent.splice(0, this.#recent.length - maxRecentItems).slice(-1);
		if (lastRemoved !== undefined) this.#recentFrom = lastRemoved.seq;
		if (this.#pending.length === 0 && items.length > 0) setImmediate(() => this.#notify());
		this.#pending.push(...items);
	}

	#notify(): void {
		const items = this.#pending;
		this.#pending = [];
		if (items.length > 0) for (const listener of this.#listeners) listener(items);
	}
}

export type AcquireSlot = () => Promise<Disposable>;

export interface Channel<P, T extends Sequenced> {
	feed: Feed<T>;
	/** Reads items after a number, for a client that catches up. */
	readAfter(seq: number, acquireSlot: AcquireSlot): Promise<Page<T>>;
	filterFor(params: P): (item: T) => boolean;
	bytesOf(params: P): (item: T) => Buffer;
	/** The event without its data, for the service's own pages, which then read the data. */
	noticeOf(item: T): Buffer;
}

/** An event in the format of the HTML standard. `data` is JSON without line breaks. */
export const eventText = (seq: number, name: string, data: string): string =>
	`id: ${seq}\nevent: ${name}\ndata: ${data}\n\n`;
