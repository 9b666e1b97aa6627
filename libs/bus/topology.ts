/** Streams and durable consumers, made at boot from the contract's events: read, then added or updated. */
import { setTimeout as pause } from "node:timers/promises";
import {
	AckPolicy,
	type ConsumerConfig,
	DeliverPolicy,
	DiscardPolicy,
	JetStreamApiError,
	type JetStreamManager,
	jetstreamManager,
	RetentionPolicy,
	StorageType,
	type StreamConfig,
} from "@nats-io/jetstream";
import { NoRespondersError, nanos, RequestError, TimeoutError } from "@nats-io/transport-node";
import { type EventShape, streamOf, subjectOf } from "#libs/contract/events/event.ts";
import type { Owner } from "#libs/contract/index.ts";
import type { Bus, StreamLimits } from "./connect.ts";

/** How long a stream keeps an event, and so how long it can be delivered: inboxes remember twice as long. */
export const streamAgeHours = 168;

/** Size limit of a stream (bytes), unless its own limits say otherwise; the oldest events go first. */
export const streamBytes = 1024 ** 3;

/**
 * How long JetStream recognises a `Nats-Msg-Id`: longer than a relay that died mid-batch takes to be replaced (a silent holder of its lock
 * loses it after 30 s). A consumer recognises a duplicate by itself, at any age. NATS remembers up to three times as many ids, each
 * about 130 bytes: of ten minutes at a thousand events a second that would be 230 MB.
 */
const duplicateWindowMs = 2 * 60_000;

/** The stream of everything that `publisher` announces, made or brought to these limits. For the publisher's own start. */
export async function ensureStream(bus: Bus, publisher: Owner, limits: StreamLimits = {}): Promise<void> {
	const manager = await managerOf(bus);
	const wanted = streamConfig(publisher, { ...bus.streams, ...limits });
	await oncePossible(async () => {
		const found = await unlessMissing(manager.streams.info(wanted.name));
		if (found === undefined) await manager.streams.add(wanted);
		else if (differs(wanted, found.config)) await manager.streams.update(wanted.name, wanted);
	});
}

export interface Durable {
	stream: string;
	name: string;
}

export interface DurableOptions {
	/** `<service>-<reaction>`, without dots. */
	name: string;
	event: EventShape;
	/** Time to acknowledge a delivery before it is repeated (ms). */
	ackWaitMs: number;
	/** Most deliveries that wait for an acknowledgement. */
	maxAckPending: number;
}

/** The durable consumer of one event, with its stream when the publisher has not made it yet. It has as many copies as the stream. */
export async function ensureDurable(bus: Bus, options: DurableOptions): Promise<Durable> {
	const manager = await managerOf(bus);
	return await oncePossible(() => makeDurable(manager, options, bus.streams));
}

async function makeDurable(manager: JetStreamManager, options: DurableOptions, limits: StreamLimits): Promise<Durable> {
	const { event, name } = options;
	const stream = streamOf(event.publisher);
	const missing = (await unlessMissing(manager.streams.info(stream))) === undefined;
	// With its copies from the beginning: one that gets them later can lose what it held before (seen with NATS 2.9.10).
	if (missing) await manager.streams.add(streamConfig(event.publisher, limits));
	const changeable = {
		ack_wait: nanos(options.ackWaitMs),
		max_ack_pending: options.maxAckPending,
		// The reaction counts: a limit here would drop the last delivery of a process that dies before its dead letter.
		max_deliver: -1,
		filter_subject: subjectOf(event),
	} satisfies Partial<ConsumerConfig>;
	let found = await unlessMissing(manager.consumers.info(stream, name));
	// A power cut can take messages whose numbers the consumer has passed: it would miss those that get the numbers next. From the beginning
	// it gets all of them; the inbox drops what had its effect. The stream is asked second, so that it is not behind for being asked earlier.
	if (found !== undefined && found.delivered.stream_seq > (await manager.streams.info(stream)).state.last_seq) {
		await manager.consumers.delete(stream, name);
		found = undefined;
	}
	if (found === undefined)
		await manager.consumers.add(stream, {
			...changeable,
			durable_name: name,
			ack_policy: AckPolicy.Explicit,
			deliver_policy: DeliverPolicy.All,
		});
	else if (differs(changeable, found.config)) await manager.consumers.update(stream, name, changeable);
	return { stream, name };
}

/** Events that a durable has not finished: not yet delivered, or not yet acknowledged. */
export async function backlogOf(bus: Bus, durable: Durable): Promise<number> {
	const info = await (await managerOf(bus)).consumers.info(durable.stream, durable.name);
	return info.num_pending + info.num_ack_pending;
}

/** Number of the newest message that a stream has had. @throws when the stream is missing, or NATS does not answer within `timeout` ms */
export async function lastSequence(bus: Bus, stream: string, timeout: number): Promise<number> {
	// Without a connection the request would wait for one.
	if (!bus.connected) throw new Error("there is no connection to NATS");
	const { streams } = await jetstreamManager(bus.nats, { checkAPI: false, timeout });
	return (await streams.info(stream)).state.last_seq;
}

const managerOf = (bus: Bus): Promise<JetStreamManager> => jetstreamManager(bus.nats, { checkAPI: false });

function streamConfig(publisher: Owner, limits: StreamLimits) {
	return {
		name: streamOf(publisher),
		subjects: [`event.${publisher}.>`],
		storage: StorageType.File,
		retention: RetentionPolicy.Limits,
		discard: DiscardPolicy.Old,
		max_age: nanos((limits.maxAgeHours ?? streamAgeHours) * 3_600_000),
		max_bytes: limits.maxBytes ?? streamBytes,
		duplicate_window: nanos(duplicateWindowMs),
		num_replicas: limits.replicas ?? 1,
	} satisfies Partial<StreamConfig>;
}

/** Compared by what is wanted: the server adds defaults of its own. */
export function differs(wanted: object, found: object): boolean {
	const actual = new Map(Object.entries(found));
	return Object.entries(wanted).some(([key, value]) => JSON.stringify(actual.get(key)) !== JSON.stringify(value));
}

export async function unlessMissing<T>(info: Promise<T>): Promise<T | undefined> {
	try {
		return await info;
	} catch (error) {
		if (error instanceof JetStreamApiError && error.status === 404) return undefined;
		throw error;
	}
}

/** How long a start waits for a cluster that cannot decide yet (ms), and how often it asks. */
const electionMs = 30_000;
const askAgainMs = 250;
/** The cluster has too few nodes yet to hold the copies. */
const noSuitablePeers = 10005;
/** A node has not yet learned of a stream that the cluster's leader has just made. */
const streamNotFound = 10059;

/** While a cluster's nodes find one another, or choose a leader anew, it refuses or says nothing: then what is asked for is asked again. */
export async function oncePossible<T>(work: () => Promise<T>): Promise<T> {
	const until = performance.now() + electionMs;
	for (;;) {
		try {
			return await work();
		} catch (error) {
			if (!isUndecided(error) || performance.now() > until) throw error;
			await pause(askAgainMs);
		}
	}
}

function isUndecided(error: unknown): boolean {
	if (error instanceof JetStreamApiError)
		return error.status === 503 || error.code === noSuitablePeers || error.code === streamNotFound;
	return error instanceof TimeoutError || error instanceof RequestError || error instanceof NoRespondersError;
}
