/** Reports that something was published, as plain NATS messages: what comes while the connection is lost is reported by its return. */
import type { Bus } from "./connect.ts";

/** Until disposed. */
export function watchSubjects(bus: Bus, subjects: readonly string[], onMessage: () => void): Disposable {
	const subscriptions = subjects.map((subject) =>
		bus.nats.subscribe(subject, {
			callback: (error) => {
				if (error !== null) bus.log.error({ err: error, subject }, "subscribing to an event failed");
				else onMessage();
			},
		}),
	);
	void (async () => {
		for await (const { type } of bus.nats.status())
			if (type === "reconnect" && subscriptions.some((subscription) => !subscription.isClosed())) onMessage();
	})();
	return {
		[Symbol.dispose]() {
			for (const subscription of subscriptions) subscription.unsubscribe();
		},
	};
}
