/** What a request may be like, before anything is done for it: how long, how many, how slow. What callers hold together: the pools beside this. */
import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError, badRequest } from "#libs/contract/errors.ts";
import { placeOfRequest } from "../callers/addresses.ts";
import type { Config } from "../config.ts";
import { RequestRate } from "../limiter/request-rate.ts";

/** What Fastify and Node see to. Node looks at its connections so often (ms): its own 30 s would be longer than what they are to keep. */
export function serverLimits(config: Config) {
	const { RECEIVE_TIMEOUT_MS: requestTimeout } = config;
	const headersTimeout = Math.min(config.HEADERS_TIMEOUT_MS, requestTimeout);
	return {
		bodyLimit: config.BODY_MAX_BYTES,
		requestTimeout,
		// Without a byte in either direction for so long, the peer has gone: a stream without a reader ends here.
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

/** Counts a request as a free one of its address. @throws AppError 429 */
export type CountFree = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** The rest. Every request is counted here, or by the route of its operation, before anything else is done for it. */
export function limitCallers(app: FastifyInstance, config: Config, countFree: CountFree): void {
	// Their bytes are limited. Node's own limit refuses where the caller of a request is not known yet.
	app.server.maxHeadersCount = 0;
	const rate = new RequestRate(config.REQUESTS_PER_MINUTE);
	app.addHook("onRequest", (request, reply, done) => {
		const { address, loopback } = placeOfRequest(request);
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
	// What a proxy before this server took for the host, and what is taken for it here, would be two.
	if (hosts > 1) return badRequest("there is more than one Host header");
	return hosts === 0 && httpVersion === "1.1" ? badRequest("there is no Host header") : undefined;
}
