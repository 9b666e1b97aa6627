import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { jetstream } from "@nats-io/jetstream";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Bus } from "#libs/bus/connect.ts";
import { react } from "#libs/bus/events/react.ts";
import { type Relay, relay } from "#libs/bus/events/relay.ts";
import { ensureStream } from "#libs/bus/events/topology.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { createDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { busOf, schema, snapshotApplied, sqlOf } from "./parties.ts";
import { type MortalNats, mortalNats } from "./servers.ts";
import { commitFacts, countStored, numbersStored, upTo } from "./stored.ts";

const resources = new AsyncDisposableStack();
let nats: MortalNats;
let database: TestDatabase;
let bus: Bus;
let operator: Bus;
let sql: Sql;

beforeAll(async () => {
	nats = resources.use(await mortalNats());
	database = resources.use(await createDatabase());
	sql = resources.use(sqlOf(database.url));
	bus = resources.use(await busOf(nats.url, "queue-ingest"));
	operator = resources.use(await busOf(nats.url, "operator"));
});
afterAll(() => resources.disposeAsync());
beforeEach(async () => {
	await eventually(() => bus.connected && operator.connected);
	const manager = await jetstream(operator.nats).jetstreamManager();
	await manager.streams.delete("QUEUE_INGEST").catch(() => false);
	await sql`truncate outbox, published_events, inbox, dead_letters`;
	await ensureStream(bus, "queue-ingest");
});

const emptied = (one: Relay) => eventually(async () => (await one.pending()) === 0, { withinMs: 20_000 });

test("committed events are in the stream once, in outbox order, and deleted from the outbox", async () => {
	await using one = relay(bus, sql, schema);
	await commitFacts(sql, 0, 1_200);
	await emptied(one);
	expect(await numbersStored(operator)).toEqual(upTo(1_200));
});

test("a commit wakes the relay before its next poll", async () => {
	await using one = relay(bus, sql, schema, { pollMs: 3_600_000 });
	await eventually(() => one.active);
	await commitFacts(sql, 0, 1);
	await emptied(one);
});

test("events that are rolled back are never published", async () => {
	await using one = relay(bus, sql, schema);
	await expect(
		sql.begin(async (tx) => {
			await tx`insert into outbox (event_id, subject, payload) values ('x', 'event.queue-ingest.snapshot.applied', '{}')`;
			throw new Error("changed my mind");
		}),
	).rejects.toThrow();
	await commitFacts(sql, 0, 1);
	await emptied(one);
	expect(await numbersStored(operator)).toEqual([0]);
});

test("after a relay is killed another takes over, and each event is in the stream once, in order", async () => {
	await commitFacts(sql, 0, 2_000);
	const child = spawnRelay();
	await eventually(async () => (await countStored(operator)) > 100);
	child.kill("SIGKILL");
	await once(child, "exit");
	expect(await countStored(operator)).toBeLessThan(2_000);
	await using one = relay(bus, sql, schema, { takeoverMs: 50 });
	await emptied(one);
	expect(await numbersStored(operator)).toEqual(upTo(2_000));
});

test("after NATS is killed and back each event is in the stream once, in order", async () => {
	await using one = relay(bus, sql, schema, { batch: 20, ackTimeoutMs: 500 });
	await commitFacts(sql, 0, 2_000);
	await eventually(async () => (await countStored(operator)) > 100);
	await nats.kill();
	await nats.start();
	await eventually(() => bus.connected);
	await emptied(one);
	expect(await numbersStored(operator)).toEqual(upTo(2_000));
});

test.each(["everything", "messages"] as const)(
	"after a power cut that loses %s each event is in the stream once, in order, and reaches its consumer once",
	async (lost) => {
		const received: number[] = [];
		await using _ = await react(operator, sql, {
			...{ service: "scoring", name: "note", event: snapshotApplied, ackWaitMs: 1_000 },
			handler: async (_tx, events) => void received.push(...events.map(({ rows }) => rows)),
		});
		await using one = relay(bus, sql, schema, { pollMs: 50, ackTimeoutMs: 500 });
		await commitFacts(sql, 0, 300);
		await eventually(() => received.length === 300);
		nats.sync();
		await commitFacts(sql, 300, 320);
		await eventually(() => received.length === 320);
		await nats.cutPower(lost);
		await nats.start();
		await commitFacts(sql, 320, 330);
		await eventually(() => received.length === 330, { withinMs: 20_000 });
		await emptied(one);
		expect(await numbersStored(operator)).toEqual(upTo(330));
		expect(received.toSorted((a, b) => a - b)).toEqual(upTo(330));
	},
);

test("events lost in a power cut are published again even if no new event follows", async () => {
	await using one = relay(bus, sql, schema, { pollMs: 50, ackTimeoutMs: 500 });
	await eventually(() => one.active);
	nats.sync();
	await commitFacts(sql, 0, 20);
	await emptied(one);
	await nats.cutPower("everything");
	await nats.start();
	await eventually(async () => (await numbersStored(operator)).length === 20, { withinMs: 20_000 });
	expect(await numbersStored(operator)).toEqual(upTo(20));
});

test("published events are retained for ten minutes", async () => {
	await using one = relay(bus, sql, schema, { pollMs: 50 });
	await commitFacts(sql, 0, 20);
	await emptied(one);
	const retained = async () => (await sql`select from published_events`).count;
	await sql`update published_events set published_at = now() - interval '9 minutes 50 seconds'`;
	await commitFacts(sql, 20, 30);
	await emptied(one);
	expect(await retained()).toBe(30);
	await sql`update published_events set published_at = now() - interval '10 minutes 1 second' where seq <= 20`;
	await eventually(async () => (await retained()) === 10);
});

test("after every PostgreSQL connection is cut each event is in the stream once, in order", async () => {
	await using one = relay(bus, sql, schema, { batch: 20, takeoverMs: 50 });
	await commitFacts(sql, 0, 2_000);
	await eventually(async () => (await countStored(operator)) > 100);
	await using administrator = sqlOf(database.adminUrl);
	await administrator`
		select pg_terminate_backend(pid) from pg_stat_activity
		where datname = current_database() and pid <> pg_backend_pid()`;
	await eventually(async () => (await administrator`select from outbox`).count === 0);
	expect(await numbersStored(operator)).toEqual(upTo(2_000));
	expect(one.active).toBe(true);
});

test("one of two relays publishes, and the other takes over when it stops", async () => {
	await using otherSql = sqlOf(database.url);
	const one = relay(bus, sql, schema, { takeoverMs: 20 });
	await eventually(() => one.active);
	await using other = relay(bus, otherSql, schema, { takeoverMs: 20 });
	await commitFacts(sql, 0, 10);
	await emptied(one);
	expect(other.active).toBe(false);
	await one[Symbol.asyncDispose]();
	await eventually(() => other.active);
	await commitFacts(sql, 10, 20);
	await emptied(other);
	expect(await numbersStored(operator)).toEqual(upTo(20));
});

test("an event that was sent before is deleted from the outbox without being stored again", async () => {
	await using one = relay(bus, sql, schema);
	await commitFacts(sql, 0, 3);
	await emptied(one);
	await commitFacts(sql, 1, 5);
	await emptied(one);
	expect(await numbersStored(operator)).toEqual([0, 1, 2, 3, 4]);
});

test("an event that is too long for NATS is set aside without stopping later ones", async () => {
	await sql`
		insert into outbox (event_id, subject, payload)
		values ('long', 'event.queue-ingest.snapshot.applied', repeat('x', 9000000))`;
	await commitFacts(sql, 0, 2);
	await using one = relay(bus, sql, schema);
	await emptied(one);
	expect(await numbersStored(operator)).toEqual([0, 1]);
	expect(await sql`select reaction, event_id from dead_letters`).toEqual([{ reaction: "relay", event_id: "long" }]);
});

function spawnRelay(): ChildProcess {
	const program = fileURLToPath(new URL("./relay-process.ts", import.meta.url));
	return spawn(process.execPath, [program, nats.url, database.url], { stdio: "inherit" });
}
