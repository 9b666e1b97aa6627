/**
 * Receives an event in every process that subscribes, as a plain NATS message: nothing is redelivered, and what is published while a
 * process is disconnected is lost to it. For caches that are refreshed by time anyway; an event that must not be missed needs a
 * durable consumer (`react.ts`).
 */
import type { z } from "zod";
import { type EventShape, subjectOf } from "#libs/contract/event.ts";
import type { Bus } from "./connect.ts";

export interface Subscriber<E extends EventShape> {
	onEvent(event: z.output<E["payload"]>): void;
	/** Events may have been missed. */
	onReconnect(): void;
}

/** Subscribes until disposed. A message that is no such event is logged and skipped. */
export function subscribeEphemeral<E extends EventShape>(
	bus: Bus,
	event: E,
	{ onEvent, onReconnect }: Subscriber<E>,
): Disposable {
	const subscription = bus.nats.subscribe(subjectOf(event), {
		callback: (error, message) => {
			if (error !== null) return bus.log.error({ err: error, event: event.name }, "subscribing to an event failed");
			try {
				onEvent(event.payload.parse(message.json()) as z.output<E["payload"]>);
			} catch (err) {
				bus.log.error({ err, event: event.name }, "an event could not be read");
			}
		},
	});
	void (async () => {
		for await (const { type } of bus.nats.status()) if (type === "reconnect" && !subscription.isClosed()) onReconnect();
	})();
	return { [Symbol.dispose]: () => subscription.unsubscribe() };
}
