/** Responds to operations whose reply is a stream of server-sent events. */
import { Readable } from "node:stream";
import type { Bus } from "#libs/bus/connect.ts";
import { ChangeLog } from "#libs/bus/requests/change-log.ts";
import { AppError, invalid } from "#libs/contract/errors.ts";
import type { EventStreamName, Params } from "#libs/contract/index.ts";
import { isPaidPlan } from "#libs/contract/vocabulary.ts";
import type { QueueCaller } from "#libs/service/fair-queue.ts";
import type { Logger } from "#libs/service/logger.ts";
import type { ApiKeyCache } from "../authorization/api-key-cache.ts";
import { networkOf } from "../callers/addresses.ts";
import { accountFields } from "../callers/caller.ts";
import { readKey } from "../callers/secrets.ts";
import type { Call, Transport } from "../calls/call.ts";
import type { AcquireCallSlot } from "../calls/call-slots.ts";
import { headersOf } from "../http/answer.ts";
import type { CallResponse, HttpOperation } from "../registry/bindings.ts";
import type { ResponseCache } from "../response-cache/response-cache.ts";
import { changeStream, requestsRaw } from "./change-stream.ts";
import type { Channel, Sequenced } from "./feed.ts";
import type { Opening, OpenStreams } from "./open-streams.ts";
import { scoreStream, signalStream } from "./published.ts";

export interface EventStreams {
	streams: OpenStreams;
	openers: { [N in EventStreamName]: Opener<Params<N>> };
	keys: Pick<ApiKeyCache, "callerOf">;
	acquireSlot: AcquireCallSlot;
}

type Opener<P> = (
	streams: OpenStreams,
	params: P,
	opening: Omit<Opening<P, never>, "channel" | "params"> & { isForPage: boolean },
) => Promise<Readable>;

const opener =
	<P, T extends Sequenced>(channel: Channel<P, T>): Opener<P> =>
	(streams, params, { isForPage, ...opening }) =>
		streams.open({
			...opening,
			channel: isForPage ? { ...channel, bytesOf: () => channel.noticeOf } : channel,
			params,
		});

export function streamOpeners(bus: Bus, responseCache: ResponseCache, log: Logger): EventStreams["openers"] {
	const options = { changes: new ChangeLog(bus), responseCache, log };
	const changes = opener(changeStream(options, { raw: false }));
	const withRaw = opener(changeStream(options, { raw: true }));
	return {
		streamChanges: (streams, params, opening) => (requestsRaw(params) ? withRaw : changes)(streams, params, opening),
		streamScores: opener(scoreStream(bus, log)),
		streamEvents: opener(signalStream(bus, log)),
	};
}

type Respond = (call: Call) => Promise<CallResponse>;

export function eventStreamResponder({ name, operation, pageRead }: HttpOperation, options: EventStreams): Respond {
	const { streams, openers, keys, acquireSlot } = options;
	const open = openers[name as EventStreamName] as Opener<Params<EventStreamName>>;
	const isForPage = pageRead !== undefined;
	// `x-accel-buffering` keeps proxies from buffering the stream.
	const headers = { ...headersOf(operation), "cache-control": "no-store", "x-accel-buffering": "no" };
	return async (call) => {
		if (call.transport.method === "HEAD") return { status: 200, headers, body: Readable.from([]) };
		const params = (call.params ?? {}) as Params<EventStreamName>;
		const body = await open(streams, params, {
			name: name as EventStreamName,
			// A page reads the events that it missed from lists.
			after: isForPage ? undefined : afterOf(call.transport, params),
			isForPage,
			caller: streamHolderOf(call),
			network: hasPaidPlan(call) || call.client.loopback ? undefined : networkOf(call.transport.ip),
			acquireSlot: () => acquireSlot(call),
			isAllowed: () => isAllowed(call, keys),
		});
		return { status: 200, headers, body };
	};
}

const idHeader = "Last-Event-ID";

/** The position after which the stream begins. The header wins, because a client that reconnects repeats its original URL. */
function afterOf({ headers }: Transport, { after }: { after?: number | undefined }) {
	const lastEventId = headers["last-event-id"];
	const text = Array.isArray(lastEventId) ? lastEventId.join() : lastEventId;
	if (text === undefined || text === "")
		return after === undefined ? undefined : { seq: after, loc: ["query", "after"] as [string, string] };
	const loc: [string, string] = ["header", idHeader];
	if (!/^\d{1,15}$/.test(text)) throw invalid([{ loc, msg: "must be the id of an event, a whole number" }]);
	return { seq: Number(text), loc };
}

const hasPaidPlan = ({ caller }: Call): boolean => caller.kind === "key" && isPaidPlan(caller.plan);

/** The account, or else the address, against whose limit a stream counts. */
function streamHolderOf({ caller, client: { address, loopback } }: Call): QueueCaller {
	if (caller.kind === "key") return accountFields(caller);
	return loopback ? {} : { address };
}

/** False if the call's key has been revoked or has expired; `OpenStreams` then ends the stream. */
async function isAllowed({ transport: { headers, query } }: Call, keys: EventStreams["keys"]): Promise<boolean> {
	const key = readKey(headers, query);
	if (key === undefined) return true;
	try {
		await keys.callerOf(key);
		return true;
	} catch (error) {
		return !(error instanceof AppError && error.status === 403);
	}
}
