/** What the bus counts; `libs/service/health.ts` shows it at /metrics. */
import { Counter, Gauge, Histogram } from "prom-client";

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export const requestSeconds = new Histogram({
	name: "bus_request_seconds",
	help: "Time from a request's sending to its reply, by operation and status.",
	labelNames: ["operation", "status"],
	buckets,
});
export const serveSeconds = new Histogram({
	name: "bus_serve_seconds",
	help: "Time from a request's arrival to its reply, by operation and status.",
	labelNames: ["operation", "status"],
	buckets,
});
/** What is answering now; read when the metrics are, so that a request costs nothing for it. */
export const servings = new Set<{ owner: string; inFlight: number }>();
new Gauge({
	name: "bus_in_flight",
	help: "Requests being answered now.",
	labelNames: ["owner"],
	collect() {
		for (const serving of servings) this.set({ owner: serving.owner }, serving.inFlight);
	},
});
export const relayed = new Counter({
	name: "bus_relayed_total",
	help: "Outbox rows that JetStream acknowledged.",
	labelNames: ["schema"],
});
export const reacted = new Counter({
	name: "bus_reacted_total",
	help: "Deliveries by reaction and outcome: done, repeated, retried, dead.",
	labelNames: ["reaction", "outcome"],
});
