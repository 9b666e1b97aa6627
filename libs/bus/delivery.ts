/** A message that a durable consumer was given. */
import type { JsMsg } from "@nats-io/jetstream";
import { ClosedConnectionError, DrainingConnectionError, type NatsConnection, nanos } from "@nats-io/transport-node";

/** Answers to a delivery, as the JetStream protocol writes them. */
const done = "+ACK";
const inProgress = "+WPI";
const terminated = "+TERM";
const notDone = (delayMs: number): string =>
	delayMs === 0 ? "-NAK" : `-NAK ${JSON.stringify({ delay: nanos(delayMs) })}`;

/**
 * A delivery without the bytes that it came in. They are part of what was read from the socket, which lies outside V8's heap: kept for as
 * long as a batch takes, it grew old, was collected late, and left the C library with 50 MB in pieces that it never gave back.
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

	/** The time to answer begins anew; nothing once it was answered. */
	working(): void {
		if (!this.#answered) this.#say(inProgress);
	}

	#end(answer: string): void {
		if (this.#answered) return;
		this.#answered = true;
		this.#say(answer);
	}

	/** A connection that ends takes nothing more: JetStream redelivers what was not acknowledged. */
	#say(answer: string): void {
		try {
			this.#nats.publish(this.#reply, answer);
		} catch (error) {
			if (!(error instanceof ClosedConnectionError || error instanceof DrainingConnectionError)) throw error;
		}
	}
}

/** Where a delivery is answered. The client's messages say it, its type for them leaves it out. */
function replyOf(message: JsMsg & { reply?: unknown }): string {
	if (typeof message.reply !== "string" || message.reply === "") throw new Error("a delivery that cannot be answered");
	return message.reply;
}
