/** Puts messages on JetStream in order, many under way at once. */
import { JetStreamApiError, type JetStreamClient, jetstream } from "@nats-io/jetstream";
import { headers } from "@nats-io/transport-node";
import type { z } from "zod";
import { type EventShape, subjectOf } from "#libs/contract/event.ts";
import { currentTraceparent } from "#libs/postgres/trace.ts";
import type { Bus } from "./connect.ts";

export interface Outgoing {
	/** `Nats-Msg-Id`: within the duplicate window JetStream keeps one message of an id. */
	eventId: string;
	subject: string;
	payload: string;
	traceparent: string | null;
}

export interface Outcome<M> {
	acknowledged: M[];
	/** Why the first that was not acknowledged was not. */
	error?: unknown;
}

const clients = new WeakMap<Bus, JetStreamClient>();
const wrongLastMessage = 10070;

/**
 * Publishes the messages and waits for every acknowledgement. Each names the one before it as the stream's last, so that when one
 * is lost on the way none after it is stored: what is not acknowledged can be sent again without changing the order. Never throws.
 */
export async function publishInOrder<M extends Outgoing>(
	bus: Bus,
	messages: M[],
	ackTimeoutMs: number,
): Promise<Outcome<M>> {
	const client = clientOf(bus);
	const sent = messages.map((message, index) => send(client, message, messages[index - 1]?.eventId, ackTimeoutMs));
	const results = await Promise.allSettled(sent);
	const outcome: Outcome<M> = { acknowledged: messages.filter((_, index) => results[index]?.status === "fulfilled") };
	const failed = results.find((result) => result.status === "rejected");
	if (failed !== undefined) outcome.error = failed.reason;
	return outcome;
}

/** Whether a message was refused only because the one before it is not in the stream, or not the last in it. */
export const isOutOfOrder = (error: unknown): boolean =>
	error instanceof JetStreamApiError && error.code === wrongLastMessage;

/**
 * Announces facts of a service that has no outbox, straight to JetStream.
 * @throws when one was not acknowledged; sending all of them again is safe within the duplicate window.
 */
export async function publishDirectly<E extends EventShape>(
	bus: Bus,
	event: E,
	payloads: (z.input<E["payload"]> & { id: string })[],
	ackTimeoutMs = 5_000,
): Promise<void> {
	const client = clientOf(bus);
	const subject = subjectOf(event);
	const traceparent = currentTraceparent() ?? null;
	await Promise.all(
		payloads.map((payload) => {
			const text = JSON.stringify(event.payload.parse(payload));
			return send(client, { eventId: payload.id, subject, payload: text, traceparent }, undefined, ackTimeoutMs);
		}),
	);
}

function clientOf(bus: Bus): JetStreamClient {
	const client = clients.get(bus) ?? jetstream(bus.nats);
	clients.set(bus, client);
	return client;
}

async function send(
	client: JetStreamClient,
	message: Outgoing,
	previousId: string | undefined,
	timeout: number,
): Promise<void> {
	const written = headers();
	if (message.traceparent !== null) written.set("traceparent", message.traceparent);
	await client.publish(message.subject, message.payload, {
		msgID: message.eventId,
		headers: written,
		timeout,
		...(previousId === undefined ? {} : { expect: { lastMsgID: previousId } }),
	});
}
