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
	/** `Nats-Msg-Id`: within the duplicate window JetStream keeps one message of an id. */
	eventId: string;
	subject: string;
	payload: string;
	traceparent: string | null;
}

export interface Outcome<M> {
	acknowledged: { message: M; seq: number }[];
	/** Why the first unacknowledged message was refused. */
	error?: unknown;
}

const wrongLastMessage = 10070;
const wrongLastSequence = 10071;

/** Whether a message was refused only because the one before it is not in the stream, or not the last in it. */
export const isOutOfOrder = (error: unknown): boolean =>
	error instanceof JetStreamApiError && (error.code === wrongLastMessage || error.code === wrongLastSequence);

/** @throws ZodError for a payload that does not fit the event */
export function messageOf<E extends EventShape>(event: E, payload: z.input<E["payload"]> & { id: string }): Outgoing {
	const text = JSON.stringify(event.payload.parse(payload));
	return { eventId: payload.id, subject: subjectOf(event), payload: text, traceparent: currentTraceparent() };
}

/**
 * Publishes the events of a service that has no outbox, straight to JetStream.
 * @throws when one was not acknowledged; sending all of them again is safe within the duplicate window.
 */
export async function publishDirectly(bus: Bus, messages: Outgoing[], ackTimeoutMs = 5_000): Promise<void> {
	const { error } = await publishBatch(bus, messages, ackTimeoutMs);
	if (error !== undefined) throw error;
}

/**
 * Publishes the messages and waits for every acknowledgement. Never throws.
 *
 * With `last`, the number of the stream's last message, the order is kept: each message names the one before it as the stream's last. When
 * one is lost on the way or by the server, none after it is stored, and what was not acknowledged can be sent again.
 *
 * One inbox and one timer serve all messages: the client uses one of each for every message, which costs three times as much.
 */
export async function publishBatch<M extends Outgoing>(
	bus: Bus,
	messages: M[],
	ackTimeoutMs: number,
	last?: number,
): Promise<Outcome<M>> {
	if (messages.length === 0) return { acknowledged: [] };
	const inbox = createInbox(`_INBOX.${bus.name}`);
	/** By position in the batch: the number in the stream, or the error. */
	const answers = new Map<number, number | Error>();
	const { promise: answered, resolve, reject } = Promise.withResolvers<void>();
	// It may be rejected while the rest is still being sent, before anything awaits it.
	answered.catch(() => {});
	let failed: unknown;
	try {
		const subscription = bus.nats.subscribe(`${inbox}.*`, {
			callback: (error, message) => {
				if (error) return reject(error);
				answers.set(Number(message.subject.slice(inbox.length + 1)), storedNumber(message));
				if (answers.size === messages.length) resolve();
			},
		});
		try {
			for (const [place, message] of messages.entries()) {
				const { subject, payload } = message;
				const written = messageHeaders(message);
				const previous = messages[place - 1];
				if (last !== undefined && previous !== undefined) written.set("Nats-Expected-Last-Msg-Id", previous.eventId);
				else if (last !== undefined) written.set("Nats-Expected-Last-Sequence", String(last));
				bus.nats.publish(subject, payload, { headers: written, reply: `${inbox}.${place}` });
			}
			if ((await within(answered, ackTimeoutMs)) === undefined)
				throw new Error(`${messages.length - answers.size} of ${messages.length} events were not acknowledged in time`);
		} finally {
			subscription.unsubscribe();
		}
	} catch (error) {
		failed = error;
	}
	// In order, the first refusal is the cause of those after it.
	failed = messages.map((_, place) => answers.get(place)).find((answer) => answer instanceof Error) ?? failed;
	const acknowledged = messages.flatMap((message, place) => {
		const seq = answers.get(place);
		return typeof seq === "number" ? [{ message, seq }] : [];
	});
	return failed === undefined ? { acknowledged } : { acknowledged, error: failed };
}

/** The number of the stored message (for a duplicate, of the first with its id), or the error why it was not stored. */
function storedNumber(reply: Msg): number | Error {
	if (isNoResponders(reply)) return new Error("no stream receives these events");
	const { error, seq } = reply.json<{ error?: ApiError; seq: number }>();
	return error === undefined ? seq : new JetStreamApiError(error);
}

function messageHeaders({ eventId, subject, payload, traceparent }: Outgoing): MsgHdrs {
	const written = headers();
	written.set("Nats-Msg-Id", eventId);
	for (const [name, value] of cloudEventHeaders(subject, eventId, payload)) written.set(name, value);
	if (traceparent !== null) written.set("traceparent", traceparent);
	return written;
}

const bySubject: ReadonlyMap<string, EventShape> = new Map(
	openEvents.map(({ declared }) => [subjectOf(declared), declared]),
);

/**
 * CloudEvents' binding to NATS in binary mode: each attribute of an event is a header `ce-...`. Events that are not for subscribers
 * outside have none. The payload is searched and not parsed, because it is long.
 */
export function cloudEventHeaders(subject: string, id: string, payload: string): [name: string, value: string][] {
	const declared = bySubject.get(subject);
	if (declared === undefined) return [];
	const fields = ["occurred_at", declared.about].filter((field) => field !== undefined);
	const read = Object.fromEntries(fields.map((field) => [field, textIn(payload, field)]));
	return headersOf(cloudEvent(declared, { ...read, id }));
}
