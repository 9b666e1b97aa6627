/** How much of the server one caller can hold, and for how long: bytes, headers, connections, and the patience with who is slow. */
import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Counter } from "prom-client";
import { AppError, badRequest } from "#libs/contract/errors.ts";
import { placeOfRequest } from "../access/addresses.ts";
import type { Door } from "../access/door.ts";
import { RequestRate } from "../access/request-rate.ts";
import type { Config } from "../config.ts";
import { isInside } from "../mcp/connection.ts";
import { whenEnded } from "./ended.ts";

const refused = new Counter({
	name: "http_connections_refused_total",
	help: "Connections that were closed at once because CONNECTIONS_MAX were open.",
});

/** An answer up to this length waits in the system's buffers, and holds nothing of ours (bytes). */
const heldByTheSystem = 16_384;

/** What Fastify and Node see to. Node looks at its connections so often (ms): its own 30 s would be longer than what they are to keep. */
export function serverLimits(config: Config) {
	const { RECEIVE_TIMEOUT_MS: requestTimeout } = config;
	const headersTimeout = Math.min(config.HEADERS_TIMEOUT_MS, requestTimeout);
	return {
		bodyLimit: config.BODY_MAX_BYTES,
		requestTimeout,
		// Without a byte in either direction for so long, the peer has gone: a stream that nobody reads ends here.
		connectionTimeout: config.IDLE_TIMEOUT_MS,
		keepAliveTimeout: config.KEEP_ALIVE_MS,
		http: {
			maxHeaderSize: config.URL_MAX_LENGTH + config.HEADERS_MAX_BYTES,
			headersTimeout,
			requestTimeout,
			connectionsCheckingInterval: Math.min(1_000, headersTimeout),
			// Refused below, and counted.
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

/** The rest. Every request is counted here, or by the route of its operation, before anything else is done for it. */
export function limitCallers(app: FastifyInstance, config: Config, door: Pick<Door, "countFree">): void {
	app.server.maxConnections = config.CONNECTIONS_MAX;
	app.server.on("drop", () => refused.inc());
	// Their bytes are limited. Node's own limit refuses where nobody knows yet whose request it is.
	app.server.maxHeadersCount = 0;
	const rate = new RequestRate(config.REQUESTS_PER_MINUTE);
	app.addHook("onRequest", (request, reply, done) => {
		const { address, loopback } = placeOfRequest(request);
		const tooMany = loopback || isInside(request.raw.socket) ? undefined : rate.count(address);
		if (tooMany !== undefined) return done(tooMany);
		const fault = faultOf(request.raw, config);
		if (fault === undefined && countsItself(request)) return done();
		door.countFree(request, reply).then(() => done(fault), done);
	});
	// A stream is as long as it is, and holds little at a time. What is whole is all in memory until its reader has it.
	const held = holdAnswers(app, config.SEND_TIMEOUT_MS);
	app.addHook<string | Buffer | object | undefined>("onSend", (_request, reply, payload, done) => {
		const isLong = (typeof payload === "string" || payload instanceof Uint8Array) && payload.length > heldByTheSystem;
		if (isLong) held(reply);
		done(null, payload);
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
	// What a proxy before this server took for the host, and what is taken for it here, would be two.
	if (hosts > 1) return badRequest("there is more than one Host header");
	return hosts === 0 && httpVersion === "1.1" ? badRequest("there is no Host header") : undefined;
}

/** Cuts off what is not sent within so long (ms, and up to a quarter or a second more): one timer for all of them, for one each costs a kept answer 3 %. */
function holdAnswers(app: FastifyInstance, withinMs: number): (reply: FastifyReply) => void {
	/** Since when each is being sent (monotonic, ms), the oldest first. */
	const sending = new Map<FastifyReply, number>();
	const look = setInterval(
		() => {
			const latest = performance.now() - withinMs;
			for (const [reply, since] of sending) {
				if (since > latest) break;
				sending.delete(reply);
				reply.raw.destroy();
			}
		},
		Math.min(withinMs / 4, 1_000),
	);
	look.unref();
	app.addHook("onClose", async () => clearInterval(look));
	return (reply) => {
		sending.set(reply, performance.now());
		whenEnded(reply, () => sending.delete(reply));
	};
}
