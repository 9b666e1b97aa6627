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

/** How long to wait for an event that the client has already received from another gateway (ms). */
const aheadMs = 1_000;
/** Longest wait for a turn to read a page (ms); then the stream retries. */
const pageWaitMs = 60_000;
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
	/** Undefined: only new events. `loc`: the parameter or header that gave the number. */
	after: { seq: number; loc: [string, string] } | undefined;
	caller: QueueCaller;
	/** Network of a caller without a paid plan; undefined for a paid plan and for this machine. */
	network: string | undefined;
	turn: AcquireSlot;
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
	/** Limits the pages of past events that are read at once, because parsing and filtering one blocks the process. Paid plans come first. */
	readonly #pages: FairQueue;
	readonly #timer: NodeJS.Timeout;
	#isClosing = false;

	constructor(config: EventStreamConfig) {
		this.#config = config;
		this.#pages = new FairQueue({
			...{ what: "event streams that catch up", slots: 3, slotsPerCaller: 1, slotsUnpaid: 1 },
			...{ waiting: config.EVENT_STREAMS_MAX, waitingPerCaller: config.EVENT_STREAMS_PER_CALLER },
			waitMs: pageWaitMs,
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
		const { name, channel, params, after, caller, network, turn, isAllowed } = opening;
		const { feed } = channel;
		this.#refuseAboveLimits(caller, network);
		const open: Open = { name, isAllowed, refresh: () => void feed.refresh() };
		this.#open.add(open, caller);
		if (network !== undefined) this.#unpaid.add(open, { address: network });
		let following: Disposable | undefined;
		const gone = new AbortController();
		const leave = () => {
			gone.abort();
			this.#open.delete(open);
			this.#unpaid.delete(open);
			following?.[Symbol.dispose]();
			following = undefined;
		};
		try {
			following = await feed.follow();
			if (after !== undefined && after.seq > feed.newest) await within(feed.refresh(), aheadMs);
			if (after !== undefined && after.seq > feed.newest)
				throw invalid([{ loc: after.loc, msg: `does not exist yet: the newest event is ${feed.newest}` }]);
			const stream = new EventStream<T>({
				feed,
				after: after?.seq ?? feed.newest,
				past: (seq) => this.#readPage(() => channel.past(seq, turn), caller, gone.signal),
				chooses: channel.chooses(params),
				bytesOf: channel.bytesOf(params),
				maxBytes: this.#config.EVENT_STREAM_BUFFER_BYTES,
				onCut: () => cutStreams.inc(),
				onEnd: leave,
			});
			open.stream = stream as unknown as EventStream<Sequenced>;
			// The process may have begun to stop meanwhile.
			if (this.#isClosing) stream.finish();
			return stream;
		} catch (error) {
			leave();
			throw error;
		}
	}

	/**
	 * Reads a page, then yields to other calls. Without a paid plan it pauses for as long as the page took, which leaves half of the process's
	 * time to other calls.
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
		const { EVENT_STREAMS_MAX: most, EVENT_STREAMS_PER_CALLER: mostOfCaller } = this.#config;
		const { EVENT_STREAMS_KEYLESS: mostKeyless, EVENT_STREAMS_PER_NETWORK: mostOfNetwork } = this.#config;
		if (this.#isClosing) throw unavailable("this replica is stopping", 1);
		if (this.#open.weightOf(caller) >= mostOfCaller)
			throw tooManyRequests(`a caller can have at most ${mostOfCaller} open event streams`, retryAfterSeconds);
		if (network !== undefined && this.#unpaid.weightOf({ address: network }) >= mostOfNetwork)
			throw tooManyRequests(
				`without a paid plan ${network} can have at most ${mostOfNetwork} open event streams`,
				retryAfterSeconds,
			);
		if (this.#open.size >= most) throw unavailable("too many event streams are open", retryAfterSeconds);
		if (network !== undefined && this.#unpaid.size >= mostKeyless)
			throw unavailable(
				"too many event streams without a paid plan are open; a paid plan may still open one",
				retryAfterSeconds,
			);
	}

	#sendHeartbeats(): void {
		for (const { stream, isAllowed, refresh } of [...this.#open.all()]) {
			if (stream === undefined) continue;
			stream.heartbeat();
			// A refresh is free while the feed is being read.
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
