/** Publishes batches of messages to JetStream. */
import { type ApiError, JetStreamApiError } from "@nats-io/jetstream";
import { createInbox, headers, type Msg, type MsgHdrs } from "@nats-io/transport-node";
import type { z } from "zod";
import { cloudEvent, headersOf, textIn } from "#libs/contract/events/cloud-event.ts";
import { type EventShape, subjectOf } from "#libs/contract/events/event.ts";
import { openEvents } from "#libs/contract/index.ts";
import { within } from "#libs/contract/within.ts";
import { currentTraceparent } from "#libs/postgres/trace.ts";
import type { Bus } from "../connect.ts";
import { isNoResponders } from "../requests/wire.ts";

export interface Outgoing {
	/** `Nats-Msg-Id`: JetStream stores one message per ID within the duplicate window. */
	eventId: string;
	subject: string;
	payload: string;
	traceparent: string | null;
}

export interface Outcome<M> {
	acknowledged: { message: M; seq: number }[];
	/** The first refusal, by position in the batch. If none was refused, the reason why acknowledgements are missing. */
	error?: unknown;
}

const wrongLastMessage = 10070;
const wrongLastSequence = 10071;

/** Whether a message was refused only because its predecessor is not the stream's last message. */
export const isOutOfOrder = (error: unknown): boolean =>
	error instanceof JetStreamApiError && (error.code === wrongLastMessage || error.code === wrongLastSequence);

/** @throws ZodError if the payload does not match the event's schema */
export function messageOf<E extends EventShape>(event: E, payload: z.input<E["payload"]> & { id: string }): Outgoing {
	const text = JSON.stringify(event.payload.parse(payload));
	return { eventId: payload.id, subject: subjectOf(event), payload: text, traceparent: currentTraceparent() };
}

/**
 * Publishes events directly to JetStream, for services without an outbox.
 * @throws if an event was not acknowledged; sending all of them again is safe within the duplicate window
 */
export async function publishDirectly(bus: Bus, messages: Outgoing[], ackTimeoutMs = 5_000): Promise<void> {
	const { error } = await publishBatch(bus, messages, ackTimeoutMs);
	if (error !== undefined) throw error;
}

/**
 * Publishes the messages and waits for every acknowledgement. Never throws.
 *
 * `last`: sequence number of the stream's last message. If given, order is preserved: each message states which message must precede it. If
 * one is lost in transit or by the server, none after it is stored, and the unacknowledged messages can be sent again.
 *
 * All messages share one inbox and one timer. The client's own `publish` uses one of each per message, which costs three times as much.
 */
export async function publishBatch<M extends Outgoing>(
	bus: Bus,
	messages: M[],
	ackTimeoutMs: number,
	last?: number,
): Promise<Outcome<M>> {
	if (messages.length === 0) return { acknowledged: [] };
	const inbox = createInbox(`_INBOX.${bus.name}`);
	/** The sequence number in the stream, or the error, by position in the batch. */
	const replies = new Map<number, number | Error>();
	const { promise: allReplied, resolve, reject } = Promise.withResolvers<void>();
	// Without this, a rejection while messages are still being sent, before the promise is awaited, would be unhandled.
	allReplied.catch(() => {});
	let failed: unknown;
	try {
		const subscription = bus.nats.subscribe(`${inbox}.*`, {
			callback: (error, message) => {
				if (error) return reject(error);
				replies.set(Number(message.subject.slice(inbox.length + 1)), readSequence(message));
				if (replies.size === messages.length) resolve();
			},
		});
		try {
			for (const [position, message] of messages.entries()) {
				const { subject, payload } = message;
				const messageHeaders = createHeaders(message);
				const previous = messages[position - 1];
				if (last !== undefined && previous !== undefined)
					messageHeaders.set("Nats-Expected-Last-Msg-Id", previous.eventId);
				else if (last !== undefined) messageHeaders.set("Nats-Expected-Last-Sequence", String(last));
				bus.nats.publish(subject, payload, { headers: messageHeaders, reply: `${inbox}.${position}` });
			}
			if ((await within(allReplied, ackTimeoutMs)) === undefined)
				throw new Error(`${messages.length - replies.size} of ${messages.length} events were not acknowledged in time`);
		} finally {
			subscription.unsubscribe();
		}
	} catch (error) {
		failed = error;
	}
	// The first refusal, in order, causes those after it.
	failed = messages.map((_, position) => replies.get(position)).find((reply) => reply instanceof Error) ?? failed;
	const acknowledged = messages.flatMap((message, position) => {
		const seq = replies.get(position);
		return typeof seq === "number" ? [{ message, seq }] : [];
	});
	return failed === undefined ? { acknowledged } : { acknowledged, error: failed };
}

/** Sequence number of the stored message (of the original, if this one is a duplicate), or why it was not stored. */
function readSequence(reply: Msg): number | Error {
	if (isNoResponders(reply)) return new Error("no stream receives these events");
	const { error, seq } = reply.json<{ error?: ApiError; seq: number }>();
	return error === undefined ? seq : new JetStreamApiError(error);
}

function createHeaders({ eventId, subject, payload, traceparent }: Outgoing): MsgHdrs {
	const messageHeaders = headers();
	messageHeaders.set("Nats-Msg-Id", eventId);
	for (const [name, value] of cloudEventHeaders(subject, eventId, payload)) messageHeaders.set(name, value);
	if (traceparent !== null) messageHeaders.set("traceparent", traceparent);
	return messageHeaders;
}

const bySubject: ReadonlyMap<string, EventShape> = new Map(
	openEvents.map(({ declared }) => [subjectOf(declared), declared]),
);

/**
 * CloudEvents' binding to NATS in binary mode: each attribute of an event is a header `ce-...`. Events that external subscribers do not
 * receive have none. The payload is searched instead of parsed, because it is long.
 */
export function cloudEventHeaders(subject: string, id: string, payload: string): [name: string, value: string][] {
	const declared = bySubject.get(subject);
	if (declared === undefined) return [];
	const fields = ["occurred_at", declared.about].filter((field) => field !== undefined);
	const read = Object.fromEntries(fields.map((field) => [field, textIn(payload, field)]));
	return headersOf(cloudEvent(declared, { ...read, id }));
}
