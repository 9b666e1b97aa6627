/**
 * A subscriber that means harm. NATS asks for no permission for the subject of an answer: a subscriber can have JetStream publish, in the
 * subscribers' account, whatever it answers wherever it wants. None of it reaches a stream or a consumer of the services.
 */
import { AckPolicy, jetstream, jetstreamManager } from "@nats-io/jetstream";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ensureStream } from "#libs/bus/events/topology.ts";
import { publicPublishers, streamOf } from "#libs/contract/events/event.ts";
import { owners } from "#libs/contract/operation.ts";
import { eventually } from "../support/eventually.ts";
import { openWorld, type World } from "./support/subscribers.ts";

const stack = new AsyncDisposableStack();
let world: World;
const count = 500;
const streams = owners.map(streamOf);
let before: Awaited<ReturnType<typeof picture>>;

beforeAll(async () => {
	world = stack.use(await openWorld());
	for (const owner of publicPublishers) await world.publish(owner, count);
});
afterAll(() => stack.disposeAsync());
beforeEach(async () => {
	before = await picture();
});

/** The services' account: messages of each stream, and every consumer. */
async function picture() {
	const consumers: string[] = [];
	for (const stream of streams)
		for await (const { name, config, num_ack_pending } of world.streams.consumers.list(stream))
			consumers.push(`${stream} ${name} ${config.deliver_subject} ${num_ack_pending}`);
	return { counts: await world.counts(), consumers: consumers.sort() };
}

const subscriber = () => world.busOf("subscriber").nats;
const say = (subject: string, body: object, reply: string) =>
	subscriber().publish(subject, JSON.stringify(body), { reply });

/** A new consumer of the mirror of SIGNALS by that name. */
async function consumer(name: string, config: object = {}): Promise<void> {
	const manager = await jetstreamManager(subscriber(), { checkAPI: false });
	await manager.consumers.add("SIGNALS", { durable_name: name, ack_policy: "none", ...config });
}

const information = async (name: string) => await world.mirrors.consumers.info("SIGNALS", name);

/** Everything that was said has been acted upon when what is said afterwards has gone all the way. */
async function afterwards(): Promise<void> {
	await subscriber().flush();
	for (const owner of publicPublishers) {
		await world.publish(owner, 1);
		before.counts[streamOf(owner)] = (before.counts[streamOf(owner)] ?? 0) + 1;
	}
	expect(await picture()).toEqual(before);
}

test.each([
	"event.signals.news.recorded",
	"event.queue-ingest.project.changed",
	"rpc.billing.issueKey",
	"$JS.ACK.SIGNALS.scoring-record-news.1.1.1.1.0",
	"mirror.deliver.SIGNALS.x",
	"mirror.API.CONSUMER.CREATE.SIGNALS",
	"subscribe.SIGNALS.x",
	"$JS.FC.SIGNALS.x.y",
])("a read with %s as the reply subject reaches no stream of the services or of its own", async (reply) => {
	await consumer("loop");
	for (let i = 0; i < 10; i++) say("$JS.API.CONSUMER.MSG.NEXT.SIGNALS.loop", { batch: count, expires: 1e9 }, reply);
	await subscriber().flush();
	await information("loop");
	await afterwards();
	expect(await world.mirrored("signals")).toBe(before.counts.SIGNALS);
	await world.mirrors.consumers.delete("SIGNALS", "loop");
});

test("JetStream's reply to a subscriber cannot create a consumer at the services, nor a push consumer", async () => {
	// JetStream's reply about a consumer reads like a request for one.
	const config = { durable_name: "again", name: "again", ack_policy: "none" };
	const pushed = { name: "push", ack_policy: "none", deliver_subject: "event.queue-ingest.forged" };
	for (const reply of ["mirror.API.CONSUMER.CREATE.SIGNALS", "subscribe.QUEUE_INGEST.again", "$JS.FC.SIGNALS.a.b"]) {
		say("$JS.API.CONSUMER.CREATE.SIGNALS.again", { stream_name: "SIGNALS", config }, reply);
		say("$JS.API.CONSUMER.INFO.SIGNALS.again", {}, reply);
		say("$JS.API.STREAM.INFO.SIGNALS", {}, reply);
		say("$JS.API.CONSUMER.CREATE.SIGNALS.push", { stream_name: "SIGNALS", config: pushed }, reply);
		say("subscribe.SIGNALS.push", { stream_name: "SIGNALS", config: pushed }, reply);
	}
	await eventually(() => information("again"));
	await afterwards();
	for (const stream of publicPublishers.map(streamOf))
		for await (const { config } of world.mirrors.consumers.list(stream)) expect(config.deliver_subject).toBeUndefined();
	await world.mirrors.consumers.delete("SIGNALS", "again");
});

test("a subscriber cannot acknowledge a service's delivery", async () => {
	const filter_subject = "event.signals.news.recorded";
	const name = "scoring-record-news";
	await world.streams.consumers.add("SIGNALS", { durable_name: name, ack_policy: "explicit", filter_subject });
	const { nats } = world.busOf("signals");
	await nats.request(filter_subject, "{}");
	const durable = await jetstream(world.busOf("operator").nats).consumers.get("SIGNALS", name);
	const message = await durable.next({ expires: 20_000 });
	// The subject of an acknowledgement: `$JS.ACK.<stream>.<consumer>.<...>`.
	const { stream, deliveryCount, streamSequence, deliverySequence, timestampNanos, pending } =
		message?.info ?? expect.unreachable();
	const subject = [stream, name, deliveryCount, streamSequence, deliverySequence, timestampNanos, pending].join(".");
	subscriber().publish(`$JS.ACK.${subject}`, "+TERM");
	await subscriber().flush();
	await world.publish("signals", 1);
	expect((await world.streams.consumers.info("SIGNALS", name)).num_ack_pending).toBe(1);
	await world.streams.consumers.delete("SIGNALS", name);
});

test("a subscriber cannot delete a stream of the services; a deleted or replaced mirror is recreated with all its events", async () => {
	const empty = async (reply: string) =>
		say("$JS.API.CONSUMER.MSG.NEXT.SIGNALS.none", { batch: 1, no_wait: true }, reply);
	await consumer("none", { deliver_policy: "new" });
	// JetStream says "no messages" there, in an empty message: a request to delete. That it is acted upon, the last one shows.
	for (const stream of streams.filter((one) => one !== "SIGNALS"))
		for (const verb of ["PURGE", "DELETE", "LEADER.STEPDOWN"]) await empty(`$JS.API.STREAM.${verb}.${stream}`);
	await empty("$JS.API.CONSUMER.DELETE.SIGNALS.scoring-record-news");
	await empty("$JS.API.STREAM.DELETE.SIGNALS");
	await eventually(() =>
		information("none").then(
			() => false,
			() => true,
		),
	);
	// And a stream in the place of one.
	const config = { durable_name: "SIGNALS", ack_policy: AckPolicy.None };
	const manager = await jetstreamManager(subscriber(), { checkAPI: false });
	await eventually(() => manager.consumers.add("SIGNALS", config));
	say("$JS.API.CONSUMER.INFO.SIGNALS.SIGNALS", {}, "$JS.API.STREAM.UPDATE.SIGNALS");
	say("$JS.API.CONSUMER.INFO.SIGNALS.SIGNALS", {}, "$JS.API.STREAM.CREATE.another");
	await afterwards();
	for (const owner of publicPublishers) {
		await eventually(async () => (await world.mirrored(owner)) === before.counts[streamOf(owner)]);
		expect((await world.mirrors.streams.info(streamOf(owner))).state.last_seq).toBe(before.counts[streamOf(owner)]);
	}
	const names: string[] = [];
	for await (const name of world.mirrors.streams.names()) names.push(name);
	expect(names.sort()).toEqual(publicPublishers.map(streamOf).sort());
});

test("when a stream of the services is lost, its mirror restarts with it", async () => {
	await world.streams.streams.delete("SIGNALS");
	await ensureStream(world.busOf("signals"), "signals", { maxAgeHours: 1 });
	await world.publish("signals", 3);
	expect((await world.mirrors.streams.info("SIGNALS")).state).toMatchObject({ first_seq: 1, last_seq: 3, messages: 3 });
});
