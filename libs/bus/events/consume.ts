/** Reads a durable consumer's deliveries in batches, and reports unfinished ones to JetStream as in progress. */
import { type ConsumerMessages, type JsMsg, jetstream } from "@nats-io/jetstream";
import { ClosedConnectionError, DrainingConnectionError, type NatsConnection, nanos } from "@nats-io/transport-node";
import type { Bus } from "../connect.ts";
import { Wake } from "../wake.ts";
import type { Durable } from "./topology.ts";

export interface ConsumeOptions {
	durable: Durable;
	batch: number;
	/** JetStream redelivers a message that has not been reported as in progress for this long (ms). */
	ackWaitMs: number;
	signal: AbortSignal;
}

/** Calls `take` with each batch of deliveries until the signal fires or the consumer is gone. */
export async function consume(
	bus: Bus,
	{ durable, batch, ackWaitMs, signal }: ConsumeOptions,
	take: (deliveries: Delivery[]) => Promise<void>,
): Promise<void> {
	const arrived: Delivery[] = [];
	let inHand: Delivery[] = [];
	const wake = new Wake();
	const consumer = await jetstream(bus.nats).consumers.get(durable.stream, durable.name);
	const messages: ConsumerMessages = await consumer.consume({
		max_messages: batch * 2,
		abort_on_missing_resource: true,
		// The client also waits this long before it retries an unreachable consumer.
		expires: 5_000,
		callback: (message) => {
			arrived.push(new Delivery(bus.nats, message));
			wake.call();
		},
	});
	// Because of these reports, `ackWaitMs` limits how late a dead process is noticed, not how long the work may take.
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
		// Another replica can receive them immediately.
		for (const delivery of arrived) delivery.nak();
	}
	if (!signal.aborted) throw end.reason;
}

/** Responses to a delivery in the JetStream protocol. */
const acknowledged = "+ACK";
const inProgress = "+WPI";
const terminated = "+TERM";
const redeliver = (delayMs: number): string =>
	delayMs === 0 ? "-NAK" : `-NAK ${JSON.stringify({ delay: nanos(delayMs) })}`;

/**
 * A delivery that does not retain the buffer in which it arrived. Buffers are outside V8's heap: when they were held until the end of a batch,
 * they were freed late, and fragmented 50 MB that the C library never returned to the system.
 */
export class Delivery {
	readonly subject: string;
	readonly text: string;
	/** Empty if the message has no trace. */
	readonly traceparent: string;
	readonly stream: string;
	readonly seq: number;
	/** 1 at the first delivery. */
	readonly attempt: number;
	readonly #nats: NatsConnection;
	readonly #reply: string;
	#settled = false;

	constructor(nats: NatsConnection, message: JsMsg) {
		const { stream, streamSequence, deliveryCount } = message.info;
		this.subject = message.subject;
		this.text = message.string();
		this.traceparent = message.headers?.get("traceparent") ?? "";
		this.stream = stream;
		this.seq = streamSequence;
		this.attempt = deliveryCount;
		this.#nats = nats;
		this.#reply = ackSubject(message);
	}

	ack(): void {
		this.#end(acknowledged);
	}

	nak(delayMs = 0): void {
		this.#end(redeliver(delayMs));
	}

	term(): void {
		this.#end(terminated);
	}

	/** Restarts the time limit for the acknowledgement. */
	working(): void {
		if (!this.#settled) this.#send(inProgress);
	}

	#end(response: string): void {
		if (this.#settled) return;
		this.#settled = true;
		this.#send(response);
	}

	/** A closing connection sends nothing more; JetStream redelivers what was not acknowledged. */
	#send(response: string): void {
		try {
			this.#nats.publish(this.#reply, response);
		} catch (error) {
			if (!(error instanceof ClosedConnectionError || error instanceof DrainingConnectionError)) throw error;
		}
	}
}

/** The subject on which to acknowledge. The client's messages have it; their type does not declare it. */
function ackSubject(message: JsMsg & { reply?: unknown }): string {
	if (typeof message.reply !== "string" || message.reply === "")
		throw new Error("the delivery has no reply subject, so it cannot be acknowledged");
	return message.reply;
}
