/** Repeats a message on a subject, so that one that is lost is soon followed by another. */
import type { Bus } from "./connect.ts";

/** Says `text` on a subject at once and every `heartbeatMs`; `change` says another from then on. */
export function announce(bus: Bus, subject: string, heartbeatMs: number): Disposable & { change(text: string): void } {
	let current: string | undefined;
	const say = () => {
		// A message kept for later would only be out of date.
		if (current !== undefined && bus.connected && !bus.nats.isClosed()) bus.nats.publish(subject, current);
	};
	const timer = setInterval(say, heartbeatMs);
	return {
		change(text) {
			current = text;
			say();
		},
		[Symbol.dispose]: () => clearInterval(timer),
	};
}

/** Calls `onText` with each text said on the subject, repeated ones too. */
export function listen(bus: Bus, subject: string, onText: (text: string) => void): Disposable {
	const subscription = bus.nats.subscribe(subject, {
		callback: (error, message) => {
			if (error !== null) bus.log.error({ err: error, subject }, "a subscription failed");
			else onText(message.string());
		},
	});
	return { [Symbol.dispose]: () => subscription.unsubscribe() };
}
