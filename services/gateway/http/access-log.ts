/** What happened to each request, at debug level; at warn, without flooding, when it was our fault. What is counted: metrics.ts. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type IncidentOptions, incidentOf } from "#libs/bus/incident.ts";
import type { Logger } from "#libs/service/logger.ts";
import { disconnected, endedStatus, whenEnded } from "./ended.ts";
import { pathOf } from "./errors.ts";
import { traceOf } from "./span.ts";

/** Others are answered meanwhile, so an answer does not end it: the absence of refusals for so long (ms) does. */
const quietMs = 60_000;

/**
 * A line a request at info level would cost more than a kept answer. While something is away every request that needs it is refused
 * (503), others are not: that is logged once a minute, with how many since it began, and so are clients that disconnect before they are
 * answered, however many do. An error whose cause is not known (500) is logged each time.
 */
export function watchAccess(app: FastifyInstance, log: Logger, now = () => performance.now()): void {
	const refusing = onceAMinute({ log, message: "requests are refused", now });
	const leaving = onceAMinute({ log, level: "info", message: "clients disconnect before they are answered", now });
	const ended = (request: FastifyRequest, reply: FastifyReply, cameAt: number) => {
		const status = endedStatus(reply);
		const { method, id } = request;
		const line = () => ({
			request_id: id,
			...traceOf(request),
			method,
			path: pathOf(request),
			status,
			ms: Math.round((performance.now() - cameAt) * 1_000) / 1_000,
		});
		if (status === disconnected) leaving(line);
		else if (status === 503) refusing(line);
		else if (status >= 500) log.warn(line(), "answered");
		else if (log.isLevelEnabled("debug")) log.debug(line(), "answered");
	};
	app.addHook("onRequest", (request, reply, done) => {
		const cameAt = performance.now();
		whenEnded(reply, () => ended(request, reply, cameAt));
		done();
	});
}

function onceAMinute(options: IncidentOptions & { now: () => number }): (line: () => object) => void {
	const { now } = options;
	const incident = incidentOf(options);
	let lastAt = now();
	return (line) => {
		if (now() - lastAt > quietMs) incident.close();
		lastAt = now();
		incident.open(undefined, line);
	};
}
