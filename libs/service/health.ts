/** What an orchestrator asks of a process: /live, /ready, /metrics, on a port of their own. */
import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { collectDefaultMetrics, Gauge, register } from "prom-client";

/** Passes by returning, fails by throwing (or answering false). */
export type Check = () => unknown | Promise<unknown>;

const checkTimeoutMs = 2_000;

/** The checks of a process. It is ready when it has started, is not stopping, and all of them pass. */
export class Health {
	readonly #checks = new Map<string, Check>();
	state: "starting" | "started" | "stopping" = "starting";

	register(name: string, check: Check): void {
		this.#checks.set(name, check);
	}

	/** Names of what is not well; empty means ready. */
	async failing(): Promise<string[]> {
		if (this.state !== "started") return [this.state];
		const names = await Promise.all(
			[...this.#checks].map(async ([name, check]) => ((await passes(check)) ? [] : [name])),
		);
		return names.flat();
	}
}

async function passes(check: Check): Promise<boolean> {
	let timer: NodeJS.Timeout | undefined;
	const tooLong = new Promise<false>((resolve) => {
		timer = setTimeout(() => resolve(false), checkTimeoutMs);
	});
	try {
		return (await Promise.race([(async () => check())(), tooLong])) !== false;
	} catch {
		return false;
	} finally {
		clearTimeout(timer);
	}
}

/** A number that is read when the metrics are: an outbox' depth, a consumer's backlog. Left out when it cannot be read. */
export function measure(name: string, help: string, read: () => number | Promise<number>): void {
	register.removeSingleMetric(name);
	new Gauge({
		name,
		help,
		async collect() {
			try {
				this.set(await read());
			} catch {
				this.reset();
			}
		},
	});
}

/** Serves them on `port` (0: any free one) until disposed. */
export async function serveHealth(
	health: Health,
	port: number,
	host = "0.0.0.0",
): Promise<AsyncDisposable & { port: number }> {
	if (register.getSingleMetric("process_cpu_seconds_total") === undefined) collectDefaultMetrics();
	const server = createServer((request, response) => {
		answer(health, request.url ?? "/", response).catch(() => send(response, 500, "failed"));
	});
	server.listen(port, host);
	await once(server, "listening");
	return { port: portOf(server), [Symbol.asyncDispose]: () => close(server) };
}

async function answer(health: Health, url: string, response: ServerResponse): Promise<void> {
	const path = url.split("?", 1)[0];
	if (path === "/live") return send(response, 200, "live");
	if (path === "/ready") {
		const failing = await health.failing();
		return failing.length === 0
			? send(response, 200, "ready")
			: send(response, 503, `not ready: ${failing.join(", ")}`);
	}
	if (path === "/metrics") return send(response, 200, await register.metrics(), register.contentType);
	return send(response, 404, "only /live, /ready and /metrics are here");
}

function send(response: ServerResponse, status: number, body: string, type = "text/plain; charset=utf-8"): void {
	response.writeHead(status, { "content-type": type, "cache-control": "no-store" }).end(body);
}

function portOf(server: Server): number {
	const address = server.address();
	return address === null || typeof address === "string" ? 0 : address.port;
}

async function close(server: Server): Promise<void> {
	const closed = once(server, "close");
	server.close();
	server.closeAllConnections();
	await closed;
}
