/** The HTTP server, built from its dependencies so that tests can call `app.inject()` without a port. */

import { randomBytes } from "node:crypto";
import Fastify, { type FastifyInstance, type FastifyRequest } from "fastify";
import type { Bus } from "#libs/bus/connect.ts";
import { request } from "#libs/bus/requests/request.ts";
import { gaugeOf } from "#libs/bus/scrape.ts";
import { watchVersions } from "#libs/bus/version.ts";
import { owners } from "#libs/contract/operation.ts";
import type { Logger } from "#libs/service/logger.ts";
import type { Access } from "./access.ts";
import { clientBehindProxies, parseProxies, proxyMatcher } from "./callers/addresses.ts";
import { openCallSlots } from "./calls/call-slots.ts";
import type { Config } from "./config.ts";
import { streamOpeners } from "./event-streams/answer.ts";
import { OpenStreams } from "./event-streams/open-streams.ts";
import { fileCharges } from "./exports/charge.ts";
import { Exports, type ExportsOptions } from "./exports/exports.ts";
import { Spool } from "./exports/spool.ts";
import { answerErrors, type CountFree, type ErrorOptions, refuseConnection, sendWhenCounted } from "./http/errors.ts";
import { commonHeadersFor } from "./http/headers.ts";
import { countRequests, measureVersions, watchAccess } from "./http/metrics.ts";
import { answerUnknownPaths } from "./http/unknown-paths.ts";
import { addMcp } from "./mcp/mount.ts";
import { addOauth } from "./oauth/mount.ts";
import { gatewayOperations } from "./operations/index.ts";
import { addFavicon, pageOf, readBuilt } from "./pages/assets.ts";
import { errorPages } from "./pages/error-pages.ts";
import { eventsContent } from "./pages/events-page.ts";
import { pagePaths } from "./pages/page-texts.ts";
import { addDocumentation, addPages } from "./pages/pages.ts";
import { addWellKnown } from "./pages/well-known.ts";
import type { PipelineOptions } from "./pipeline/pipeline.ts";
import type { Rates } from "./pipeline/rate.ts";
import { limitCallers, limitPools, serverLimits } from "./pools/request-limits.ts";
import { ResponseCache } from "./response-cache/response-cache.ts";
import { addCreditRoutes } from "./transports/credit-routes.ts";
import { addRoutes } from "./transports/routes.ts";

export interface AppOptions {
	bus: Bus;
	/** Stays open when the server closes, to record the last responses. */
	access: Access;
	config: Config;
	log: Logger;
}

/** Closing the server stops accepting requests, finishes those in flight and unsubscribes from the bus. The bus stays open. */
export function buildApp({ bus, access, config, log }: AppOptions): FastifyInstance {
	const timeoutMs = config.REQUEST_TIMEOUT_MS;
	const responseCache = new ResponseCache(
		(name, params, knownVersion) => request(bus, name, params, { timeoutMs, knownVersion }),
		{ maxBytes: config.CACHE_MAX_BYTES },
	);
	gaugeOf({ name: "gateway_kept_bytes", help: "Size of cached responses.", read: () => responseCache.bytes });
	const built = readBuilt();
	const errorPage = errorPages(pageOf(built, "error"));
	const errorOptions: ErrorOptions = { log, pageOf: errorPage };
	const app = createServer(config, access.rates, errorOptions);
	const exports = openExports(app, { bus, versions: responseCache }, config, log);
	const recordVersion = measureVersions();
	for (const owner of owners) {
		if (owner === "gateway") continue;
		const watch = watchVersions(bus, owner, (version) => {
			responseCache.onVersion(owner, version);
			exports.onVersion(owner, version);
			recordVersion(owner, version);
		});
		app.addHook("onClose", async () => watch[Symbol.dispose]());
	}
	// Registered before the hooks that may refuse a request, so that refused requests are counted too.
	countRequests(app);
	watchAccess(app, log);
	const common = commonHeadersFor(config.PUBLIC_URL);
	app.addHook("onRequest", (request, reply, done) => {
		reply.headers(common).header("x-request-id", request.id);
		done();
	});
	const readers = limitPools(app, config);
	const countFree: CountFree = ({ ip, headers }, reply) =>
		access.rates.free({ ip, headers, setHeaders: (more) => void reply.headers(more) });
	limitCallers(app, config, countFree);
	answerUnknownPaths(app);
	answerErrors(app, countFree, errorOptions);
	addFavicon(app);
	addCreditRoutes(app, access.sales);
	const subscribing = {
		publicUrl: config.PUBLIC_URL,
		natsAddress: config.NATS_PUBLIC_ADDRESS,
		contact: config.CONTACT,
	};
	const pages = addPages(app, {
		tokens: access.pageTokens,
		eventDocs: eventsContent(subscribing),
		publicUrl: config.PUBLIC_URL,
		built,
	});
	addDocumentation(app);
	const { rails } = access.payments;
	const x402 = config.KEYLESS === "pay" ? rails.find(({ name }) => name === "x402") : undefined;
	addWellKnown(app, { publicUrl: config.PUBLIC_URL, contact: config.CONTACT, paths: pagePaths, x402 });
	const handlers = gatewayOperations({ bus, responseCache, exports, access, config, pages });
	const acquireSlot = openCallSlots(config);
	const streams = new OpenStreams(config);
	// Event streams do not end by themselves, so they end before the server waits for requests in flight.
	app.addHook("preClose", async () => streams[Symbol.dispose]());
	const options: PipelineOptions = {
		...access,
		settings: config,
		responseCache,
		requestForAccount: (name, params, { accountId, plan }) =>
			request(bus, name, params, { timeoutMs, accountId, plan }),
		handlers,
		requestTimeoutMs: timeoutMs,
		readers,
		acquireSlot,
		files: { exports, charges: fileCharges({ ...access, log }), isOpen: config.KEYLESS === "open" },
		eventStreams: {
			streams,
			openers: streamOpeners(bus, responseCache, log),
			keys: access.keys,
			acquireSlot,
		},
	};
	addOauth(app, { ...access, log, errorPage, publicUrl: config.PUBLIC_URL, styles: pageOf(built, "error").styles });
	addMcp(app, { pipeline: options, resolveToken: access.resolveToken, countFree, config, log });
	addRoutes(app, { ...options, pages, publicUrl: config.PUBLIC_URL, log });
	return app;
}

/** @returns a disposable that closes the server. It cuts connections after `withinMs`, because an export to a slow reader can take hours. */
export function closeOnStop(app: FastifyInstance, withinMs: number, log: Logger): AsyncDisposable {
	return {
		async [Symbol.asyncDispose]() {
			const cut = setTimeout(() => {
				log.warn("closing the server cut off responses that were still being sent");
				app.server.closeAllConnections();
			}, withinMs);
			await app.close().finally(() => clearTimeout(cut));
		},
	};
}

type ExportSources = Pick<ExportsOptions, "bus" | "versions">;

function openExports(app: FastifyInstance, sources: ExportSources, config: Config, log: Logger): Exports {
	const spool = new Spool({
		root: config.SPOOL_DIR,
		maxBytes: config.SPOOL_MAX_BYTES,
		shareBytes: config.SPOOL_SHARE_BYTES,
		maxAgeMs: config.SPOOL_MAX_AGE_MS,
		log,
	});
	gaugeOf({ name: "gateway_spool_bytes", help: "Size of the files of exports on disk.", read: () => spool.bytes });
	gaugeOf({
		name: "gateway_spool_max_bytes",
		help: "Bound of the files of exports on disk.",
		read: () => config.SPOOL_MAX_BYTES,
	});
	app.addHook("onClose", () => spool[Symbol.asyncDispose]());
	return new Exports({ ...sources, spool, maxAtOnce: config.STREAMS_PER_CALLER });
}

function createServer(config: Config, rates: Rates, errorOptions: ErrorOptions): FastifyInstance {
	// Makes request ids unique among all replicas and restarts, because the ledger identifies requests by them.
	const boot = randomBytes(8).toString("hex");
	let requests = 0;
	const proxies = parseProxies(config.TRUSTED_PROXIES ?? "");
	const isProxy = proxyMatcher(proxies);
	// The caller of an unreadable request from a proxy is unknown.
	const countUnread = async (ip: string) => (isProxy(ip) ? undefined : rates.unread({ ip, headers: {} }));
	/** Counts a request that Fastify refused before it determined the caller's address. */
	const countBroken = ({ raw, headers }: FastifyRequest) =>
		rates.unread({ ip: clientBehindProxies(isProxy, raw), headers });
	const app = Fastify({
		// Fastify's logger would create a child logger for each request. `watchAccess` and `sendError` log instead.
		logger: false,
		genReqId: () => `${boot}-${(++requests).toString(36)}`,
		...serverLimits(config),
		// Only the headers of trusted proxies are read, because any caller can send such headers.
		trustProxy: proxies.length === 0 ? false : proxies,
		// A request on an open connection is still answered while the server closes, with `Connection: close`.
		return503OnClosing: false,
		clientErrorHandler: (error, socket) => void refuseConnection(error, socket, countUnread),
		frameworkErrors: (error, request, reply) =>
			void sendWhenCounted(countBroken(request), error, request, reply, errorOptions),
		routerOptions: {
			// People and proxies add a trailing slash without meaning another path.
			ignoreTrailingSlash: true,
			maxParamLength: config.URL_MAX_LENGTH,
			// Passes the query on unparsed, because only the route can parse it: the parameters differ by operation.
			querystringParser: (text) => ({ text }),
		},
	});
	// Routes parse bodies themselves.
	app.removeAllContentTypeParsers();
	app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
	return app;
}
