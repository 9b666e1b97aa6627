/** What who reads the event streams from outside may do at NATS: that, and nothing else. */
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Bus, connectBus } from "#libs/bus/connect.ts";
import { serve } from "#libs/bus/serve.ts";
import { ensureStream } from "#libs/bus/topology.ts";
import { streamOf, subjectOf } from "#libs/contract/event.ts";
import { events, type OperationName, operations, requestSubject, versionSubject } from "#libs/contract/index.ts";
import { owners } from "#libs/contract/operation.ts";
import { connect } from "#libs/postgres/connect.ts";
import { services } from "../../deploy/local/services.ts";
import { operations as billingOperations } from "../../services/billing/operations/index.ts";
import { createDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { startNats } from "../support/servers.ts";
import { silent } from "../support/silent.ts";
import { callsOn, declared, heard, inOrder, published, serverCalls, streamCalls } from "./support/nats-rights.ts";

const stack = new AsyncDisposableStack();
const buses = new Map<string, Bus>();
const open = ["QUEUE_INGEST", "SIGNALS", "SCORING"];
const changed = subjectOf(events.projectChanged);

beforeAll(async () => {
	const nats = stack.use(await startNats());
	for (const name of ["operator", "subscriber", ...services.map((service) => service.name)])
		buses.set(name, stack.use(await connectBus({ url: nats.url, name, log: silent, ...nats.login(name) })));
	for (const owner of owners) await ensureStream(busOf(owner), owner, { maxAgeHours: 1 });
});
afterAll(() => stack.disposeAsync());

function busOf(user: string): Bus {
	const bus = buses.get(user);
	if (bus === undefined) throw new Error(`there is no user ${user}`);
	return bus;
}
const asked = async (subject: string, body: object) =>
	(await busOf("subscriber").nats.request(subject, JSON.stringify(body), { timeout: 5_000 })).json();

test("reads each open stream by consumers of its own, lasting or not, and leaves them behind nowhere", async () => {
	const js = jetstream(busOf("subscriber").nats);
	const manager = await jetstreamManager(busOf("subscriber").nats, { checkAPI: false });
	for (const owner of ["queue-ingest", "signals", "scoring"] as const) {
		const [stream, subject] = [streamOf(owner), `event.${owner}.something.told`];
		await jetstream(busOf(owner).nats).publish(subject, JSON.stringify({ owner }));
		await manager.consumers.add(stream, { durable_name: "mine", ack_policy: "explicit", filter_subject: subject });
		const lasting = await js.consumers.get(stream, "mine");
		const message = await lasting.next({ expires: 5_000 });
		expect(message?.json()).toEqual({ owner });
		expect(await message?.ackAck()).toBe(true);
		const ordered = await js.consumers.get(stream, { filter_subjects: subject });
		expect((await ordered.next({ expires: 5_000 }))?.json()).toEqual({ owner });
		expect(await manager.consumers.delete(stream, "mine")).toBe(true);
	}
});

describe("beyond that", () => {
	const mine = open.map((stream) => ({ stream, durable: "mine", filter: changed }));
	const closed = ["BILLING", "GATEWAY"].map((stream) => ({ stream, durable: "mine", filter: changed }));

	test("it asks nobody, tells nobody anything, and hears its own inbox alone", async () => {
		const subjects = [
			...(Object.keys(operations) as OperationName[]).map(requestSubject),
			...Object.values(events).map(subjectOf),
			...owners.map(versionSubject),
			...[...services.map(({ name }) => name), "subscriber"].map((name) => `_INBOX.${name}.secret`),
		];
		expect(await published(busOf("operator"), busOf("subscriber"), subjects)).toEqual([]);
		const wider = owners.flatMap((owner) => [`rpc.${owner}.>`, `event.${owner}.>`, versionSubject(owner)]);
		const inboxes = services.map(({ name }) => `_INBOX.${name}.>`);
		const all = [
			">",
			"event.>",
			"rpc.>",
			"version.>",
			"_INBOX.>",
			"$JS.>",
			"$JS.ACK.>",
			"$SYS.>",
			...wider,
			...inboxes,
		];
		expect(await heard(busOf("subscriber"), [...all, "_INBOX.subscriber.>"])).toEqual(["_INBOX.subscriber.>"]);
	});

	test("it reaches no private stream, no service's consumer, and makes, empties or lists no stream", async () => {
		const everything = [...streamCalls, ...[...mine, ...closed, ...declared].flatMap(callsOn), ...serverCalls];
		const allowed = [
			...open.map((stream) => `$JS.API.STREAM.INFO.${stream}`),
			...mine.flatMap(callsOn).filter((call) => !/DURABLE|STEPDOWN|PAUSE/.test(call)),
		];
		expect(await published(busOf("operator"), busOf("subscriber"), everything)).toEqual(inOrder(allowed));
	});
});

describe("what its request says beside the subject", () => {
	const config = { ack_policy: "explicit", filter_subject: changed };

	test.each([
		["consumer of a service", "QUEUE_INGEST", "scoring-copy-projects"],
		["private stream", "BILLING", "mine"],
	])("gets it no %s", async (_what, stream, name) => {
		const body = { stream_name: stream, config: { ...config, name, durable_name: name }, action: "" };
		for (const subject of [`mine.${changed}`, "mine"])
			expect(await asked(`$JS.API.CONSUMER.CREATE.QUEUE_INGEST.${subject}`, body)).toMatchObject({
				error: { code: 400 },
			});
		const manager = await jetstreamManager(busOf("operator").nats);
		const found: string[] = [];
		for await (const consumer of manager.consumers.list(stream)) found.push(consumer.name);
		expect(found).not.toContain(name);
	});

	test("gets no event to where requests arrive", async () => {
		await using database = await createDatabase("billing");
		await using sql = connect(database.url, { schema: "billing", name: "rights", max: 2 });
		await using _serving = await serve(busOf("billing"), "billing", billingOperations({ sql, now: () => new Date() }));
		const told: string[] = [];
		const listening = busOf("operator").nats.subscribe(requestSubject("issueKey"), {
			callback: (_error, message) => void told.push(message.string()),
		});
		await busOf("operator").nats.flush();
		const push = { name: "push", deliver_subject: requestSubject("issueKey"), filter_subject: "event.signals.forged" };
		const body = { stream_name: "SIGNALS", config: { ...push, ack_policy: "none", deliver_policy: "all" } };
		await asked("$JS.API.CONSUMER.CREATE.SIGNALS.push.event.signals.forged", body);
		const forged = JSON.stringify({ email: "forged@example.org", name: null, sha256: "0".repeat(64), hint: "pk_x" });
		await jetstream(busOf("signals").nats).publish("event.signals.forged", forged);
		await eventually(() => told.includes(forged));
		listening.unsubscribe();
		await busOf("billing").nats.flush();
		expect(await sql`select email from accounts`).toEqual([]);
	});
});
