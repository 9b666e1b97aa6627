/** The owner's side of requests: each operation is a subject, and the replicas of an owner share its requests. */
import { headers, type Msg, type Subscription } from "@nats-io/transport-node";
import { AppError, unavailable } from "#libs/contract/errors.ts";
import {
	type Handlers,
	type OperationName,
	type Owner,
	ownedBy,
	type PlainHandler,
	type RequestContext,
	requestSubject,
	type StreamedHandler,
} from "#libs/contract/index.ts";
import { isDatabaseSlow, isDatabaseUnavailable } from "#libs/postgres/connection-errors.ts";
import { ConcurrencyLimit } from "../concurrency-limit.ts";
import type { Bus } from "../connect.ts";
import { type Incident, incidentOf } from "../incident.ts";
import { serveSeconds, servings } from "../metrics.ts";
import { runInServerSpan } from "../trace.ts";
import { InFlight } from "./in-flight.ts";
import { type StreamTimes, sendStream } from "./send-stream.ts";
import { goneMs, headHeader, longestMs } from "./stream-wire.ts";
import {
	accountOf,
	deadlineOf,
	errorMessage,
	hasRequester,
	internalError,
	knownVersionOf,
	paramsOf,
	requestIdHeader,
	shapeOf,
	versionHeader,
} from "./wire.ts";

export interface ServeOptions {
	/** Maximum requests in progress (256 when absent); requests beyond it are refused with 503. */
	maxInFlight?: number;
	/** A stream ends when its requester has sent nothing for this long (ms, 20,000 when absent). */
	streamGoneMs?: number;
	/** Maximum duration of a stream (ms, an hour when absent). */
	streamLongestMs?: number;
	/** How long closing waits for requests in progress (ms, 10,000 when absent). */
	drainMs?: number;
}

export interface Serving extends AsyncDisposable {
	readonly inFlight: number;
	/** Whether a request holds its slot long after its deadline. */
	isStuck(at?: number): boolean;
}

/** Maximum streams in progress: each holds a database cursor. */
const maxStreams = 16;
const longestDeadlineMs = 120_000;
/** A slot counts as stuck if it is still held this long after its request's deadline (ms). */
const graceMs = 60_000;

/** Serves every operation of `owner` until disposed. Disposal finishes the requests in progress. */
export async function serve<O extends Owner>(
	bus: Bus,
	owner: O,
	handlers: Handlers<O>,
	options: ServeOptions = {},
): Promise<Serving> {
	const requests = new ConcurrencyLimit(options.maxInFlight ?? 256);
	const streams = new ConcurrencyLimit(maxStreams);
	const databaseIncident = incidentOf({
		log: bus.log,
		level: "error",
		fields: { owner },
		message: "operations fail: the database is unavailable",
		closed: "operations succeed again: the database is available",
		// Some requests still succeed, because a standby serves them.
		calmMs: 5_000,
	});
	const inFlight = new InFlight(bus, owner);
	const held: OperationContext["held"] = new Set();
	const times = { goneMs: options.streamGoneMs ?? goneMs, longestMs: options.streamLongestMs ?? longestMs };
	const subscriptions = ownedBy(owner).map((name): Subscription => {
		const streamed = shapeOf(name).streamed === true;
		const limit = streamed ? streams : requests;
		const longestMs = streamed ? times.longestMs : longestDeadlineMs;
		const sendReply = streamed
			? createStreamResponder(bus, name, handlers[name] as unknown as StreamedHandler, times)
			: createPlainResponder(name, handlers[name] as unknown as PlainHandler);
		return bus.nats.subscribe(requestSubject(name), {
			queue: owner,
			callback: (error, message) => {
				if (error === null && hasRequester(message))
					void respond({ bus, owner, name, limit, longestMs, held, inFlight, databaseIncident }, message, sendReply);
				else if (error !== null)
					bus.log.error({ err: error, operation: name }, "the subscription to an operation failed");
			},
		});
	});
	const serving = {
		owner,
		get inFlight() {
			return requests.held + streams.held;
		},
		isStuck: (at = performance.now()) => [...held].some(({ deadline }) => at > deadline + graceMs),
		async [Symbol.asyncDispose]() {
			servings.delete(serving);
			const drained = subscriptions.map((subscription) => subscription.drain().catch(() => {}));
			if (bus.connected) await Promise.all(drained);
			const waitMs = options.drainMs ?? 10_000;
			const finished = await Promise.all([requests.waitUntilIdle(waitMs), streams.waitUntilIdle(waitMs)]);
			inFlight[Symbol.dispose]();
			if (finished.includes(false)) bus.log.warn({ owner }, "requests were still in progress when serving stopped");
		},
	};
	servings.add(serving);
	// From here on, requesters do not get "no responders".
	await bus.nats.flush().catch(() => {});
	return serving;
}

interface OperationContext {
	bus: Bus;
	owner: Owner;
	name: OperationName;
	limit: ConcurrencyLimit;
	longestMs: number;
	/** Requests that hold a slot. `deadline`: by `performance.now()`. */
	held: Set<{ deadline: number }>;
	inFlight: InFlight;
	databaseIncident: Incident;
}

/** Responds to one request if a slot is free, and measures it. Never rejects. */
async function respond(
	context: OperationContext,
	message: Msg,
	sendReply: (message: Msg) => Promise<void>,
): Promise<void> {
	const { bus, owner, name, limit, longestMs, held, inFlight, databaseIncident } = context;
	if (!limit.acquire()) {
		serveSeconds.observe({ operation: name, status: 503 }, 0);
		return refuse(bus, message, unavailable(`${owner} is busy`));
	}
	const id = message.headers?.get(requestIdHeader) ?? "";
	inFlight.add(id);
	const started = performance.now();
	const slot = { deadline: started + longestMs };
	held.add(slot);
	let status = 200;
	try {
		await runInServerSpan(name, message.headers, () => sendReply(message));
		databaseIncident.close();
	} catch (cause) {
		const error = callerError(cause);
		if (isDatabaseUnavailable(cause)) databaseIncident.open(cause, () => ({ operation: name }));
		else if (error !== cause) bus.log.error({ err: cause, operation: name }, "an operation failed");
		status = error.status;
		refuse(bus, message, error);
	} finally {
		inFlight.delete(id);
		held.delete(slot);
		limit.release();
		serveSeconds.observe({ operation: name, status }, (performance.now() - started) / 1000);
	}
}

function callerError(cause: unknown): AppError {
	if (cause instanceof AppError) return cause;
	if (isDatabaseSlow(cause)) return unavailable("the database takes too long");
	return isDatabaseUnavailable(cause) ? unavailable("the database is not available") : internalError();
}

function createPlainResponder(name: OperationName, handler: PlainHandler): (message: Msg) => Promise<void> {
	return async (message) => {
		using context = contextOf(message);
		const { json, dataVersion, headers: responseHeaders } = await handler(paramsOf(name, message), context);
		const messageHeaders = headers();
		messageHeaders.set(versionHeader, String(dataVersion));
		if (responseHeaders !== undefined) messageHeaders.set(headHeader, JSON.stringify(responseHeaders));
		message.respond(json, { headers: messageHeaders });
	};
}

function createStreamResponder(
	bus: Bus,
	name: OperationName,
	handler: StreamedHandler,
	times: StreamTimes,
): (message: Msg) => Promise<void> {
	return async (message) => {
		const params = paramsOf(name, message);
		await sendStream(bus, message, times, (context) => handler(params, context));
	};
}

/** Sends an error response. If the connection is lost, the requester's own deadline ends its wait. */
function refuse(bus: Bus, message: Msg, error: AppError): void {
	const { body, headers: messageHeaders } = errorMessage(error);
	try {
		message.respond(body, { headers: messageHeaders });
	} catch (cause) {
		bus.log.warn({ err: cause }, "an error response could not be sent");
	}
}

/** The handler's context. The signal and its timer are created at the first use, because most handlers never use them. */
function contextOf(message: Msg): RequestContext & Disposable {
	const end = performance.now() + Math.min(deadlineOf(message) ?? longestDeadlineMs, longestDeadlineMs);
	let controller: AbortController | undefined;
	let timer: NodeJS.Timeout | undefined;
	const expire = () => controller?.abort(unavailable("the request's deadline has passed"));
	return {
		knownVersion: knownVersionOf(message),
		...accountOf(message),
		get signal() {
			if (controller === undefined) {
				controller = new AbortController();
				const remainingMs = end - performance.now();
				if (remainingMs <= 0) expire();
				else timer = setTimeout(expire, remainingMs);
			}
			return controller.signal;
		},
		[Symbol.dispose]: () => clearTimeout(timer),
	};
}
