/**
 * Hears an event as it is said, in every process that listens. Nothing is repeated and nothing kept for who is away: for memory that
 * is refreshed by itself anyway and only has to be told sooner. What must not be missed takes a reaction (`react.ts`).
 */
import type { z } from "zod";
import { type EventShape, subjectOf } from "#libs/contract/event.ts";
import type { Bus } from "./connect.ts";

export interface Listener<E extends EventShape> {
	heard(event: z.output<E["payload"]>): void;
	/** The connection was lost and is there again: anything may have been said meanwhile. */
	gap(): void;
}

/** Listens until disposed. What is no such event is logged and passed over. */
export function overhear<E extends EventShape>(bus: Bus, event: E, { heard, gap }: Listener<E>): Disposable {
	const subscription = bus.nats.subscribe(subjectOf(event), {
		callback: (error, message) => {
			if (error !== null) return bus.log.error({ err: error, event: event.name }, "listening to an event failed");
			try {
				heard(event.payload.parse(message.json()) as z.output<E["payload"]>);
			} catch (err) {
				bus.log.error({ err, event: event.name }, "an event that was overheard could not be read");
			}
		},
	});
	void (async () => {
		for await (const { type } of bus.nats.status()) if (type === "reconnect" && !subscription.isClosed()) gap();
	})();
	return { [Symbol.dispose]: () => subscription.unsubscribe() };
}
