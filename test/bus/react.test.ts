/** Reactions to events, the announcement of data versions, and the limits of a stream. */
import { jetstream } from "@nats-io/jetstream";
import { headers } from "@nats-io/transport-node";
import { afterAll, beforeEach, expect, test } from "vitest";
import type { Bus } from "#libs/bus/connect.ts";
import { type Reaction, react } from "#libs/bus/events/react.ts";
import { ensureStream } from "#libs/bus/events/topology.ts";
import { announceVersions, watchVersions } from "#libs/bus/version.ts";
import { raiseDataVersion, readDataVersion } from "#libs/postgres/data-version.ts";
import { createDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { startNats } from "../support/servers.ts";
import { busOf, fact, schema, snapshotApplied, sqlOf } from "./parties.ts";

const nats = await startNats();
// The reactions of this file are none of a service's: no service may consume for them.
const bus: Bus = await busOf(nats.url, "operator");
const subject = "event.queue-ingest.snapshot.applied";
const database = await createDatabase();
const sql = sqlOf(database.url);
await sql`create table effects (event_id text not null, rows int not null)`;
afterAll(async () => {
	await sql.end();
	await database.drop();
});

beforeEach(async () => {
	await sql`truncate effects, inbox, dead_letters`;
	const manager = await jetstream(bus.nats).jetstreamManager();
	await manager.streams.delete("QUEUE_INGEST").catch(() => false);
	await ensureStream(bus, "queue-ingest");
});

/** A reaction that stores what it receives. */
const keeping = (more: Partial<Reaction<typeof snapshotApplied>> = {}): Reaction<typeof snapshotApplied> => ({
	service: "queue-ingest",
	name: "keep-facts",
	event: snapshotApplied,
	retryMs: () => 10,
	async handler(tx, events) {
		await tx`insert into effects ${tx(events.map(({ id, rows }) => ({ event_id: id, rows })))}`;
	},
	...more,
});
const effects = async () =>
	(await sql<{ rows: number }[]>`select rows from effects order by rows`).map(({ rows }) => rows);
const deadLetters = () => sql`select reaction, subject, event_id, payload, reason from dead_letters order by id`;

let sent = 0;
/** Puts a message on the stream, whether or not JetStream has seen its like. */
async function tell(payload: unknown): Promise<void> {
	const written = headers();
	written.set("Nats-Msg-Id", `message-${sent++}`);
	const text = typeof payload === "string" ? payload : JSON.stringify(payload);
	await jetstream(bus.nats).publish(subject, text, { headers: written });
}

test("each event has its effect, and waiting events are handled in one batch", async () => {
	await Promise.all(Array.from({ length: 900 }, (_, number) => tell(fact(number))));
	const sizes: number[] = [];
	const { handler } = keeping();
	await using reaction = await react(bus, sql, {
		...keeping(),
		handler: (tx, events) => {
			sizes.push(events.length);
			return handler(tx, events);
		},
	});
	await eventually(async () => (await reaction.backlog()) === 0);
	expect(await effects()).toEqual(Array.from({ length: 900 }, (_, number) => number));
	expect(sizes.length).toBeLessThan(90);
	expect(Math.max(...sizes)).toBeLessThanOrEqual(500);
});

test("an event delivered a second time has no effect", async () => {
	await using reaction = await react(bus, sql, keeping());
	await tell(fact(1));
	await eventually(async () => (await effects()).length === 1);
	await tell(fact(1));
	await tell(fact(2));
	await tell(fact(2));
	await eventually(async () => (await reaction.backlog()) === 0);
	expect(await effects()).toEqual([1, 2]);
});

test("two reactions to one event both have their effect", async () => {
	await using _ = await react(bus, sql, keeping());
	await using __ = await react(bus, sql, keeping({ name: "keep-facts-too" }));
	await tell(fact(1));
	await eventually(async () => (await effects()).length === 2);
});

test("an event that cannot be parsed is a dead letter with its text and the reason, and is not delivered again", async () => {
	await using reaction = await react(bus, sql, keeping());
	await tell("no JSON \u0000");
	await tell({ ...fact(1), region: "MARS" });
	await tell(fact(2));
	await eventually(async () => (await reaction.backlog()) === 0);
	expect(await effects()).toEqual([2]);
	const letters = await deadLetters();
	expect(letters).toMatchObject([
		{ reaction: "keep-facts", subject, payload: "no JSON \ufffd" },
		{ reaction: "keep-facts", subject, payload: JSON.stringify({ ...fact(1), region: "MARS" }) },
	]);
	expect(letters[1]?.reason).toMatch(/^unparseable: .*region/s);
});

test("an event whose handler fails is retried and finally becomes a dead letter; other events have their effect", async () => {
	const attempts = new Map<number, number>();
	const { handler } = keeping();
	const failing = keeping({
		maxDeliver: 3,
		async handler(tx, events) {
			for (const { rows } of events) attempts.set(rows, (attempts.get(rows) ?? 0) + 1);
			await handler(tx, events);
			if (events.some(({ rows }) => rows === 2)) throw new Error("cannot bear the number 2");
		},
	});
	for (const number of [1, 2, 3]) await tell(fact(number));
	await using reaction = await react(bus, sql, failing);
	await eventually(async () => (await reaction.backlog()) === 0);
	expect(await effects()).toEqual([1, 3]);
	expect(attempts.get(2)).toBe(3);
	expect(await deadLetters()).toMatchObject([{ event_id: "fact-2", reason: "Error: cannot bear the number 2" }]);
});

test("a handler that fails once has its effect once", async () => {
	let failures = 0;
	const { handler } = keeping();
	const flaky = keeping({
		async handler(tx, events) {
			await handler(tx, events);
			if (failures++ === 0) throw new Error("not now");
		},
	});
	await using reaction = await react(bus, sql, flaky);
	await tell(fact(1));
	await eventually(async () => (await effects()).length === 1);
	await eventually(async () => (await reaction.backlog()) === 0);
	expect(await effects()).toEqual([1]);
	expect(await deadLetters()).toEqual([]);
});

test("events that a closed reaction had not finished are handled by the next one", async () => {
	const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
	const { promise: blocked, resolve: release } = Promise.withResolvers<void>();
	const { handler } = keeping();
	const first = await react(bus, sql, {
		...keeping({ batch: 1, ackWaitMs: 1_000 }),
		async handler(tx, events) {
			begin();
			await blocked;
			await handler(tx, events);
		},
	});
	for (const number of [1, 2, 3]) await tell(fact(number));
	await begun;
	const closed = first[Symbol.asyncDispose]();
	release();
	await closed;
	expect(await effects()).toHaveLength(1);
	// A delivery that was on its way when the first closed is repeated after this.
	await using second = await react(bus, sql, keeping({ ackWaitMs: 1_000 }));
	await eventually(async () => (await second.backlog()) === 0);
	expect(await effects()).toEqual([1, 2, 3]);
});

test("a deleted consumer is recreated and starts from the beginning, without further effect", async () => {
	await using _ = await react(bus, sql, keeping());
	await tell(fact(1));
	await eventually(async () => (await effects()).length === 1);
	const manager = await jetstream(bus.nats).jetstreamManager();
	await manager.consumers.delete("QUEUE_INGEST", "queue-ingest-keep-facts");
	await tell(fact(2));
	await eventually(async () => (await effects()).length === 2, { withinMs: 20_000 });
	expect(await effects()).toEqual([1, 2]);
});

test("a raised data version is announced at once, without waiting for the heartbeat", async () => {
	await using service = await busOf(nats.url, "queue-ingest");
	await using gateway = await busOf(nats.url, "gateway");
	const received: number[] = [];
	using _ = watchVersions(gateway, "queue-ingest", (version) => received.push(version));
	await gateway.nats.flush();
	await using __ = await announceVersions(service, sql, schema, "queue-ingest", 3_600_000);
	const first = await readDataVersion(sql);
	await eventually(() => received.includes(first));
	await sql.begin(raiseDataVersion);
	await eventually(() => received.includes(first + 1));
	await expect(
		sql.begin(async (tx) => {
			await raiseDataVersion(tx);
			throw new Error("changed my mind");
		}),
	).rejects.toThrow();
	await sql.begin(raiseDataVersion);
	await eventually(() => received.includes(first + 2));
	expect(new Set(received)).toEqual(new Set([first, first + 1, first + 2]));
});

test("the heartbeat repeats the data version for gateways that missed it", async () => {
	await using service = await busOf(nats.url, "queue-ingest");
	await using gateway = await busOf(nats.url, "gateway");
	await using _ = await announceVersions(service, sql, schema, "queue-ingest", 20);
	const version = await sql.begin(raiseDataVersion);
	const received: number[] = [];
	using __ = watchVersions(gateway, "queue-ingest", (one) => received.push(one));
	await eventually(() => received.filter((one) => one === version).length > 2);
});

test("a stream is created once, and its limits are updated when they change", async () => {
	await using service = await busOf(nats.url, "queue-ingest");
	const manager = await jetstream(bus.nats).jetstreamManager();
	await ensureStream(service, "queue-ingest", { maxAgeHours: 1, maxBytes: 10_000_000 });
	const { config, created } = await manager.streams.info("QUEUE_INGEST");
	expect(config).toMatchObject({ subjects: ["event.queue-ingest.>"], max_age: 3_600e9, max_bytes: 10_000_000 });
	await ensureStream(service, "queue-ingest", { maxAgeHours: 2, maxBytes: 10_000_000 });
	const changed = await manager.streams.info("QUEUE_INGEST");
	expect([changed.config.max_age, changed.created]).toEqual([7_200e9, created]);
});
