/** The requester's side of a request with one reply. */
import { type Msg, NoRespondersError, RequestError, TimeoutError } from "@nats-io/transport-node";
import { AppError } from "#libs/contract/errors.ts";
import {
	type OperationName,
	type Operations,
	type ParamsInput,
	type Reply,
	requestSubject,
} from "#libs/contract/index.ts";
import type { PlanName } from "#libs/contract/vocabulary.ts";
import type { Bus } from "../connect.ts";
import { requestSeconds } from "../metrics.ts";
import { runInClientSpan } from "../trace.ts";
import { headOf } from "./stream-wire.ts";
import { watchOf } from "./watch.ts";
import {
	busUnavailable,
	errorOf,
	noReplyInTime,
	noResponder,
	requestHeaders,
	requestIdHeader,
	shapeOf,
	versionHeader,
} from "./wire.ts";

/** Operations whose reply is a stream of chunks (`requestStream`). */
export type StreamedName = {
	[N in OperationName]: Operations[N] extends { streamed: true } ? N : never;
}[OperationName];
export type PlainName = Exclude<OperationName, StreamedName>;

export interface RequestOptions {
	/**
	 * How long the caller waits (ms, 10,000 when absent). The owner receives this limit too, and stops when it is reached. For a stream: the
	 * maximum wait for the first chunk, and for each later chunk once there is credit for it (30,000 when absent).
	 */
	timeoutMs?: number;
	/** Ends the wait (the owner still continues until the deadline); for a stream, cancels it, even after its first chunk. */
	signal?: AbortSignal;
	/** The owner's newest data version that the requester knows: a standby that has reached it may reply. */
	knownVersion?: number | undefined;
	/** The account that the request concerns, for operations that need a key. */
	accountId?: number;
	plan?: PlanName | undefined;
}

export interface RawReply {
	/** The owner's bytes, unchanged: JSON, or the requested file. */
	bytes: Uint8Array;
	headers?: Readonly<Record<string, string>> | undefined;
	dataVersion: number;
}

const defaultTimeoutMs = 10_000;

/**
 * Sends a request to the operation's owner.
 * @throws AppError from the owner, or 503 if no instance responds in time or the instance that processed it has ended
 */
export async function request<N extends PlainName>(
	bus: Bus,
	name: N,
	params: ParamsInput<N>,
	options: RequestOptions = {},
): Promise<RawReply> {
	const started = performance.now();
	let status = 200;
	try {
		const reply = await sendRequest(bus, name, params, options);
		const version = reply.headers?.get(versionHeader) ?? "";
		if (version === "") throw errorOf(reply) ?? new Error(`the reply to ${name} has no data version`);
		return { bytes: reply.data, headers: headOf(reply), dataVersion: Number(version) };
	} catch (error) {
		status = error instanceof AppError ? error.status : 500;
		throw error;
	} finally {
		requestSeconds.observe({ operation: name, status }, (performance.now() - started) / 1000);
	}
}

export async function requestJson<N extends PlainName>(
	bus: Bus,
	name: N,
	params: ParamsInput<N>,
	options?: RequestOptions,
): Promise<Reply<N>> {
	const { bytes } = await request(bus, name, params, options);
	return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()) as Reply<N>;
}

async function sendRequest(bus: Bus, name: OperationName, params: object, options: RequestOptions): Promise<Msg> {
	await endOfTurn();
	// The NATS client would hold the request until it reconnects, long after the caller has stopped waiting.
	if (!bus.connected) throw busUnavailable();
	options.signal?.throwIfAborted();
	const timeoutMs = Math.max(1, Math.round(options.timeoutMs ?? defaultTimeoutMs));
	const messageHeaders = requestHeaders(timeoutMs, options);
	return runInClientSpan(name, messageHeaders, async () => {
		const { promise, resolve, reject } = Promise.withResolvers<Msg>();
		const watch = watchOf(bus);
		const watched = watch.add(shapeOf(name).owner, (error = noResponder(name)) => reject(error));
		const abandon = () => reject(options.signal?.reason);
		options.signal?.addEventListener("abort", abandon, { once: true });
		try {
			messageHeaders.set(requestIdHeader, watched.id);
			const body = JSON.stringify(params);
			bus.nats
				.request(requestSubject(name), body, { timeout: timeoutMs, headers: messageHeaders })
				.then(resolve, reject);
			return await promise;
		} catch (error) {
			throw explainError(name, error);
		} finally {
			watch.remove(watched);
			options.signal?.removeEventListener("abort", abandon);
		}
	});
}

let turn: Promise<void> | undefined;

/**
 * Waits for the end of the event-loop turn, so that all its requests are sent in one write: a packet for each would wake the server and the
 * owner each time.
 */
function endOfTurn(): Promise<void> {
	turn ??= new Promise((resolve) => {
		setImmediate(() => {
			turn = undefined;
			resolve();
		});
	});
	return turn;
}

function explainError(name: OperationName, error: unknown): unknown {
	if (error instanceof TimeoutError) return noReplyInTime(name);
	if (error instanceof NoRespondersError) return noResponder(name);
	if (error instanceof RequestError) return error.isNoResponders() ? noResponder(name) : busUnavailable();
	return error;
}
