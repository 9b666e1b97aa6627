/** The open event streams of this process: their limits, heartbeats and end. */
import { setTimeout as pause } from "node:timers/promises";
import { Counter } from "prom-client";
import { gaugeOf } from "#libs/bus/scrape.ts";
import { invalid, tooManyRequests, unavailable } from "#libs/contract/errors.ts";
import type { EventStreamName } from "#libs/contract/index.ts";
import { isPaidPlan } from "#libs/contract/vocabulary.ts";
import { within } from "#libs/contract/within.ts";
import { FairQueue, type QueueCaller } from "#libs/service/fair-queue.ts";
import type { Config } from "../config.ts";
import { SharedPool } from "../pools/held.ts";
import { EventStream } from "./event-stream.ts";
import type { AcquireSlot, Channel, Sequenced } from "./feed.ts";

const cutStreams = new Counter({
	name: "gateway_event_streams_cut_total",
	help: "Event streams that were closed because their clients left more than EVENT_STREAM_BUFFER_BYTES unread.",
});

/** Longest wait for an event that the client has already received from another gateway. */
const maxAheadWaitMs = 1_000;
/** Longest wait of a stream for its turn to read a page; then it retries. */
const maxPageWaitMs = 60_000;
/** `Retry-After` for a caller with too many streams (s). */
const retryAfterSeconds = 10;

export type EventStreamConfig = Pick<
	Config,
	| "EVENT_STREAMS_MAX"
	| "EVENT_STREAMS_PER_CALLER"
	| "EVENT_STREAMS_PER_NETWORK"
	| "EVENT_STREAMS_KEYLESS"
	| "EVENT_STREAM_HEARTBEAT_MS"
	| "EVENT_STREAM_BUFFER_BYTES"
>;

export interface Opening<P, T extends Sequenced> {
	name: EventStreamName;
	channel: Channel<P, T>;
	params: P;
	/** The client has received the events up to `seq`. Undefined: it gets only new events. `loc`: the parameter or header that contained `seq`. */
	after: { seq: number; loc: [string, string] } | undefined;
	caller: QueueCaller;
	/** Network of a caller without a paid plan; undefined for a paid plan and for a loopback address. */
	network: string | undefined;
	acquireSlot: AcquireSlot;
	isAllowed(): Promise<boolean>;
}

interface Open {
	name: EventStreamName;
	stream?: EventStream<Sequenced>;
	isAllowed(): Promise<boolean>;
	refresh(): void;
}

export class OpenStreams implements Disposable {
	readonly #config: EventStreamConfig;
	readonly #open = new SharedPool<Open>();
	/** Open streams without a paid plan, by network, because one customer can have many addresses and free keys. */
	readonly #unpaid = new SharedPool<Open>();
	/** Limits the pages of past events that are read at once, because parsing and filtering a page blocks the process. Paid plans come first. */
	readonly #pages: FairQueue;
	readonly #timer: NodeJS.Timeout;
	#isClosing = false;

	constructor(config: EventStreamConfig) {
		this.#config = config;
		this.#pages = new FairQueue({
			...{ what: "event streams that catch up", slots: 3, slotsPerCaller: 1, slotsUnpaid: 1 },
			...{ waiting: config.EVENT_STREAMS_MAX, waitingPerCaller: config.EVENT_STREAMS_PER_CALLER },
			waitMs: maxPageWaitMs,
		});
		this.#timer = setInterval(() => this.#sendHeartbeats(), config.EVENT_STREAM_HEARTBEAT_MS);
		this.#timer.unref();
		gaugeOf({
			name: "gateway_event_streams",
			help: "Event streams that are open, by operation.",
			labels: ["operation"],
			read: () => this.#counts(),
		});
	}

	async open<P, T extends Sequenced>(opening: Opening<P, T>): Promise<EventStream<T>> {
		const { name, channel, params, after, caller, network, acquireSlot, isAllowed } = opening;
		const { feed } = channel;
		this.#refuseAboveLimits(caller, network);
		const open: Open = { name, isAllowed, refresh: () => void feed.refresh() };
		this.#open.add(open, caller);
		if (network !== undefined) this.#unpaid.add(open, { address: network });
		let following: Disposable | undefined;
		const ended = new AbortController();
		const release = () => {
			ended.abort();
			this.#open.delete(open);
			this.#unpaid.delete(open);
			following?.[Symbol.dispose]();
			following = undefined;
		};
		try {
			following = await feed.follow();
			if (after !== undefined && after.seq > feed.newest) await within(feed.refresh(), maxAheadWaitMs);
			if (after !== undefined && after.seq > feed.newest)
				throw invalid([{ loc: after.loc, msg: `does not exist yet: the newest event is ${feed.newest}` }]);
			const stream = new EventStream<T>({
				feed,
				after: after?.seq ?? feed.newest,
				readAfter: (seq) => this.#readPage(() => channel.readAfter(seq, acquireSlot), caller, ended.signal),
				matches: channel.filterFor(params),
				bytesOf: channel.bytesOf(params),
				maxBytes: this.#config.EVENT_STREAM_BUFFER_BYTES,
				onCut: () => cutStreams.inc(),
				onEnd: release,
			});
			open.stream = stream as unknown as EventStream<Sequenced>;
			// The process may have begun to stop meanwhile.
			if (this.#isClosing) stream.finish();
			return stream;
		} catch (error) {
			release();
			throw error;
		}
	}

	/**
	 * Reads a page, then yields to other calls. For a caller without a paid plan, it pauses for as long as the page took, which leaves half of
	 * the process's time to other calls.
	 */
	async #readPage<T>(read: () => Promise<T>, caller: QueueCaller, signal: AbortSignal): Promise<T> {
		using _slot = await this.#pages.acquire(caller, signal);
		const began = performance.now();
		const page = await read();
		await pause(isPaidPlan(caller.plan) ? 0 : performance.now() - began);
		return page;
	}

	/** Ends every stream, so that clients reconnect to another replica. */
	finish(): void {
		this.#isClosing = true;
		for (const { stream } of [...this.#open.all()]) stream?.finish();
	}

	[Symbol.dispose](): void {
		clearInterval(this.#timer);
		this.finish();
	}

	#refuseAboveLimits(caller: QueueCaller, network: string | undefined): void {
		const { EVENT_STREAMS_MAX: maxOpen, EVENT_STREAMS_PER_CALLER: maxOfCaller } = this.#config;
		const { EVENT_STREAMS_KEYLESS: maxUnpaid, EVENT_STREAMS_PER_NETWORK: maxOfNetwork } = this.#config;
		if (this.#isClosing) throw unavailable("this replica is stopping", 1);
		if (this.#open.weightOf(caller) >= maxOfCaller)
			throw tooManyRequests(`a caller can have at most ${maxOfCaller} open event streams`, retryAfterSeconds);
		if (network !== undefined && this.#unpaid.weightOf({ address: network }) >= maxOfNetwork)
			throw tooManyRequests(
				`without a paid plan ${network} can have at most ${maxOfNetwork} open event streams`,
				retryAfterSeconds,
			);
		if (this.#open.size >= maxOpen) throw unavailable("too many event streams are open", retryAfterSeconds);
		if (network !== undefined && this.#unpaid.size >= maxUnpaid)
			throw unavailable(
				"too many event streams without a paid plan are open; a paid plan may still open one",
				retryAfterSeconds,
			);
	}

	#sendHeartbeats(): void {
		for (const { stream, isAllowed, refresh } of [...this.#open.all()]) {
			if (stream === undefined) continue;
			stream.heartbeat();
			// While the feed is being read, a refresh costs nothing.
			refresh();
			void isAllowed().then((allowed) => {
				if (!allowed) stream.finish();
			});
		}
	}

	#counts() {
		const byName = Map.groupBy(this.#open.all(), ({ name }) => name);
		return [...byName].map(([operation, open]) => ({ labels: { operation }, value: open.length }));
	}
}
