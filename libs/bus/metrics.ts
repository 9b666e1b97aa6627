/** Metrics of the bus; `libs/service/health.ts` shows them at /metrics. */
import { Counter, Gauge, Histogram } from "prom-client";
import { streamOf } from "#libs/contract/events/event.ts";
import type { Owner } from "#libs/contract/index.ts";
import type { Bus } from "./connect.ts";
import { managerOf } from "./jetstream.ts";
import { gaugeOf, gaugesFrom } from "./scrape.ts";

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export const requestSeconds = new Histogram({
	name: "bus_request_seconds",
	help: "Time from sending a request to its reply, by operation and status.",
	labelNames: ["operation", "status"],
	buckets,
});
export const serveSeconds = new Histogram({
	name: "bus_serve_seconds",
	help: "Time from a request's arrival to its reply, by operation and status.",
	labelNames: ["operation", "status"],
	buckets,
});
/** Running `serve` calls. Their requests are counted only when the metrics are read. */
export const servings = new Set<{ owner: string; inFlight: number; isStuck(): boolean }>();
/** For readiness: false if a request holds its slot long after its deadline. */
export const noSlotIsStuck = (): boolean => ![...servings].some((serving) => serving.isStuck());
new Gauge({
	name: "bus_in_flight",
	help: "Requests in progress.",
	labelNames: ["owner"],
	collect() {
		this.reset();
		for (const serving of servings) this.set({ owner: serving.owner }, serving.inFlight);
	},
});
export const relayedTotal = new Counter({
	name: "bus_relayed_total",
	help: "Outbox rows that JetStream acknowledged.",
	labelNames: ["schema"],
});
export const reactedTotal = new Counter({
	name: "bus_reacted_total",
	help: "Deliveries by reaction and outcome: done, repeated, retried, dead.",
	labelNames: ["reaction", "outcome"],
});

export const measuredDurables = new Set<{ durable: string; lag(): Promise<number | undefined> }>();
gaugeOf({
	name: "bus_consumer_lag_events",
	help: "Events that a consumer has not finished: not yet delivered, or not yet acknowledged. The same in each replica.",
	labels: ["durable"],
	read: async () => {
		const lags = await Promise.all(
			[...measuredDurables].map(async ({ durable, lag }) => ({ durable, value: await lag() })),
		);
		return lags.flatMap(({ durable, value }) => (value === undefined ? [] : [{ labels: { durable }, value }]));
	},
});

export const relays = new Set<{ schema: string; active: boolean }>();
gaugeOf({
	name: "bus_relay_active",
	help: "1 in the replica that publishes the outbox, 0 in its standbys.",
	labels: ["schema"],
	read: () => [...relays].map(({ schema, active }) => ({ labels: { schema }, value: active ? 1 : 0 })),
});

/** Measures how full the stream of `publisher` is. Only the publisher calls it. */
export function measureStream(bus: Bus, publisher: Owner): void {
	const stream = streamOf(publisher);
	const gauge = gaugesFrom(async () => {
		// Without a connection the request would wait for one.
		return bus.connected ? await (await managerOf(bus)).streams.info(stream) : undefined;
	});
	gauge({
		name: "bus_stream_bytes",
		help: "Size of a stream.",
		labels: ["stream"],
		values: ({ state }) => [{ labels: { stream }, value: state.bytes }],
	});
	gauge({
		name: "bus_stream_max_bytes",
		help: "Size beyond which a stream deletes its oldest events.",
		labels: ["stream"],
		values: ({ config }) => [{ labels: { stream }, value: config.max_bytes }],
	});
}
