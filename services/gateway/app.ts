/** The HTTP server as a function of what it needs: `app.inject()` asks it without a port. */

import { randomBytes } from "node:crypto";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { Bus } from "#libs/bus/connect.ts";
import { request } from "#libs/bus/request.ts";
import { watchVersions } from "#libs/bus/version.ts";
import { AppError, notFound } from "#libs/contract/errors.ts";
import { owners } from "#libs/contract/operation.ts";
import { measure } from "#libs/service/health.ts";
import type { Logger } from "#libs/service/logger.ts";
import type { Access } from "./access.ts";
import { callerBehind, isAmong, parseProxies } from "./callers/addresses.ts";
import { openWork } from "./calls/work.ts";
import type { Config } from "./config.ts";
import { eventsContent } from "./documents/events-page.ts";
import { addFavicon } from "./documents/favicon.ts";
import { openersOf } from "./event-streams/answer.ts";
import { OpenStreams } from "./event-streams/open-streams.ts";
import { fileCharges } from "./exports/charge.ts";
import { openExports } from "./exports/open.ts";
import { watchAccess } from "./http/access-log.ts";
import { type ErrorOptions, isBodyFault, pathOf, refuseConnection, sendError } from "./http/errors.ts";
import { headersOfAll, preflight } from "./http/headers.ts";
import { KnownPaths } from "./http/known-paths.ts";
import { type CountFree, limitCallers, serverLimits } from "./http/limits.ts";
import { countRequests, measureVersions } from "./http/metrics.ts";
import { limitHeld } from "./http/pools.ts";
import { addMcp } from "./mcp/mount.ts";
import { gatewayOperations } from "./operations/index.ts";
import type { PipelineOptions } from "./pipeline/pipeline.ts";
import type { Rates } from "./pipeline/rate.ts";
import { ResponseCache } from "./response-cache/response-cache.ts";
import { addCreditRoutes } from "./transports/credit-routes.ts";
import { addRoutes } from "./transports/routes.ts";
import { pageOf, readBuilt } from "./web/built.ts";
import { addDocumentation } from "./web/documentation.ts";
import { errorPages } from "./web/error-pages.ts";
import { pagePaths } from "./web/page-texts.ts";
import { addPages } from "./web/pages.ts";
import { addWellKnown } from "./web/well-known.ts";

export interface AppOptions {
	bus: Bus;
	/** Stays open when the server is closed: what it answered last is still to be recorded. */
	access: Access;
	config: Config;
	log: Logger;
}

/** Closing it stops accepting, finishes what is in flight and stops listening to the bus; the bus itself stays open. */
export function buildApp({ bus, access, config, log }: AppOptions): FastifyInstance {
	const timeoutMs = config.REQUEST_TIMEOUT_MS;
	const answers = new ResponseCache(
		(name, params, knownVersion) => request(bus, name, params, { timeoutMs, knownVersion }),
		{
			maxBytes: config.CACHE_MAX_BYTES,
		},
	);
	measure("gateway_kept_bytes", "Size of the answers kept.", () => answers.bytes);
	const built = readBuilt();
	const failing: ErrorOptions = { log, pageOf: errorPages(pageOf(built, "error")) };
	const app = server(config, access.rates, failing);
	const exports = openExports(app, { bus, versions: answers, config, log });
	const note = measureVersions();
	for (const owner of owners) {
		if (owner === "gateway") continue;
		const watch = watchVersions(bus, owner, (version) => {
			answers.onVersion(owner, version);
			exports.onVersion(owner, version);
			note(owner, version);
		});
		app.addHook("onClose", async () => watch[Symbol.dispose]());
	}
	// First: what follows may refuse.
	countRequests(app);
	watchAccess(app, log);
	const always = headersOfAll(config.PUBLIC_URL);
	app.addHook("onRequest", (request, reply, done) => {
		reply.headers(always).header("x-request-id", request.id);
		done();
	});
	const readers = limitHeld(app, config);
	const countFree: CountFree = ({ ip, headers }, reply) =>
		access.rates.free({ ip, headers, setHeaders: (more) => void reply.headers(more) });
	limitCallers(app, config, countFree);
	answerUnknownPaths(app, countFree, failing);
	addFavicon(app);
	addCreditRoutes(app, access.sales);
	const subscribing = {
		publicUrl: config.PUBLIC_URL,
		natsAddress: config.NATS_PUBLIC_ADDRESS,
		contact: config.CONTACT,
	};
	const pages = addPages(app, {
		tokens: access.pageTokens,
		contents: { getEventDocs: eventsContent(subscribing) },
		publicUrl: config.PUBLIC_URL,
		built,
	});
	addDocumentation(app);
	const { rails } = access.payments;
	const x402 = config.KEYLESS === "pay" ? rails.find(({ name }) => name === "x402") : undefined;
	addWellKnown(app, { publicUrl: config.PUBLIC_URL, contact: config.CONTACT, paths: pagePaths, x402 });
	const handlers = gatewayOperations({ bus, answers, exports, access, config, pages });
	const work = openWork(config);
	const streams = new OpenStreams(config);
	// Before what is in flight is waited for: they would not end by themselves.
	app.addHook("preClose", async () => streams[Symbol.dispose]());
	const options: PipelineOptions = {
		...access,
		access: config,
		answers,
		askFor: (name, params, { accountId, plan }) => request(bus, name, params, { timeoutMs, accountId, plan }),
		handlers,
		requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
		readers,
		work,
		files: { exports, charges: fileCharges({ ...access, log }), isOpen: config.KEYLESS === "open" },
		eventStreams: {
			streams,
			openers: openersOf({ bus, answers, log }),
			keys: access.keys,
			work,
		},
	};
	addMcp(app, { pipeline: options, countFree, config, log });
	addRoutes(app, { ...options, pages, publicUrl: config.PUBLIC_URL, log });
	return app;
}

/**
 * For a process that stops: what is in flight has `withinMs` to finish, and then its connections are cut, because an export to a
 * slow reader can take hours.
 */
export function closing(app: FastifyInstance, withinMs: number, log: Logger): AsyncDisposable {
	return {
		async [Symbol.asyncDispose]() {
			const cut = setTimeout(() => {
				log.warn("closing cuts off answers that are still being sent");
				app.server.closeAllConnections();
			}, withinMs);
			await app.close().finally(() => clearTimeout(cut));
		},
	};
}

function server(config: Config, rates: Rates, failing: ErrorOptions): FastifyInstance {
	// Names each request among all replicas and starts, in the ledger for good.
	const boot = randomBytes(8).toString("hex");
	let requests = 0;
	const proxies = parseProxies(config.TRUSTED_PROXIES ?? "");
	const isProxy = isAmong(proxies);
	// Whom a proxy has sent it for is not known.
	const countUnread = async (ip: string) => (isProxy(ip) ? undefined : rates.unread({ ip, headers: {} }));
	/** Of a request that Fastify gave up before it looked for its address. */
	const countBroken = ({ raw, headers }: FastifyRequest) => rates.unread({ ip: callerBehind(isProxy, raw), headers });
	const app = Fastify({
		// Its logger would make a child for each request; what is worth a line is written by `watchAccess` and `sendError`.
		logger: false,
		genReqId: () => `${boot}-${(++requests).toString(36)}`,
		...serverLimits(config),
		// Any caller can claim to be another's proxy.
		trustProxy: proxies.length === 0 ? false : proxies,
		// A request that arrives on an open connection while closing is still answered, with `Connection: close`.
		return503OnClosing: false,
		clientErrorHandler: (error, socket) => void refuseConnection(error, socket, countUnread),
		frameworkErrors: (error, request, reply) =>
			void sendWhenCounted(countBroken(request), error, request, reply, failing),
		routerOptions: {
			// `/projects/` is `/projects`: people and proxies add the slash without meaning anything by it.
			ignoreTrailingSlash: true,
			maxParamLength: config.URL_MAX_LENGTH,
			// Read by the route, which knows its parameters and refuses what it cannot decode.
			querystringParser: (text) => ({ text }),
		},
	});
	// Read by the route, which knows what it takes.
	app.removeAllContentTypeParsers();
	app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
	return app;
}

/** What those requests get that match no route. */
function answerUnknownPaths(app: FastifyInstance, countFree: CountFree, failing: ErrorOptions): void {
	const known = new KnownPaths();
	app.addHook("onRoute", (route) => known.add(route.method, route.url));
	app.addHook("onRequest", (request, reply, done) => {
		if (request.is404) refuse(known.allowed(pathOf(request)), request, reply, done);
		else done();
	});
	app.setNotFoundHandler(() => {
		throw notFound("there is nothing at this path");
	});
	app.setErrorHandler((error, request, reply) => {
		// A body that could not be read, or was refused, where nothing was counted before it: what its handler refuses it answers itself.
		if ((isBodyFault(error) || error instanceof AppError) && request.routeOptions.config.countsItself === true)
			void sendWhenCounted(countFree(request, reply), error, request, reply, failing);
		else sendError(error, request, reply, failing);
	});
}

/** The error; or that there are too many, where counting says so. */
async function sendWhenCounted(
	counted: Promise<void>,
	error: unknown,
	request: FastifyRequest,
	reply: FastifyReply,
	failing: ErrorOptions,
): Promise<void> {
	const tooMany = await counted.catch((refusal: unknown) => refusal);
	sendError(tooMany ?? error, request, reply, failing);
}

/** Before a body is read: no handler waits for it. `allow` is undefined for a path that does not exist. */
function refuse(
	allow: string | undefined,
	request: FastifyRequest,
	reply: FastifyReply,
	done: (error?: Error) => void,
): void {
	const preflighted = request.method === "OPTIONS" ? request.headers["access-control-request-method"] : undefined;
	if (allow === undefined && preflighted !== undefined) {
		// A browser shows the 404 of the request itself to a page only if the page may ask.
		reply
			.headers({ ...preflight, "access-control-allow-methods": preflighted })
			.code(204)
			.send();
	} else if (allow === undefined) {
		done(notFound("there is nothing at this path"));
	} else if (request.method === "OPTIONS") {
		reply
			.headers({ ...preflight, allow, "access-control-allow-methods": allow })
			.code(204)
			.send();
	} else {
		reply.header("allow", allow);
		done(new AppError(405, `this path answers ${allow}`));
	}
}
