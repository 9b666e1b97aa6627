/** Events in a cluster of three NATS servers: each is there once, in order, whichever node is killed. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Bus } from "#libs/bus/connect.ts";
import { react } from "#libs/bus/events/react.ts";
import { type Relay, relay } from "#libs/bus/events/relay.ts";
import { ensureStream } from "#libs/bus/events/topology.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { schema, snapshotApplied, sqlOf } from "../bus/parties.ts";
import { commitFacts, countStored, numbersStored, upTo } from "../bus/stored.ts";
import { createDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { type NatsCluster, startCluster } from "./support/nats-cluster.ts";

const stream = "QUEUE_INGEST";
const resources = new AsyncDisposableStack();
let cluster: NatsCluster;
let bus: Bus;
let sql: Sql;
let sending: Relay;
const warnings: string[] = [];
let copiesAtFirst = 0;

/** The tests come one after another: each adds facts to those before, and leaves the cluster whole. */
beforeAll(async () => {
	cluster = resources.use(await startCluster());
	const database = resources.use(await createDatabase());
	sql = resources.use(sqlOf(database.url));
	// A new database has the register of developers to tell.
	await sql`delete from outbox`;
	await sql`create table effects (number int not null)`;
	const log = { info() {}, warn: (_: object, message: string) => void warnings.push(message), error() {} };
	bus = resources.use(await cluster.busOf("queue-ingest", log));
	// The process that needs it first makes the stream, with its copies.
	resources.use(await countEffects());
	copiesAtFirst = (await cluster.stream(stream)).config.num_replicas;
	await ensureStream(bus, "queue-ingest");
	sending = resources.use(relay(bus, sql, schema, { batch: 20, ackTimeoutMs: 1_000 }));
});
afterAll(() => resources.disposeAsync());

const sent = () => eventually(async () => (await sending.pending()) === 0, { withinMs: 25_000 });

/** Behaves as a reaction of a service that has none: the durable is scoring's. */
async function countEffects(): Promise<AsyncDisposable> {
	const scoring = await cluster.busOf("operator");
	const reacting = await react(scoring, sql, {
		service: "scoring",
		name: "count-effects",
		event: snapshotApplied,
		batch: 50,
		retryMs: () => 100,
		handler: async (tx, events) => {
			await tx`insert into effects select * from unnest(${events.map(({ rows }) => rows)}::int[])`;
		},
	});
	return {
		async [Symbol.asyncDispose]() {
			await reacting[Symbol.asyncDispose]();
			await scoring[Symbol.asyncDispose]();
		},
	};
}

/** A leader that has just been chosen may still be taking in what it has agreed to: it is asked until it says all of it. */
const stored = (numbers: number[]) =>
	eventually(
		async () => {
			expect(await numbersStored(cluster.operator)).toEqual(numbers);
			return true;
		},
		{ withinMs: 30_000 },
	);

/** The first facts, each once. */
const hadEffect = (count: number) =>
	eventually(
		async () => {
			const rows = await sql<{ number: number }[]>`select number from effects order by number`;
			expect(rows.map(({ number }) => number)).toEqual(upTo(count));
			return true;
		},
		{ withinMs: 20_000 },
	);

test("a stream and its durables have three replicas, whichever process creates it", async () => {
	expect(copiesAtFirst).toBe(3);
	await cluster.whole(stream);
	const durable = await cluster.manager.consumers.info(stream, "scoring-count-effects");
	expect(durable.cluster?.replicas).toHaveLength(2);
	await commitFacts(sql, 0, 100);
	await sent();
	await stored(upTo(100));
	await hadEffect(100);
});

test("if the stream's leader is killed, each event is stored once, in order, has one effect, and the node catches up", async () => {
	const leader = await cluster.leaderOf(stream);
	await commitFacts(sql, 100, 800);
	await eventually(async () => (await countStored(cluster.operator)) > 150);
	await leader.kill();
	expect(await sending.pending()).toBeGreaterThan(0);
	await sent();
	await hadEffect(800);
	await leader.start();
	await cluster.whole(stream);
	await stored(upTo(800));
	await hadEffect(800);
});

test("if two of three nodes are killed, events wait in the outbox, and are published in order when one is back", async () => {
	const [first, second] = cluster.nodes;
	await first?.kill();
	await second?.kill();
	await eventually(() => bus.connected);
	warnings.length = 0;
	await commitFacts(sql, 800, 840);
	const refused = ["events are not acknowledged", "the stream does not respond"];
	await eventually(() => warnings.some((warning) => refused.includes(warning)));
	expect(await sending.pending()).toBe(40);
	await first?.start();
	await sent();
	await second?.start();
	await cluster.whole(stream);
	await stored(upTo(840));
	await hadEffect(840);
});

test("a service that starts while the cluster has no quorum waits for it", async () => {
	const [first, second] = cluster.nodes;
	await first?.kill();
	await second?.kill();
	const signals = resources.use(await cluster.busOf("signals"));
	const made = ensureStream(signals, "signals", { replicas: 3 });
	await first?.start();
	await second?.start();
	await made;
	await cluster.whole("SIGNALS");
	await cluster.whole(stream);
});

test("a stream recreated with one replica gets its recent events again, then three replicas", async () => {
	await cluster.manager.streams.delete(stream);
	await ensureStream(bus, "queue-ingest", { replicas: 1 });
	await commitFacts(sql, 840, 890);
	await sent();
	await hadEffect(890);
	expect((await cluster.stream(stream)).config.num_replicas).toBe(1);

	await ensureStream(bus, "queue-ingest", { replicas: 3 });
	await cluster.whole(stream);
	await eventually(async () => {
		const durable = await cluster.manager.consumers.info(stream, "scoring-count-effects");
		return durable.cluster?.replicas?.length === 2;
	});
	const leader = await cluster.leaderOf(stream);
	await leader.kill();
	await commitFacts(sql, 890, 940);
	await sent();
	await leader.start();
	await cluster.whole(stream);
	await stored(upTo(940));
	await hadEffect(940);
});
