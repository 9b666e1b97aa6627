/**
 * Plain NATS messages: nothing is redelivered, and a disconnected process misses messages. They suit announcements that are repeated, and
 * caches that expire anyway; an event that must not be missed needs a durable consumer (`react.ts`).
 */
import type { z } from "zod";
import { type EventShape, subjectOf } from "#libs/contract/events/event.ts";
import type { Bus } from "./connect.ts";

/** Publishes `text` if there is a connection. Otherwise the text is dropped: by the time of a reconnection it would be out of date. */
export function send(bus: Bus, subject: string, text: string): void {
	if (bus.connected && !bus.nats.isClosed()) bus.nats.publish(subject, text);
}

/** Publishes a text on a subject every `heartbeatMs`; `change` sets the text and publishes it at once. */
export function announce(bus: Bus, subject: string, heartbeatMs: number): Disposable & { change(text: string): void } {
	let current: string | undefined;
	const repeat = () => {
		if (current !== undefined) send(bus, subject, current);
	};
	const timer = setInterval(repeat, heartbeatMs);
	return {
		change(text) {
			current = text;
			repeat();
		},
		[Symbol.dispose]: () => clearInterval(timer),
	};
}

/** Calls `onText` with each text that is published on the subject, repeated ones too. */
export function listen(bus: Bus, subject: string, onText: (text: string) => void): Disposable {
	const subscription = bus.nats.subscribe(subject, {
		callback: (error, message) => {
			if (error !== null) bus.log.error({ err: error, subject }, "a subscription failed");
			else onText(message.string());
		},
	});
	return { [Symbol.dispose]: () => subscription.unsubscribe() };
}

/** Calls `onMessage` whenever something may have been published: at each message and each reconnection. */
export function watchSubjects(bus: Bus, subjects: readonly string[], onMessage: () => void): Disposable {
	const subscriptions = subjects.map((subject) => listen(bus, subject, () => onMessage()));
	return withReconnects(bus, subscriptions, onMessage);
}

interface Subscriber<E extends EventShape> {
	onEvent(event: z.output<E["payload"]>): void;
	/** Events may have been missed. */
	onReconnect(): void;
}

/** Receives an event in every process that subscribes. An invalid message is logged and skipped. */
export function subscribeEphemeral<E extends EventShape>(
	bus: Bus,
	event: E,
	{ onEvent, onReconnect }: Subscriber<E>,
): Disposable {
	const subscription = listen(bus, subjectOf(event), (text) => {
		try {
			onEvent(event.payload.parse(JSON.parse(text)) as z.output<E["payload"]>);
		} catch (err) {
			bus.log.error({ err, event: event.name }, "an event could not be parsed");
		}
	});
	return withReconnects(bus, [subscription], onReconnect);
}

/** Combines the subscriptions into one that also calls `act` at each reconnection. */
function withReconnects(bus: Bus, subscriptions: readonly Disposable[], act: () => void): Disposable {
	const reconnects = onReconnect(bus, act);
	return {
		[Symbol.dispose]() {
			reconnects[Symbol.dispose]();
			for (const subscription of subscriptions) subscription[Symbol.dispose]();
		},
	};
}

/** Calls `act` whenever a lost connection is restored. */
export function onReconnect(bus: Bus, act: () => void): Disposable {
	let disposed = false;
	void (async () => {
		for await (const { type } of bus.nats.status()) {
			if (disposed) return;
			if (type === "reconnect") act();
		}
	})();
	return {
		[Symbol.dispose]() {
			disposed = true;
		},
	};
}
