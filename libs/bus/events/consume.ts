/** Takes the deliveries of a durable in batches, and says of what it has that it is being worked on. */
import { type ConsumerMessages, jetstream } from "@nats-io/jetstream";
import type { Bus } from "../connect.ts";
import { Delivery } from "../delivery.ts";
import { Wake } from "../wake.ts";
import type { Durable } from "./topology.ts";

export interface Consuming {
	durable: Durable;
	batch: number;
	/** After so long (ms) without a word JetStream repeats a delivery. */
	ackWaitMs: number;
	signal: AbortSignal;
}

/** Hands over what has arrived until the signal fires or the consumer is gone. */
export async function consume(
	bus: Bus,
	{ durable, batch, ackWaitMs, signal }: Consuming,
	take: (deliveries: Delivery[]) => Promise<void>,
): Promise<void> {
	const arrived: Delivery[] = [];
	let inHand: Delivery[] = [];
	const wake = new Wake();
	const consumer = await jetstream(bus.nats).consumers.get(durable.stream, durable.name);
	const messages: ConsumerMessages = await consumer.consume({
		max_messages: batch * 2,
		abort_on_missing_resource: true,
		// Also how long the client waits before it looks for a consumer again that it could not reach.
		expires: 5_000,
		callback: (message) => {
			arrived.push(new Delivery(bus.nats, message));
			wake.call();
		},
	});
	// So that the wait is how soon a process that died is noticed, and not how long work may take.
	const working = setInterval(() => {
		if (bus.connected) for (const delivery of [...inHand, ...arrived]) delivery.working();
	}, ackWaitMs / 3);
	const end: { reason?: unknown } = {};
	const stop = () => wake.call();
	signal.addEventListener("abort", stop, { once: true });
	void messages.closed().then((error) => {
		end.reason = error ?? new Error("the consumer was closed");
		wake.call();
	});
	try {
		while (!signal.aborted && end.reason === undefined) {
			if (arrived.length === 0) await wake.sleep(60_000);
			else {
				inHand = arrived.splice(0, batch);
				await take(inHand);
				inHand = [];
			}
		}
	} finally {
		clearInterval(working);
		signal.removeEventListener("abort", stop);
		await messages.close();
		// Another replica can have them at once.
		for (const delivery of arrived) delivery.nak();
	}
	if (!signal.aborted) throw end.reason;
}
