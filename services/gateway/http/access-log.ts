/** What happened to each request, at debug level; at warn, without flooding, when it was our fault. What is counted: metrics.ts. */
import type { FastifyInstance } from "fastify";
import { troubleOf } from "#libs/bus/trouble.ts";
import type { Logger } from "#libs/service/logger.ts";
import { pathOf } from "./errors.ts";
import { traceOf } from "./span.ts";

/**
 * A line a request at info level would cost more than a kept answer. While something is away every request that needs it is refused
 * (503), others are not: that is said once a minute. Whose cause is not known (500) is said each time.
 */
export function watchAccess(app: FastifyInstance, log: Logger): void {
	const refusing = troubleOf({ log, message: "requests are refused" });
	app.addHook("onResponse", (request, reply, done) => {
		const status = reply.statusCode;
		const { method, id } = request;
		const line = () => ({
			request_id: id,
			...traceOf(request),
			method,
			path: pathOf(request),
			status,
			ms: Math.round(reply.elapsedTime * 1_000) / 1_000,
		});
		if (status === 503) refusing.met(undefined, line);
		else if (status >= 500) log.warn(line(), "answered");
		else if (log.isLevelEnabled("debug")) log.debug(line(), "answered");
		done();
	});
}
