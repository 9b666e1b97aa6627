/** Takes the deliveries of a durable in batches, and reports to JetStream that those it holds are in progress. */
import { type ConsumerMessages, type JsMsg, jetstream } from "@nats-io/jetstream";
import { ClosedConnectionError, DrainingConnectionError, type NatsConnection, nanos } from "@nats-io/transport-node";
import type { Bus } from "../connect.ts";
import { Wake } from "../wake.ts";
import type { Durable } from "./topology.ts";

export interface Consuming {
	durable: Durable;
	batch: number;
	/** JetStream redelivers what nothing was reported of for so long (ms). */
	ackWaitMs: number;
	signal: AbortSignal;
}

/** Calls `take` with what has arrived, until the signal fires or the consumer is gone. */
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
		// Also the pause before the client tries again to reach a consumer.
		expires: 5_000,
		callback: (message) => {
			arrived.push(new Delivery(bus.nats, message));
			wake.call();
		},
	});
	// So `ackWaitMs` bounds how soon a dead process is noticed, and not how long work may take.
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

/** Answers to a delivery, as the JetStream protocol writes them. */
const done = "+ACK";
const inProgress = "+WPI";
const terminated = "+TERM";
const notDone = (delayMs: number): string =>
	delayMs === 0 ? "-NAK" : `-NAK ${JSON.stringify({ delay: nanos(delayMs) })}`;

/**
 * A delivery without the bytes that it came in. They belong to what was read from the socket, outside of V8's heap: kept for as long as
 * a batch takes, they were collected late and left the C library with 50 MB of fragments that it never gave back.
 */
export class Delivery {
	readonly subject: string;
	readonly text: string;
	/** Empty where there is none. */
	readonly traceparent: string;
	readonly stream: string;
	readonly seq: number;
	/** 1 for the first time that it was delivered. */
	readonly attempt: number;
	readonly #nats: NatsConnection;
	readonly #reply: string;
	#answered = false;

	constructor(nats: NatsConnection, message: JsMsg) {
		const { stream, streamSequence, deliveryCount } = message.info;
		this.subject = message.subject;
		this.text = message.string();
		this.traceparent = message.headers?.get("traceparent") ?? "";
		this.stream = stream;
		this.seq = streamSequence;
		this.attempt = deliveryCount;
		this.#nats = nats;
		this.#reply = replyOf(message);
	}

	ack(): void {
		this.#end(done);
	}

	/** It is delivered again, not before `delayMs`. */
	nak(delayMs = 0): void {
		this.#end(notDone(delayMs));
	}

	term(): void {
		this.#end(terminated);
	}

	/** Restarts the time within which it has to be answered. */
	working(): void {
		if (!this.#answered) this.#send(inProgress);
	}

	#end(answer: string): void {
		if (this.#answered) return;
		this.#answered = true;
		this.#send(answer);
	}

	/** A connection that ends takes nothing more: JetStream redelivers what was not acknowledged. */
	#send(answer: string): void {
		try {
			this.#nats.publish(this.#reply, answer);
		} catch (error) {
			if (!(error instanceof ClosedConnectionError || error instanceof DrainingConnectionError)) throw error;
		}
	}
}

/** The subject of its answer, which the client's messages have and their type lacks. */
function replyOf(message: JsMsg & { reply?: unknown }): string {
	if (typeof message.reply !== "string" || message.reply === "") throw new Error("a delivery that cannot be answered");
	return message.reply;
}
