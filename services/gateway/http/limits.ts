/** How much of the server one caller can hold, and for how long: bytes, headers, connections, and the patience with who is slow. */
import type { FastifyInstance, FastifyReply } from "fastify";
import { Counter } from "prom-client";
import { AppError } from "#libs/contract/errors.ts";
import type { Config } from "../config.ts";
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
		},
	};
}

/** The rest. */
export function limitCallers(app: FastifyInstance, config: Config): void {
	app.server.maxConnections = config.CONNECTIONS_MAX;
	app.server.on("drop", () => refused.inc());
	// One more than are allowed, to tell: Node drops those beyond without a word.
	app.server.maxHeadersCount = config.HEADERS_MAX_COUNT + 1;
	app.addHook("onRequest", ({ raw }, _reply, done) => {
		if (raw.url !== undefined && raw.url.length > config.URL_MAX_LENGTH)
			done(new AppError(414, `the address is longer than ${config.URL_MAX_LENGTH} characters`));
		else if (raw.rawHeaders.length > 2 * config.HEADERS_MAX_COUNT)
			done(new AppError(431, `there are more than ${config.HEADERS_MAX_COUNT} headers`));
		else done();
	});
	// A stream is as long as it is, and holds little at a time. What is whole is all in memory until its reader has it.
	const held = holdAnswers(app, config.SEND_TIMEOUT_MS);
	app.addHook<string | Buffer | object | undefined>("onSend", (_request, reply, payload, done) => {
		const isLong = (typeof payload === "string" || payload instanceof Uint8Array) && payload.length > heldByTheSystem;
		if (isLong) held(reply);
		done(null, payload);
	});
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
