/** How full the stream of a service is, for the metrics. */
import { jetstreamManager } from "@nats-io/jetstream";
import { streamOf } from "#libs/contract/events/event.ts";
import type { Owner } from "#libs/contract/index.ts";
import type { Bus } from "./connect.ts";
import { gaugeOf, inTime } from "./scrape.ts";

/** Shown by who publishes: a stream has one. */
export function measureStream(bus: Bus, publisher: Owner): void {
	const stream = streamOf(publisher);
	const info = inTime(async () => {
		// It would be kept until the connection is back, and asked then.
		if (!bus.connected) return undefined;
		const manager = await jetstreamManager(bus.nats, { checkAPI: false });
		return manager.streams.info(stream);
	});
	const labels = ["stream"];
	gaugeOf({
		name: "bus_stream_bytes",
		help: "Size of a stream.",
		labels,
		read: async () => {
			const found = await info();
			return found && [{ labels: { stream }, value: found.state.bytes }];
		},
	});
	gaugeOf({
		name: "bus_stream_max_bytes",
		help: "Size beyond which it forgets its oldest events.",
		labels,
		read: async () => {
			const found = await info();
			return found && [{ labels: { stream }, value: found.config.max_bytes }];
		},
	});
}
