/** Creates or updates the streams and durable consumers of the contract's events when a service starts. */
import {
	AckPolicy,
	type ConsumerConfig,
	DeliverPolicy,
	DiscardPolicy,
	type JetStreamManager,
	RetentionPolicy,
	StorageType,
	type StreamConfig,
} from "@nats-io/jetstream";
import { nanos } from "@nats-io/transport-node";
import { type EventShape, streamOf, subjectOf } from "#libs/contract/events/event.ts";
import type { Owner } from "#libs/contract/index.ts";
import type { Bus, StreamLimits } from "../connect.ts";
import { differs, managerOf, retryUntilReady, unlessMissing } from "../jetstream.ts";

/** How long a stream retains an event, and can therefore deliver it (hours). */
export const streamAgeHours = 168;

/** Size beyond which a stream deletes its oldest events, unless it has its own limit (bytes). */
export const streamBytes = 1024 ** 3;

/**
 * How long JetStream recognizes a repeated `Nats-Msg-Id`. This must be longer than it takes to replace a relay that died mid-batch: a silent
 * holder of its lock loses it after 30 s. Consumers recognize duplicates of any age themselves. NATS holds the IDs of up to three windows,
 * about 130 bytes per ID: with a window of ten minutes, a thousand events a second would take 230 MB.
 */
const duplicateWindowMs = 2 * 60_000;

/** Creates the stream of all events of `publisher`, or updates its limits. */
export async function ensureStream(bus: Bus, publisher: Owner, limits: StreamLimits = {}): Promise<void> {
	const manager = await managerOf(bus);
	const wanted = streamConfig(publisher, { ...bus.streams, ...limits });
	await retryUntilReady(async () => {
		const existing = await unlessMissing(manager.streams.info(wanted.name));
		if (existing === undefined) await manager.streams.add(wanted);
		else if (differs(wanted, existing.config)) await manager.streams.update(wanted.name, wanted);
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
	/** Time after which an unacknowledged delivery is repeated (ms). */
	ackWaitMs: number;
	maxAckPending: number;
}

/** Creates or updates the durable consumer of one event, and creates its stream if the publisher has not done so. */
export async function ensureDurable(bus: Bus, options: DurableOptions): Promise<Durable> {
	const manager = await managerOf(bus);
	return await retryUntilReady(() => makeDurable(manager, options, bus.streams));
}

async function makeDurable(manager: JetStreamManager, options: DurableOptions, limits: StreamLimits): Promise<Durable> {
	const { event, name } = options;
	const stream = streamOf(event.publisher);
	const missing = (await unlessMissing(manager.streams.info(stream))) === undefined;
	// The stream is created with all its replicas at once: one that gets them later can lose events (seen with NATS 2.9.10).
	if (missing) await manager.streams.add(streamConfig(event.publisher, limits));
	const changeable = {
		ack_wait: nanos(options.ackWaitMs),
		max_ack_pending: options.maxAckPending,
		// Unlimited, because the reaction counts attempts: an event would be lost if a process died before it wrote the dead letter.
		max_deliver: -1,
		filter_subject: subjectOf(event),
	} satisfies Partial<ConsumerConfig>;
	let existing = await unlessMissing(manager.consumers.info(stream, name));
	// After a power cut, a stream can lack messages that the consumer has passed, and the consumer would miss the new messages that get their
	// numbers. It is therefore recreated, and the inbox drops events that were already applied. The stream is read after the consumer, so that
	// its state is not older than the consumer's.
	if (existing !== undefined && existing.delivered.stream_seq > (await manager.streams.info(stream)).state.last_seq) {
		await manager.consumers.delete(stream, name);
		existing = undefined;
	}
	if (existing === undefined)
		await manager.consumers.add(stream, {
			...changeable,
			durable_name: name,
			ack_policy: AckPolicy.Explicit,
			deliver_policy: DeliverPolicy.All,
		});
	else if (differs(changeable, existing.config)) await manager.consumers.update(stream, name, changeable);
	return { stream, name };
}

/** Events that a durable has not finished: not yet delivered, or not yet acknowledged. */
export async function backlogOf(bus: Bus, durable: Durable): Promise<number> {
	const info = await (await managerOf(bus)).consumers.info(durable.stream, durable.name);
	return info.num_pending + info.num_ack_pending;
}

/**
 * Sequence number of the newest message that a stream has had.
 * @throws if the stream is missing or NATS does not respond within `timeout` ms
 */
export async function lastSequence(bus: Bus, stream: string, timeout: number): Promise<number> {
	// Without a connection the request would wait for one.
	if (!bus.connected) throw new Error("there is no connection to NATS");
	const { streams } = await managerOf(bus, { timeout });
	return (await streams.info(stream)).state.last_seq;
}

function streamConfig(publisher: Owner, limits: StreamLimits) {
	return {
		...storedConfig(limits),
		name: streamOf(publisher),
		subjects: [`event.${publisher}.>`],
		max_bytes: limits.maxBytes ?? streamBytes,
		duplicate_window: nanos(duplicateWindowMs),
	} satisfies Partial<StreamConfig>;
}

export const storedConfig = (limits: StreamLimits) => ({
	storage: StorageType.File,
	retention: RetentionPolicy.Limits,
	discard: DiscardPolicy.Old,
	max_age: nanos((limits.maxAgeHours ?? streamAgeHours) * 3_600_000),
	num_replicas: limits.replicas ?? 1,
});
