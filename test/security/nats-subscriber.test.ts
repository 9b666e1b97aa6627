/** An external subscriber reads the event streams at NATS in an account of its own, and can do nothing else. */
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { relay } from "#libs/bus/events/relay.ts";
import { mirrorApi, subscriberLimits } from "#libs/bus/mirror/mirror-wire.ts";
import { publicPublishers, streamOf, subjectOf } from "#libs/contract/events/event.ts";
import { snapshotApplied } from "#libs/contract/events/queue-ingest.ts";
import { events, type OperationName, operations, requestSubject, versionSubject } from "#libs/contract/index.ts";
import { owners } from "#libs/contract/operation.ts";
import { publish } from "#libs/postgres/events/outbox.ts";
import { services } from "../../deploy/local/services.ts";
import { fact, schema, sqlOf } from "../bus/parties.ts";
import { createDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { callsOn, declared, inOrder, published, received, serverCalls, streamCalls } from "./support/nats-rights.ts";
import { allowed, mapped, openWorld, type World } from "./support/subscribers.ts";

const stack = new AsyncDisposableStack();
let world: World;
const subscriber = () => world.busOf("subscriber");
const open = publicPublishers.map(streamOf);
const count = 300;

beforeAll(async () => {
	world = stack.use(await openWorld(60_000));
	for (const owner of publicPublishers) await world.publish(owner, count);
});
afterAll(() => stack.disposeAsync());

test("a subscriber reads each open stream from its start by durable or ephemeral consumers, with redelivery", async () => {
	const js = jetstream(subscriber().nats);
	const manager = await jetstreamManager(subscriber().nats, { checkAPI: false });
	for (const owner of publicPublishers) {
		const [stream, subject] = [streamOf(owner), `event.${owner}.thing.happened`];
		await manager.consumers.add(stream, {
			durable_name: "mine",
			ack_policy: "explicit",
			ack_wait: 200_000_000,
			filter_subject: subject,
		});
		const lasting = await js.consumers.get(stream, "mine");
		const first = await lasting.next({ expires: 20_000 });
		expect(first?.json()).toMatchObject({ i: 0 });
		expect(await first?.ackAck()).toBe(true);
		const second = await lasting.next({ expires: 20_000 });
		const again = await eventually(() => lasting.next({ expires: 20_000 }).then((one) => one?.redelivered && one));
		expect([second?.subject, again.seq, again.headers]).toEqual([subject, second?.seq, second?.headers]);
		const seen: number[] = [];
		const ordered = await js.consumers.get(stream, { filter_subjects: subject });
		for await (const message of await ordered.consume()) {
			seen.push(message.json<{ i: number }>().i);
			if (seen.length === count) break;
		}
		await ordered.delete();
		expect(seen).toEqual(Array.from({ length: count }, (_, i) => i));
		expect((await manager.consumers.info(stream, "mine")).ack_floor.stream_seq).toBe(first?.seq);
		expect(await manager.consumers.delete(stream, "mine")).toBe(true);
	}
});

test("a subscriber sends no request, publishes nothing, and receives only its own inbox", async () => {
	const subjects = [
		...(Object.keys(operations) as OperationName[]).map(requestSubject),
		...Object.values(events).map(subjectOf),
		...owners.map(versionSubject),
		...[...services.map(({ name }) => name), "subscriber"].map((name) => `_INBOX.${name}.secret`),
		...open.flatMap((stream) => [`mirror.deliver.${stream}.x`, `mirror.API.CONSUMER.CREATE.${stream}`]),
		"_R_.x",
	];
	expect(await allowed(subscriber(), subjects)).toEqual([]);
	expect(await published(world.busOf("operator"), subscriber(), subjects)).toEqual([]);
	const wider = owners.flatMap((owner) => [`rpc.${owner}.>`, `event.${owner}.>`, versionSubject(owner)]);
	const inboxes = services.map(({ name }) => `_INBOX.${name}.>`);
	const all = [">", "event.>", "rpc.>", "version.>", "_INBOX.>", "_R_.>", "mirror.>", "$JS.>", "$JS.ACK.>", "$SYS.>"];
	expect(await received(subscriber(), [...all, ...wider, ...inboxes, "_INBOX.subscriber.>"])).toEqual([
		"_INBOX.subscriber.>",
	]);
});

test("a subscriber may read the open streams, and create, read and delete their consumers", async () => {
	const mine = open.map((stream) => ({ stream, durable: "mine", filter: "event.x.thing.happened" }));
	const closed = ["BILLING", "GATEWAY"].map((stream) => ({ stream, durable: "mine", filter: "event.x.y" }));
	const everything = [...streamCalls, ...[...mine, ...closed, ...declared].flatMap(callsOn), ...serverCalls];
	const consumers = [...mine, ...declared.filter(({ stream }) => open.includes(stream))];
	const made = consumers.flatMap(callsOn).filter((call) => mapped(call).startsWith("subscribe."));
	const information = open.map((stream) => `$JS.API.STREAM.INFO.${stream}`);
	expect(await allowed(subscriber(), everything)).toEqual(
		inOrder([...information, ...consumers.flatMap(callsOn).filter((call) => !/DURABLE|STEPDOWN|PAUSE/.test(call))]),
	);
	// The services' name for it does not exist here, and requests for consumers do not get past the check.
	const others = everything
		.map((call) => call.replace("$JS.API", mirrorApi))
		.filter((call) => call.startsWith(mirrorApi));
	expect((await allowed(subscriber(), others)).filter((call) => !/CONSUMER.(INFO|DELETE|MSG.NEXT)/.test(call))).toEqual(
		inOrder(information.map((call) => call.replace("$JS.API", mirrorApi))),
	);
	const arriving = inOrder(made.map(mapped));
	expect(await published(world.busOf("operator"), subscriber(), [...everything, ...others, ...arriving])).toEqual(
		arriving,
	);
});

test("a consumer with a service's name belongs to the mirror, and the service's is unchanged", async () => {
	const manager = await jetstreamManager(subscriber().nats, { checkAPI: false });
	const name = "scoring-copy-projects";
	await manager.consumers.add("QUEUE_INGEST", { durable_name: name, ack_policy: "none" });
	await expect(world.streams.consumers.info("QUEUE_INGEST", name)).rejects.toThrow(/not found/);
	expect(await manager.consumers.delete("QUEUE_INGEST", name)).toBe(true);
});

test.each([
	["deliver_subject", { deliver_subject: "event.queue-ingest.forged" }],
	["deliver_group", { deliver_group: "x" }],
	["max_waiting", { max_waiting: 2 ** 50 }],
	["max_ack_pending", { ack_policy: "explicit", max_ack_pending: 1_000_000 }],
	["backoff", { backoff: Array.from({ length: 1_000 }, () => 1e9) }],
	["description", { description: "x".repeat(4_000) }],
	["name", { name: "a".repeat(200) }],
	["filter_subject", { filter_subject: ">" }],
	["inactive_threshold", { inactive_threshold: 1e18 }],
	["sample_freq", { sample_freq: "100%" }],
])(
	"a consumer with a forbidden %s is refused with the field's name, without stopping the server",
	async (field, config) => {
		const body = { stream_name: "SIGNALS", config: { name: "wrong", ack_policy: "none", ...config } };
		const answer = await subscriber().nats.request("$JS.API.CONSUMER.CREATE.SIGNALS.wrong", JSON.stringify(body));
		expect(answer.json()).toMatchObject({ error: { code: 400, description: expect.stringContaining(field) } });
		expect((await world.mirrors.streams.info("SIGNALS")).state.consumer_count).toBe(0);
	},
);

test("consumers and their unacknowledged messages are limited", async () => {
	const manager = await jetstreamManager(subscriber().nats, { checkAPI: false });
	const { consumers, ackPending } = subscriberLimits;
	for (let i = 0; i < consumers; i++)
		await manager.consumers.add("SCORING", { durable_name: `mine-${i}`, ack_policy: "explicit" });
	await expect(manager.consumers.add("SCORING", { durable_name: "more", ack_policy: "explicit" })).rejects.toThrow(
		/maximum consumers/,
	);
	expect((await manager.consumers.info("SCORING", "mine-0")).config).toMatchObject({
		max_ack_pending: ackPending,
		max_waiting: subscriberLimits.waiting,
	});
	for (let i = 0; i < consumers; i++) await manager.consumers.delete("SCORING", `mine-${i}`);
});

/** On its way from the outbox through the relay, the stream and its mirror. */
test("a subscriber gets CloudEvents in binary mode: attributes in the headers, the payload as it was published", async () => {
	await using database = await createDatabase();
	await using sql = sqlOf(database.url);
	// A new database has the register of developers to tell.
	await sql`delete from outbox`;
	await using _ = relay(world.busOf("queue-ingest"), sql, schema);
	const event = fact(7, "snapshot.applied:PJM queue:7:1");
	await sql.begin((tx) => publish(tx, snapshotApplied, event));
	await eventually(async () => (await world.mirrored("queue-ingest")) === count + 1);
	const consumer = await jetstream(world.busOf("subscriber").nats).consumers.get("QUEUE_INGEST", {
		filter_subjects: "event.queue-ingest.snapshot.applied",
	});
	const message = await consumer.next({ expires: 20_000 });
	await consumer.delete();
	expect(message?.json()).toEqual(event);
	const headers = Object.fromEntries(
		(message?.headers?.keys() ?? []).map((name) => [name, message?.headers?.get(name)]),
	);
	expect(headers).toEqual({
		"Nats-Msg-Id": event.id,
		"Nats-Expected-Last-Sequence": String(count),
		"ce-specversion": "1.0",
		"ce-id": "snapshot.applied:PJM%20queue:7:1",
		"ce-source": "/queue-ingest",
		"ce-type": "queue-ingest.snapshot.applied",
		"ce-time": event.occurred_at,
		"ce-subject": "PJM%20queue:7",
		"ce-datacontenttype": "application/json",
	});
});
