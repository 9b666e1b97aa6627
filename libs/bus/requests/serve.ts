/** Answering: the operations of one owner, each a subject, shared out among its replicas. */
import { headers, type Msg, type Subscription } from "@nats-io/transport-node";
import { AppError, unavailable } from "#libs/contract/errors.ts";
import {
	type Handlers,
	type OperationName,
	type Owner,
	ownedBy,
	type RequestContext,
	requestSubject,
	type Versioned,
} from "#libs/contract/index.ts";
import { isDatabaseSlow, isDatabaseUnavailable } from "#libs/postgres/connection-errors.ts";
import { ConcurrencyLimit } from "../concurrency-limit.ts";
import type { Bus } from "../connect.ts";
import { type Incident, incidentOf } from "../incident.ts";
import { serveSeconds, servings } from "../metrics.ts";
import { receiving } from "../trace.ts";
import { InFlight } from "./in-flight.ts";
import { type StreamLimits, sendStream } from "./send-stream.ts";
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
	/** Requests answered at once (256 when absent); the next is refused with 503. */
	maxInFlight?: number;
	/** Streams sent at once (16 when absent): each holds a cursor. */
	maxStreams?: number;
	/** A stream's requester that sends nothing for so long counts as disconnected (ms, 20,000 when absent). */
	streamGoneMs?: number;
	/** A stream that is not read to its end by then is broken off (ms, an hour when absent). */
	streamLongestMs?: number;
	/** How long closing waits for what is being answered (ms, 10,000 when absent). */
	drainMs?: number;
}

export interface Serving extends AsyncDisposable {
	/** Requests and streams being answered now. */
	readonly inFlight: number;
	/** Whether one of them holds its slot long after its deadline. `at`: by `performance.now()`. */
	isStuck(at?: number): boolean;
}

const longestDeadlineMs = 120_000;
/** From a deadline until a slot that is still held counts as stuck (ms). */
const graceMs = 60_000;

type Plain = (params: object, context: RequestContext) => Promise<Versioned<unknown>>;
type Streamed = (params: object, context: RequestContext) => AsyncIterable<string | Uint8Array>;

/**
 * Answers every operation of `owner` from when it resolves until disposed; then it takes no more and finishes what it has.
 */
export async function serve<O extends Owner>(
	bus: Bus,
	owner: O,
	handlers: Handlers<O>,
	options: ServeOptions = {},
): Promise<Serving> {
	const requests = new ConcurrencyLimit(options.maxInFlight ?? 256);
	const streams = new ConcurrencyLimit(options.maxStreams ?? 16);
	// While the database is unavailable, every request fails of it.
	const databaseIncident = incidentOf({
		log: bus.log,
		level: "error",
		fields: { owner },
		message: "operations fail: the database is unavailable",
		closed: "operations have the database again",
		// A standby answers some of them all the while.
		calmMs: 5_000,
	});
	const inFlight = new InFlight(bus, owner);
	const held = new Set<Slot>();
	const limits = { goneMs: options.streamGoneMs ?? goneMs, longestMs: options.streamLongestMs ?? longestMs };
	const subscriptions = ownedBy(owner).map((name): Subscription => {
		const streamed = shapeOf(name).streamed === true;
		const limit = streamed ? streams : requests;
		const longestMs = streamed ? limits.longestMs : longestDeadlineMs;
		const answer = streamed
			? streamAnswer(bus, name, handlers[name] as unknown as Streamed, limits)
			: plainAnswer(name, handlers[name] as unknown as Plain);
		return bus.nats.subscribe(requestSubject(name), {
			queue: owner,
			callback: (error, message) => {
				if (error === null && hasRequester(message))
					void respond({ bus, owner, name, limit, longestMs, held, inFlight, databaseIncident }, message, answer);
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
			const finished = await Promise.all([requests.idle(waitMs), streams.idle(waitMs)]);
			inFlight[Symbol.dispose]();
			if (finished.includes(false)) bus.log.warn({ owner }, "closing leaves requests unanswered");
		},
	};
	servings.add(serving);
	// After this requesters no longer get "no responders".
	await bus.nats.flush().catch(() => {});
	return serving;
}

interface Slot {
	/** By `performance.now()`. */
	deadline: number;
}

interface OperationContext {
	bus: Bus;
	owner: Owner;
	name: OperationName;
	limit: ConcurrencyLimit;
	/** Longest answer (ms). */
	longestMs: number;
	held: Set<Slot>;
	inFlight: InFlight;
	databaseIncident: Incident;
}

/** Limits, answers and measures one request. Never rejects. */
async function respond(
	context: OperationContext,
	message: Msg,
	answer: (message: Msg) => Promise<void>,
): Promise<void> {
	const { bus, owner, name, limit, longestMs, held, inFlight, databaseIncident } = context;
	if (!limit.acquire()) {
		serveSeconds.observe({ operation: name, status: 503 }, 0);
		return refuse(bus, message, unavailable(`${owner} is busy.`));
	}
	const id = message.headers?.get(requestIdHeader) ?? "";
	inFlight.add(id);
	const started = performance.now();
	const slot = { deadline: started + longestMs };
	held.add(slot);
	let status = 200;
	try {
		await receiving(name, message.headers, () => answer(message));
		databaseIncident.close();
	} catch (cause) {
		const error = forCaller(cause);
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

function forCaller(cause: unknown): AppError {
	if (cause instanceof AppError) return cause;
	if (isDatabaseSlow(cause)) return unavailable("The database takes too long.");
	return isDatabaseUnavailable(cause) ? unavailable("The database is not available.") : internalError();
}

function plainAnswer(name: OperationName, handler: Plain): (message: Msg) => Promise<void> {
	return async (message) => {
		const deadline = new Deadline(message);
		try {
			const { json, dataVersion, headers: more } = await handler(paramsOf(name, message), deadline);
			const written = headers();
			written.set(versionHeader, String(dataVersion));
			if (more !== undefined) written.set(headHeader, JSON.stringify(more));
			message.respond(json, { headers: written });
		} finally {
			deadline.clear();
		}
	};
}

function streamAnswer(
	bus: Bus,
	name: OperationName,
	handler: Streamed,
	limits: StreamLimits,
): (message: Msg) => Promise<void> {
	return async (message) => {
		const params = paramsOf(name, message);
		await sendStream(bus, message, limits, (context) => handler(params, context));
	};
}

/** The connection may be gone by now; then the requester's own deadline ends its wait. */
function refuse(bus: Bus, message: Msg, error: AppError): void {
	const { body, headers: written } = errorMessage(error);
	try {
		message.respond(body, { headers: written });
	} catch (cause) {
		bus.log.warn({ err: cause }, "an error could not be answered");
	}
}

/** The caller's deadline. Most handlers never look at the signal, so it and its timer are made when first asked for. */
class Deadline implements RequestContext {
	readonly knownVersion: number | undefined;
	readonly accountId: number | undefined;
	readonly plan: RequestContext["plan"];
	readonly #at: number;
	#signal: AbortSignal | undefined;
	#timer: NodeJS.Timeout | undefined;

	constructor(message: Msg) {
		this.knownVersion = knownVersionOf(message);
		const { accountId, plan } = accountOf(message);
		this.accountId = accountId;
		this.plan = plan;
		this.#at = performance.now() + Math.min(deadlineOf(message) ?? longestDeadlineMs, longestDeadlineMs);
	}

	get signal(): AbortSignal {
		if (this.#signal === undefined) {
			const controller = new AbortController();
			const expire = () => controller.abort(unavailable("The request's deadline has passed."));
			const remainingMs = this.#at - performance.now();
			if (remainingMs <= 0) expire();
			else this.#timer = setTimeout(expire, remainingMs);
			this.#signal = controller.signal;
		}
		return this.#signal;
	}

	clear(): void {
		clearTimeout(this.#timer);
	}
}
