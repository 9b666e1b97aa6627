/** Metrics and access log: rate, errors and duration of every operation, and the data versions that owners announce. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Counter } from "prom-client";
import { type IncidentOptions, incidentOf } from "#libs/bus/incident.ts";
import { gaugeOf } from "#libs/bus/scrape.ts";
import type { OperationName, Owner } from "#libs/contract/index.ts";
import type { Logger } from "#libs/service/logger.ts";
import { httpOperations } from "../registry/bindings.ts";
import { disconnected, endedStatus, whenEnded } from "./answer.ts";
import { Durations } from "./durations.ts";
import { pathOf } from "./errors.ts";
import { traceOf } from "./span.ts";

declare module "fastify" {
	interface FastifyContextConfig {
		operation?: OperationName;
	}
}

/**
 * Requests by operation and status. They are passed to prom-client only when metrics are read, because incrementing its counters takes longer
 * than the lookup of a cached response.
 */
const counts = new Map<string, Map<number, number>>();
new Counter({
	name: "http_requests_total",
	help: "Requests by operation (any other route: its path; no route: unknown) and status. 499: the caller disconnected first.",
	labelNames: ["operation", "status"],
	collect() {
		this.reset();
		for (const [operation, statuses] of counts)
			for (const [status, requests] of statuses) this.inc({ operation, status }, requests);
	},
});
const durations = new Durations();

const endlessOperations = new Set<string>(
	httpOperations().flatMap(({ name, operation }) => (operation.eventStream === undefined ? [] : [name])),
);

export function countRequests(app: FastifyInstance): void {
	// Every counter starts at 0, because Prometheus computes no rate for the first increment of a counter that did not exist before.
	for (const { name } of httpOperations()) for (const status of [200, 500]) count(name, status, 0);
	let inFlight = 0;
	gaugeOf({ name: "http_in_flight", help: "Requests being answered now.", read: () => inFlight });
	app.addHook("onRequest", (request, reply, done) => {
		const startedAt = performance.now();
		inFlight++;
		whenEnded(reply, () => {
			inFlight--;
			const status = endedStatus(reply);
			const operation = operationOf(request);
			count(operation, status, 1);
			// The duration of an event stream is not a measure of latency.
			if (!endlessOperations.has(operation))
				durations.record(operation, status, (performance.now() - startedAt) / 1_000);
		});
		done();
	});
}

/** Counts a call that did not arrive over HTTP. */
export function countCall(operation: OperationName, status: number, seconds: number): void {
	count(operation, status, 1);
	durations.record(operation, status, seconds);
}

function count(operation: string, status: number, requests: number): void {
	const statuses = counts.get(operation) ?? new Map<number, number>();
	counts.set(operation, statuses.set(status, (statuses.get(status) ?? 0) + requests));
}

/** The operation or route of a request: never its path, because callers choose paths and the labels must be bounded. */
function operationOf({ is404, routeOptions }: FastifyRequest): string {
	if (is404) return "unknown";
	return routeOptions.config.operation ?? routeOptions.url ?? "unknown";
}

interface Announcement {
	version: number;
	at: number;
}

export function measureVersions(): (owner: Owner, version: number) => void {
	const latest = new Map<Owner, Announcement>();
	const valuesOf = (value: (announcement: Announcement) => number) =>
		[...latest].map(([owner, announcement]) => ({ labels: { owner }, value: value(announcement) }));
	gaugeOf({
		name: "gateway_owner_data_version",
		help: "Data version that an owner announced last.",
		labels: ["owner"],
		read: () => valuesOf(({ version }) => version),
	});
	gaugeOf({
		name: "gateway_owner_silent_seconds",
		help: "Time since the last announcement of an owner: beyond ten seconds its answers are not reused.",
		labels: ["owner"],
		read: () => valuesOf(({ at }) => (performance.now() - at) / 1_000),
	});
	return (owner, version) => latest.set(owner, { version, at: performance.now() });
}

/** An incident ends when no request has been refused for this time. A success does not end it, because other requests succeed meanwhile. */
const quietMs = 60_000;

/**
 * Logs refusals (503) and clients that disconnect once a minute, with their number, and other server errors each time. Other requests are logged
 * only at debug level, because writing a line takes longer than a cached response.
 */
export function watchAccess(app: FastifyInstance, log: Logger, now = () => performance.now()): void {
	const logRefusal = onceAMinute({ log, message: "requests are refused", now });
	const logDisconnection = onceAMinute({
		log,
		level: "info",
		message: "clients disconnect before they are answered",
		now,
	});
	const logEnd = (request: FastifyRequest, reply: FastifyReply, startedAt: number) => {
		const status = endedStatus(reply);
		const { method, id } = request;
		const line = () => ({
			request_id: id,
			...traceOf(request),
			method,
			path: pathOf(request),
			status,
			ms: Math.round((performance.now() - startedAt) * 1_000) / 1_000,
		});
		if (status === disconnected) logDisconnection(line);
		else if (status === 503) logRefusal(line);
		else if (status >= 500) log.warn(line(), "a request was answered with an error");
		else if (log.isLevelEnabled("debug")) log.debug(line(), "a request was answered");
	};
	app.addHook("onRequest", (request, reply, done) => {
		const startedAt = performance.now();
		whenEnded(reply, () => logEnd(request, reply, startedAt));
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
