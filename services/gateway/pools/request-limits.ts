/** Limits on requests before any work is done for them: their length, headers and body, and their number by address. */
import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import { Counter } from "prom-client";
import { AppError, badRequest, tooManyRequests, unavailable } from "#libs/contract/errors.ts";
import type { QueueCaller } from "#libs/service/fair-queue.ts";
import { parseProxies, proxyMatcher, requestAddress } from "../callers/addresses.ts";
import type { Config } from "../config.ts";
import type { CountFree } from "../http/errors.ts";
import { endConnection } from "../http/errors.ts";
import { type TooMany, tooMany } from "../limiter/rate-headers.ts";
import { limitConnections } from "./connections.ts";
import { callerOfRequest, SharedPool } from "./held.ts";
import { type Readers, watchReaders } from "./readers.ts";

/**
 * Limits that Fastify and Node.js enforce. Node.js checks connections every second, because its default interval of 30 s is longer than timeouts.
 */
export function serverLimits(config: Config) {
	const { RECEIVE_TIMEOUT_MS: requestTimeout } = config;
	const headersTimeout = Math.min(config.HEADERS_TIMEOUT_MS, requestTimeout);
	return {
		bodyLimit: config.BODY_MAX_BYTES,
		requestTimeout,
		// Closes a connection without a byte in either direction, such as a stream whose reader has stopped.
		connectionTimeout: config.IDLE_TIMEOUT_MS,
		keepAliveTimeout: config.KEEP_ALIVE_MS,
		http: {
			maxHeaderSize: config.URL_MAX_LENGTH + config.HEADERS_MAX_BYTES,
			headersTimeout,
			requestTimeout,
			connectionsCheckingInterval: Math.min(1_000, headersTimeout),
			// `faultOf` checks the Host header, after the request is counted.
			requireHostHeader: false,
		},
	};
}

declare module "fastify" {
	interface FastifyContextConfig {
		/** The route counts its requests itself, as operations do. */
		countsItself?: boolean;
	}
}

/** Counts each request, here or in the route of its operation, before any other work. */
export function limitCallers(app: FastifyInstance, config: Config, countFree: CountFree): void {
	// 0 disables the limit of Node.js on the number of headers. `faultOf` checks it when the caller is known; their size is limited, too.
	app.server.maxHeadersCount = 0;
	const rate = new RequestRate(config.REQUESTS_PER_MINUTE);
	app.addHook("onRequest", (request, reply, done) => {
		const { address, loopback } = requestAddress(request);
		const tooMany = loopback ? undefined : rate.count(address);
		if (tooMany !== undefined) return done(tooMany);
		const fault = faultOf(request.raw, config);
		if (fault === undefined && countsItself(request)) return done();
		countFree(request, reply).then(() => done(fault), done);
	});
}

const countsItself = ({ is404, routeOptions: { config } }: FastifyRequest): boolean =>
	!is404 && (config.operation !== undefined || config.countsItself === true);

function faultOf(
	{ url = "", rawHeaders, httpVersion }: IncomingMessage,
	{ URL_MAX_LENGTH, HEADERS_MAX_COUNT }: Config,
): AppError | undefined {
	if (url.length > URL_MAX_LENGTH) return new AppError(414, `the address is longer than ${URL_MAX_LENGTH} characters`);
	if (rawHeaders.length > 2 * HEADERS_MAX_COUNT)
		return new AppError(431, `there are more than ${HEADERS_MAX_COUNT} headers`);
	let hosts = 0;
	for (let at = 0; at < rawHeaders.length; at += 2)
		if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === "host") hosts++;
	// With two Host headers, a proxy might choose the other value.
	if (hosts > 1) return badRequest("there is more than one Host header");
	return hosts === 0 && httpVersion === "1.1" ? badRequest("there is no Host header") : undefined;
}

/** Limits the pools that callers share: connections, bodies, and unread responses. */
export function limitPools(app: FastifyInstance, config: Config): Readers {
	const readers = watchReaders(app, config);
	const isProxy = proxyMatcher(parseProxies(config.TRUSTED_PROXIES ?? ""));
	limitConnections(app, { config, isProxy, cutSlowest: readers.cutSlowest });
	limitBodies(app, config);
	return readers;
}

const windowMs = 60_000;
const maxTrackedAddresses = 50_000;

export class RequestRate {
	readonly #perMinute: number;
	readonly #ticks: () => number;
	/** Theoretical arrival time by address (GCRA): the time at which the next request would arrive at the allowed rate (monotonic ms). */
	readonly #arrivalTimes = new LRUCache<string, number>({ max: maxTrackedAddresses });

	/** `perMinute`: the size of the largest burst, and the rate a minute at which further requests are allowed; 0 for no limit. */
	constructor(perMinute: number, ticks = () => performance.now()) {
		this.#perMinute = perMinute;
		this.#ticks = ticks;
	}

	count(address: string): TooMany | undefined {
		if (this.#perMinute === 0) return undefined;
		const now = this.#ticks();
		const next = Math.max(now, this.#arrivalTimes.get(address) ?? 0) + windowMs / this.#perMinute;
		const tooEarlyMs = next - now - windowMs;
		// The tolerance is for rounding errors.
		if (tooEarlyMs <= 1e-6) {
			this.#arrivalTimes.set(address, next);
			return undefined;
		}
		const resetSeconds = Math.max(1, Math.ceil(tooEarlyMs / 1_000));
		const minute = { limit: this.#perMinute, remaining: 0, resetSeconds, windowSeconds: windowMs / 1_000 };
		return tooMany({ allowed: false, violated: "minute", minute, degraded: false }, "requests of this address");
	}
}

const cutBodies = new Counter({
	name: "http_bodies_cut_total",
	help: "Bodies that were cut off before their end to make room for another caller's.",
});

/** Limits the number of bodies that are being received, for each caller and in total, because each may use BODY_MAX_BYTES of memory. */
function limitBodies(app: FastifyInstance, config: Pick<Config, "BODIES_MAX" | "BODIES_PER_CALLER">): void {
	const receiving = new SharedPool<IncomingMessage>();

	/** Cuts off the oldest body of the caller that sends the most bodies, unless that is this caller. @returns whether a body was cut off */
	function makeRoom(caller: QueueCaller): boolean {
		const largest = receiving.ofLargestHolder({ identified: false });
		const [oldest] = largest;
		if (oldest === undefined || largest.size <= receiving.of(caller).size + 1) return false;
		receiving.delete(oldest);
		endConnection(oldest.socket, "408 Request Timeout", "the body did not arrive in time");
		cutBodies.inc();
		return true;
	}

	app.addHook("preParsing", (request, reply, payload, done) => {
		const { raw, headers } = request;
		if ((headers["content-length"] ?? "0") === "0" && headers["transfer-encoding"] === undefined) return done();
		const encoding = headers["content-encoding"] ?? "identity";
		if (encoding.toLowerCase() !== "identity") {
			reply.headers({ connection: "close", "accept-encoding": "identity" });
			return done(new AppError(415, "send the body as it is, without Content-Encoding"));
		}
		const caller = callerOfRequest(request);
		const tooMany = receiving.weightOf(caller) >= config.BODIES_PER_CALLER;
		if (tooMany || (receiving.size >= config.BODIES_MAX && !makeRoom(caller))) {
			reply.header("connection", "close");
			return done(
				tooMany
					? tooManyRequests("you are sending too many bodies at once: send the next when one has arrived", 1)
					: unavailable("too many bodies are being received: try again soon", 2),
			);
		}
		receiving.add(raw, caller);
		const arrived = () => receiving.delete(raw);
		raw.once("end", arrived).once("close", arrived);
		done(null, payload);
	});
}
