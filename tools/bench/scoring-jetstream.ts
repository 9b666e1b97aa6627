/** The least cost of the way between two services: events of 1 kB out to JetStream and in again, with nothing done about them. */
import { AckPolicy, jetstream, jetstreamManager, RetentionPolicy, StorageType } from "@nats-io/jetstream";
import { connectBus } from "#libs/bus/connect.ts";
import { type Outgoing, publishBatch } from "#libs/bus/events/publish.ts";
import { timed } from "./measure.ts";
import type { Bench } from "./system.ts";

/** As many as the relay sends at once. */
const batch = 500;
const bytes = 1_000;
/** A subject without a server. */
const subject = "rpc.bench.moved";
const stream = "BENCH";

let made = 0;

/** Milliseconds until `events` of them were acknowledged on both sides. The stream is made for it and deleted. */
export async function moveEvents(bench: Bench, events: number): Promise<number> {
	const quiet = { info() {}, warn: console.warn, error: console.error };
	await using bus = await connectBus({ ...bench.natsOf("operator"), name: "operator", log: quiet });
	const manager = await jetstreamManager(bus.nats);
	await manager.streams.add({
		name: stream,
		subjects: [subject],
		storage: StorageType.File,
		retention: RetentionPolicy.Limits,
	});
	try {
		const durable = { durable_name: "bench", ack_policy: AckPolicy.Explicit, max_ack_pending: batch * 4 };
		await manager.consumers.add(stream, durable);
		const consumer = await jetstream(bus.nats).consumers.get(stream, durable.durable_name);
		const payload = "x".repeat(bytes);
		made++;
		return await timed(async () => {
			const { promise: arrived, resolve } = Promise.withResolvers<void>();
			let seen = 0;
			const messages = await consumer.consume({
				max_messages: batch * 2,
				callback(message) {
					message.ack();
					if (++seen === events) resolve();
				},
			});
			for (let at = 0; at < events; at += batch) {
				const rows = Array.from({ length: Math.min(batch, events - at) }, (_, row): Outgoing => {
					return { eventId: `bench:${made}:${at + row}`, subject, payload, traceparent: null };
				});
				const { error } = await publishBatch(bus, rows, 10_000, at);
				if (error !== undefined) throw error;
			}
			await arrived;
			await messages.close();
		});
	} finally {
		await manager.streams.delete(stream);
	}
}
