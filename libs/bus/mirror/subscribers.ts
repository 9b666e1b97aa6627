/**
 * A publisher of open events maintains the mirror of its stream, and creates the subscribers' consumers. JetStream could do both itself, but
 * it accepts any request for a consumer, and publishes to whatever subject the request names.
 */
import type { Msg } from "@nats-io/transport-node";
import { streamOf } from "#libs/contract/events/event.ts";
import type { Owner } from "#libs/contract/index.ts";
import { ConcurrencyLimit } from "../concurrency-limit.ts";
import type { Bus } from "../connect.ts";
import { mirrorRequest, readConsumerRequest } from "./consumer-request.ts";
import { keepMirror, type MirrorOptions } from "./mirror.ts";
import { deliveryPrefix, mirrorApi, sourceSubject, subscribePrefix, subscriberLimits } from "./mirror-wire.ts";

/** JetStream error codes: bad request, temporarily unavailable. */
const badRequest = 10003;
const notAvailable = 10008;
const responseTimeoutMs = 5_000;

/** Serves requests until disposed, once the promise has resolved. Replicas share the requests. */
export async function serveSubscribers(
	bus: Bus,
	publisher: Owner,
	options: MirrorOptions = {},
): Promise<AsyncDisposable> {
	const { nats } = bus;
	const stream = streamOf(publisher);
	const limit = new ConcurrencyLimit(subscriberLimits.requests);
	const read = readConsumerRequest(publisher, stream);
	const source = mirrorRequest(stream, deliveryPrefix(stream));

	const forward = async (subject: string, body: Uint8Array | string): Promise<Uint8Array> =>
		(await nats.request(subject, body, { timeout: responseTimeoutMs })).data;

	const createConsumer = async (message: Msg): Promise<Uint8Array | string> => {
		const result = read(bodyOf(message));
		if ("fault" in result) return refusal(400, badRequest, result.fault);
		const nameAndFilter = message.subject.slice(subscribePrefix(stream).length + 1);
		return await forward(`${mirrorApi}.CONSUMER.CREATE.${stream}.${nameAndFilter}`, JSON.stringify(result.request));
	};
	const feedMirror = async (message: Msg): Promise<Uint8Array | string> =>
		source.safeParse(bodyOf(message)).success
			? await forward(`$JS.API.CONSUMER.CREATE.${stream}`, message.data)
			: refusal(400, badRequest, "request: only the stream's mirror may request a consumer here");

	const respondWith = (work: (message: Msg) => Promise<Uint8Array | string>) => (error: Error | null, message: Msg) => {
		// Without an account for subscribers, NATS refuses the subscription.
		if (error !== null || !message.reply) return;
		if (!limit.acquire()) return void message.respond(refusal(503, notAvailable, "too many requests at once"));
		work(message)
			.catch(() => refusal(503, notAvailable, "JetStream does not respond"))
			.then((response) => void message.respond(response))
			.catch(() => {})
			.finally(() => limit.release());
	};
	const subscriptions = [
		nats.subscribe(`${subscribePrefix(stream)}.>`, { queue: publisher, callback: respondWith(createConsumer) }),
		nats.subscribe(sourceSubject(stream), { queue: publisher, callback: respondWith(feedMirror) }),
	];
	await nats.flush();
	const mirror = keepMirror(bus, publisher, options);
	return {
		async [Symbol.asyncDispose]() {
			await mirror[Symbol.asyncDispose]();
			for (const subscription of subscriptions) subscription.unsubscribe();
			await limit.waitUntilIdle(responseTimeoutMs);
		},
	};
}

function bodyOf({ data }: Msg): unknown {
	if (data.length > subscriberLimits.requestBytes) return undefined;
	try {
		return JSON.parse(new TextDecoder().decode(data));
	} catch {
		return undefined;
	}
}

/** An error in JetStream's own format, so that clients report it. */
const refusal = (code: number, number: number, description: string): string =>
	JSON.stringify({
		type: "io.nats.jetstream.api.v1.consumer_create_response",
		error: { code, err_code: number, description },
	});
