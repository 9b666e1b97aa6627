/** Puts messages on JetStream in order, many under way at once. */
import { type ApiError, JetStreamApiError } from "@nats-io/jetstream";
import { createInbox, headers, type Msg, type MsgHdrs } from "@nats-io/transport-node";
import type { z } from "zod";
import { type EventShape, subjectOf } from "#libs/contract/events/event.ts";
import { currentTraceparent } from "#libs/postgres/trace.ts";
import { cloudEventHeaders } from "./cloud-event-headers.ts";
import type { Bus } from "./connect.ts";
import { isNoResponders } from "./wire.ts";

export interface Outgoing {
	/** `Nats-Msg-Id`: within the duplicate window JetStream keeps one message of an id. */
	eventId: string;
	subject: string;
	payload: string;
	traceparent: string | null;
}

export interface Outcome<M> {
	acknowledged: { message: M; seq: number }[];
	/** Why the first that was not acknowledged was not. */
	error?: unknown;
}

const wrongLastMessage = 10070;
const wrongLastSequence = 10071;

/**
 * Publishes the messages and waits for every acknowledgement. Each names the one before it as the stream's last, the first by its number
 * `last`, so that when one is lost on the way or by the server none after it is stored: what is not acknowledged can be sent again
 * without changing the order. Never throws.
 */
export const publishInOrder = <M extends Outgoing>(
	bus: Bus,
	messages: M[],
	last: number,
	ackTimeoutMs: number,
): Promise<Outcome<M>> => publishTogether(bus, messages, ackTimeoutMs, last);

/** Whether a message was refused only because the one before it is not in the stream, or not the last in it. */
export const isOutOfOrder = (error: unknown): boolean =>
	error instanceof JetStreamApiError && (error.code === wrongLastMessage || error.code === wrongLastSequence);

/** @throws ZodError when the payload is no such event */
export function messageOf<E extends EventShape>(event: E, payload: z.input<E["payload"]> & { id: string }): Outgoing {
	const text = JSON.stringify(event.payload.parse(payload));
	return { eventId: payload.id, subject: subjectOf(event), payload: text, traceparent: currentTraceparent() };
}

/**
 * Publishes the events of a service that has no outbox, straight to JetStream.
 * @throws when one was not acknowledged; sending all of them again is safe within the duplicate window.
 */
export async function publishDirectly(bus: Bus, messages: Outgoing[], ackTimeoutMs = 5_000): Promise<void> {
	const { error } = await publishTogether(bus, messages, ackTimeoutMs);
	if (error !== undefined) throw error;
}

/**
 * One inbox and one timer for all of them: the client's own, one of each a message, cost three times as much. In order where the number of
 * the stream's `last` message is given. Never throws.
 */
async function publishTogether<M extends Outgoing>(
	bus: Bus,
	messages: M[],
	ackTimeoutMs: number,
	last?: number,
): Promise<Outcome<M>> {
	if (messages.length === 0) return { acknowledged: [] };
	const inbox = createInbox(`_INBOX.${bus.name}`);
	/** By place: the number in the stream, or why it is not there. */
	const answers = new Map<number, number | Error>();
	const { promise: answered, resolve, reject } = Promise.withResolvers<void>();
	// It may be refused while the rest is still being sent, before anybody waits for it.
	answered.catch(() => {});
	const late = () =>
		reject(new Error(`${messages.length - answers.size} of ${messages.length} events were not acknowledged in time`));
	const timer = setTimeout(late, ackTimeoutMs);
	let failed: unknown;
	try {
		const subscription = bus.nats.subscribe(`${inbox}.*`, {
			callback: (error, message) => {
				if (error) return reject(error);
				answers.set(Number(message.subject.slice(inbox.length + 1)), answerOf(message));
				if (answers.size === messages.length) resolve();
			},
		});
		try {
			for (const [place, message] of messages.entries()) {
				const { subject, payload } = message;
				const written = headersOf(message);
				const previous = messages[place - 1];
				if (last !== undefined && previous !== undefined) written.set("Nats-Expected-Last-Msg-Id", previous.eventId);
				else if (last !== undefined) written.set("Nats-Expected-Last-Sequence", String(last));
				bus.nats.publish(subject, payload, { headers: written, reply: `${inbox}.${place}` });
			}
			await answered;
		} finally {
			subscription.unsubscribe();
		}
	} catch (error) {
		failed = error;
	} finally {
		clearTimeout(timer);
	}
	// The first that was refused says why; in order, those after it were because of it.
	failed = messages.map((_, place) => answers.get(place)).find((answer) => answer instanceof Error) ?? failed;
	const acknowledged = messages.flatMap((message, place) => {
		const seq = answers.get(place);
		return typeof seq === "number" ? [{ message, seq }] : [];
	});
	return failed === undefined ? { acknowledged } : { acknowledged, error: failed };
}

/** The number that JetStream gave a message, or the first of the same id; or why it did not store it. */
function answerOf(reply: Msg): number | Error {
	if (isNoResponders(reply)) return new Error("no stream takes these events");
	const { error, seq } = reply.json<{ error?: ApiError; seq: number }>();
	return error === undefined ? seq : new JetStreamApiError(error);
}

function headersOf({ eventId, subject, payload, traceparent }: Outgoing): MsgHdrs {
	const written = headers();
	written.set("Nats-Msg-Id", eventId);
	for (const [name, value] of cloudEventHeaders(subject, eventId, payload)) written.set(name, value);
	if (traceparent !== null) written.set("traceparent", traceparent);
	return written;
}
