/** Each service's user at NATS, on a real server: it may do all that its work takes, and nothing in another's name. */
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Bus, connectBus } from "#libs/bus/connect.ts";
import { ensureStream } from "#libs/bus/events/topology.ts";
import { requestJson } from "#libs/bus/requests/request.ts";
import { serve } from "#libs/bus/requests/serve.ts";
import { publicPublishers, streamOf, subjectOf } from "#libs/contract/events/event.ts";
import { events, type OperationName, operations, requestSubject, versionSubject } from "#libs/contract/index.ts";
import { owners } from "#libs/contract/operation.ts";
import { connect } from "#libs/postgres/connect.ts";
import { type Service, services } from "../../deploy/local/services.ts";
import { operations as billingOperations } from "../../services/billing/operations/index.ts";
import { startReactions as billing } from "../../services/billing/reactions/record-usage.ts";
import { startReactions as queueIngest } from "../../services/queue-ingest/reactions.ts";
import { startReactions as scoring } from "../../services/scoring/reactions/index.ts";
import { startReactions as signals } from "../../services/signals/reactions.ts";
import { startReactions as subscriptions } from "../../services/subscriptions/reactions/queue-usage.ts";
import { createDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { startNats } from "../support/servers.ts";
import { silent } from "../support/silent.ts";
import {
	callsOn,
	declared,
	inOrder,
	published,
	received,
	serverCalls,
	streamCalls,
	streams,
} from "./support/nats-rights.ts";

const startReactions: Record<string, typeof billing> = {
	"queue-ingest": queueIngest,
	signals,
	scoring,
	billing,
	subscriptions,
};
const stack = new AsyncDisposableStack();
const buses = new Map<string, Bus>();
let url: string;
/** May do everything. */
let operator: Bus;

beforeAll(async () => {
	const nats = stack.use(await startNats());
	url = nats.url;
	const open = async (name: string) => stack.use(await connectBus({ url, name, log: silent, ...nats.login(name) }));
	operator = await open("operator");
	for (const { name } of services) buses.set(name, await open(name));
});
afterAll(() => stack.disposeAsync());

function busOf(service: string): Bus {
	const bus = buses.get(service);
	if (bus === undefined) throw new Error(`${service} has no user`);
	return bus;
}

test("with its own privileges each service creates its stream and its declared durables", async () => {
	await using resources = new AsyncDisposableStack();
	// The order is free: a consumer of an event creates its stream.
	for (const { name } of [...services].reverse()) {
		const start = startReactions[name];
		if (start === undefined) continue;
		const database = resources.use(await createDatabase(name));
		const sql = resources.use(connect(database.url, { schema: "public", name: "rights", max: 2 }));
		for (const reacting of await start(busOf(name), sql)) resources.use(reacting);
	}
	for (const owner of owners) await ensureStream(busOf(owner), owner, { maxAgeHours: 1 });
	const manager = await jetstreamManager(operator.nats);
	const made: string[] = [];
	for (const stream of streams)
		for await (const { name, config } of manager.consumers.list(stream))
			made.push(`${stream} ${name} ${config.filter_subject}`);
	expect(made.sort()).toEqual(declared.map(({ stream, durable, filter }) => `${stream} ${durable} ${filter}`).sort());
});

const open = publicPublishers.map(streamOf);
const everyCall = [...streamCalls, ...declared.flatMap(callsOn), ...serverCalls];

/** Operations that services beside the gateway request: subscriptions follows the log and has saved statements checked, queue-ingest shows scores of past days. */
const asks: Partial<Record<string, OperationName[]>> = {
	subscriptions: ["readNewestSeq", "listChanges", "listProjects", "checkStatement"],
	"queue-ingest": ["readScoresOn", "readOrigins", "sumActiveCredits", "summariseCosts"],
};

const askers = (owner: string): string[] =>
	Object.entries(asks).flatMap(([asker, names]) =>
		names?.some((name) => operations[name].owner === owner) ? [asker] : [],
	);

function callsOf({ name, consumes = {} }: Service): string[] {
	const own = streams.filter((stream) => stream === name.toUpperCase().replaceAll("-", "_"));
	const consumed = Object.values(consumes).map(({ publisher }) => streamOf(publisher));
	return inOrder([
		...own.flatMap((stream) => ["INFO", "CREATE", "UPDATE"].map((verb) => `$JS.API.STREAM.${verb}.${stream}`)),
		// The mirror of the stream needs this.
		...own.filter((stream) => open.includes(stream)).map((stream) => `$JS.API.CONSUMER.CREATE.${stream}`),
		...(name === "gateway" ? ["SIGNALS", "SCORING"].map((stream) => `$JS.API.STREAM.MSG.GET.${stream}`) : []),
		...consumed.flatMap((stream) => ["INFO", "CREATE"].map((verb) => `$JS.API.STREAM.${verb}.${stream}`)),
		...declared
			.filter(({ service }) => service === name)
			.flatMap(({ stream, durable, filter }) => [
				`$JS.API.CONSUMER.INFO.${stream}.${durable}`,
				`$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`,
				`$JS.API.CONSUMER.DELETE.${stream}.${durable}`,
				`$JS.API.CONSUMER.CREATE.${stream}.${durable}.${filter}`,
				`$JS.ACK.${stream}.${durable}.1.1.1.1.0`,
			]),
	]);
}

describe.each(services.map((service) => ({ name: service.name, service })))("$name", ({ name, service }) => {
	const isGateway = name === "gateway";

	test("sends requests only as the gateway, or for data that its replies need", async () => {
		const subjects = (Object.keys(operations) as OperationName[]).map(requestSubject);
		const subjectsOfRequests = (asks[name] ?? []).map(requestSubject);
		expect(await published(operator, busOf(name), subjects)).toEqual(
			inOrder(isGateway ? subjects : subjectsOfRequests),
		);
	});

	test("publishes its own events and its own data version, and no other's", async () => {
		const subjects = [...Object.values(events).map(subjectOf), ...owners.map(versionSubject)];
		const own = subjects.filter((subject) => subject.split(".")[1] === name);
		expect(await published(operator, busOf(name), subjects)).toEqual(inOrder(own));
	});

	test("replies to the inboxes of requesters, and reads only its own inbox", async () => {
		const inboxes = services.map((other) => `_INBOX.${other.name}.secret`);
		const gateways = "_INBOX.gateway.secret";
		expect(await published(operator, busOf(name), [...inboxes, "_INBOX.secret"])).toEqual(
			isGateway
				? inOrder(inboxes.filter((inbox) => inbox !== gateways))
				: inOrder([gateways, ...askers(name).map((asker) => `_INBOX.${asker}.secret`)]),
		);
		expect(await received(busOf(name), [...services.map((other) => `_INBOX.${other.name}.>`), "_INBOX.>"])).toEqual([
			`_INBOX.${name}.>`,
		]);
	});

	test("receives its requests, and other subjects only as declared", async () => {
		const subjects = [
			...owners.flatMap((owner) => [`rpc.${owner}.>`, `event.${owner}.>`, versionSubject(owner)]),
			...[
				"event.billing.key.changed",
				"event.queue-ingest.change.recorded",
				">",
				"rpc.>",
				"event.>",
				"$JS.>",
				"$JS.API.>",
				"$JS.ACK.>",
				"$SYS.>",
			],
		];
		const streamed = ["event.scoring.>", "event.signals.>"];
		const wakes = name === "subscriptions" ? [versionSubject("queue-ingest")] : [];
		const more = isGateway ? ["event.billing.key.changed", ...streamed, ...owners.map(versionSubject)] : wakes;
		expect(await received(busOf(name), subjects)).toEqual(inOrder([`rpc.${name}.>`, ...more]));
	});

	test("reaches only its own stream and durables, and cannot delete, purge or read a stream", async () => {
		expect(await published(operator, busOf(name), everyCall)).toEqual(callsOf(service));
	});
});

describe("a durable that a service may create", () => {
	const place = "QUEUE_INGEST.scoring-copy-projects.event.queue-ingest.project.changed";
	const wanted = {
		durable_name: "scoring-copy-projects",
		name: "scoring-copy-projects",
		filter_subject: "event.queue-ingest.project.changed",
		ack_policy: "explicit",
	};

	test.each([
		["turned to other events", { ...wanted, filter_subject: "event.queue-ingest.>" }, "QUEUE_INGEST"],
		[
			"another service's",
			{ ...wanted, durable_name: "signals-copy-projects", name: "signals-copy-projects" },
			"QUEUE_INGEST",
		],
		["of another stream", wanted, "BILLING"],
	])("cannot be %s by the content of the request", async (_what, config, stream) => {
		for (const owner of owners) await ensureStream(busOf(owner), owner);
		const { nats } = busOf("scoring");
		const body = JSON.stringify({ stream_name: stream, config, action: "" });
		const answer = await nats.request(`$JS.API.CONSUMER.CREATE.${place}`, body, { timeout: 20_000 });
		expect(answer.json()).toMatchObject({ error: { code: 400 } });
		const right = JSON.stringify({ stream_name: "QUEUE_INGEST", config: wanted, action: "" });
		expect((await nats.request(`$JS.API.CONSUMER.CREATE.${place}`, right)).json()).toMatchObject({
			name: "scoring-copy-projects",
		});
	});
});

test("messages that JetStream republishes to a subject of requests are not requests", async () => {
	await using database = await createDatabase("billing");
	await using sql = connect(database.url, { schema: "billing", name: "rights", max: 2 });
	await using _serving = await serve(busOf("billing"), "billing", billingOperations({ sql, now: () => new Date() }));
	const manager = await jetstreamManager(operator.nats);
	await manager.streams.delete("SCORING").catch(() => false);
	// An attacker in a service who makes its stream can have it republish, elsewhere, what is put into it.
	await jetstreamManager(busOf("scoring").nats, { checkAPI: false }).then(({ streams }) =>
		streams.add({
			name: "SCORING",
			subjects: ["event.scoring.>"],
			republish: { src: "event.scoring.>", dest: "rpc.billing.>" },
		}),
	);
	const consumed: string[] = [];
	const listening = operator.nats.subscribe(requestSubject("issueKey"), {
		callback: (_error, message) => void consumed.push(message.string()),
	});
	await operator.nats.flush();
	const askFor = (email: string, digit: string) => ({ email, name: null, sha256: digit.repeat(64), hint: "pk_x" });
	const params = JSON.stringify(askFor("forged@example.org", "0"));
	await jetstream(busOf("scoring").nats).publish("event.scoring.issueKey", params);
	await eventually(() => consumed.includes(params));
	listening.unsubscribe();
	await busOf("billing").nats.flush();
	expect(await requestJson(busOf("gateway"), "issueKey", askFor("asked@example.org", "1"))).toBeDefined();
	expect(await sql`select registered_email from accounts`).toEqual([{ registered_email: "asked@example.org" }]);
});

test("no client logs in without a password, or with a wrong one", async () => {
	for (const login of [
		{},
		{ user: "gateway" },
		{ user: "gateway", password: "" },
		{ user: "operator", password: "wrong" },
	])
		await expect(connectBus({ url, name: "gateway", log: silent, ...login }), JSON.stringify(login)).rejects.toThrow(
			/authorization/i,
		);
});
