/** Serves /live, /ready and /metrics for an orchestrator, on a separate port. */
import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { collectDefaultMetrics, register } from "prom-client";
import { gaugeOf, inTime } from "#libs/bus/scrape.ts";

/** A check fails by throwing or by returning false. */
export type Check = () => unknown | Promise<unknown>;

const checkTimeoutMs = 2_000;
/** Shorter than the wait for a gauge, so that a hanging check is shown as 0 instead of omitted. */
const scrapeCheckMs = 700;

/** The checks of a process. It is ready when it has started, is not stopping, and all of them pass. */
export class Health {
	/** Each check runs at most once at a time, so that probes do not pile up on a hanging check. */
	readonly #checks = new Map<string, (withinMs: number) => Promise<boolean | undefined>>();
	state: "starting" | "started" | "stopping" = "starting";

	register(name: string, check: Check): void {
		this.#checks.set(
			name,
			inTime(async () => (await check()) !== false),
		);
	}

	/** Names of failing checks; empty means ready. */
	async failing(): Promise<string[]> {
		if (this.state !== "started") return [this.state];
		return (await this.results()).flatMap(({ name, passed }) => (passed ? [] : [name]));
	}

	results(withinMs = checkTimeoutMs): Promise<{ name: string; passed: boolean }[]> {
		const checks = [...this.#checks];
		return Promise.all(checks.map(async ([name, check]) => ({ name, passed: (await check(withinMs)) === true })));
	}
}

/**
 * How often the event-loop lag is measured (ms). The library's default of 10 ms wakes an idle process a hundred times a second, which took 3 %
 * of a core per service.
 */
const lagPrecisionMs = 50;

/** Serves the endpoints on `port` (0: any free one) until disposed. */
export async function serveHealth(
	health: Health,
	port: number,
	host = "0.0.0.0",
): Promise<AsyncDisposable & { port: number }> {
	if (register.getSingleMetric("process_cpu_seconds_total") === undefined)
		collectDefaultMetrics({ eventLoopMonitoringPrecision: lagPrecisionMs });
	gaugeOf({
		name: "health_check_passing",
		help: "1 if a check of /ready passes, 0 if it fails.",
		labels: ["check"],
		read: async () => {
			const results = await health.results(scrapeCheckMs);
			return results.map(({ name, passed }) => ({ labels: { check: name }, value: passed ? 1 : 0 }));
		},
	});
	const server = createServer((request, response) => {
		respond(health, request.url ?? "/", response).catch(() => send(response, 500, "failed"));
	});
	server.listen(port, host);
	await once(server, "listening");
	return { port: (server.address() as AddressInfo).port, [Symbol.asyncDispose]: () => close(server) };
}

async function respond(health: Health, url: string, response: ServerResponse): Promise<void> {
	const path = url.split("?", 1)[0];
	if (path === "/live") return send(response, 200, "live");
	if (path === "/ready") {
		const failing = await health.failing();
		return failing.length === 0
			? send(response, 200, "ready")
			: send(response, 503, `not ready: ${failing.join(", ")}`);
	}
	if (path === "/metrics") return send(response, 200, await register.metrics(), register.contentType);
	return send(response, 404, "not found: the paths are /live, /ready and /metrics");
}

function send(response: ServerResponse, status: number, body: string, type = "text/plain; charset=utf-8"): void {
	response.writeHead(status, { "content-type": type, "cache-control": "no-store" }).end(body);
}

async function close(server: Server): Promise<void> {
	const closed = once(server, "close");
	server.close();
	server.closeAllConnections();
	await closed;
}
