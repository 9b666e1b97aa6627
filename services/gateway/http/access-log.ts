/** What happened to each request: counted always, written at debug level, and at warn when it was our fault. */
import type { FastifyInstance } from "fastify";
import { Histogram } from "prom-client";
import type { Logger } from "#libs/service/logger.ts";
import { pathOf } from "./errors.ts";

const seconds = new Histogram({
	name: "http_request_seconds",
	help: "Time from a request's arrival to the end of its answer, by route and status.",
	labelNames: ["route", "status"],
	buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
});

/** A line a request at info level would cost more than a kept answer. */
export function watchAccess(app: FastifyInstance, log: Logger): void {
	app.addHook("onResponse", (request, reply, done) => {
		const status = reply.statusCode;
		seconds.observe({ route: request.routeOptions.url ?? "unknown", status }, reply.elapsedTime / 1000);
		const level = status >= 500 ? "warn" : "debug";
		if (log.isLevelEnabled(level)) {
			const { method, id } = request;
			log[level]({ request_id: id, method, path: pathOf(request), status, ms: reply.elapsedTime }, "answered");
		}
		done();
	});
}
