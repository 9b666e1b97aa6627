/** Ways that lead nowhere without a notice: what is held because of them is released. */
import { jetstream } from "@nats-io/jetstream";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { messageOf, publishDirectly } from "#libs/bus/events/publish.ts";
import { react } from "#libs/bus/events/react.ts";
import { ensureDurable } from "#libs/bus/events/topology.ts";
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { tryLock } from "#libs/postgres/lock.ts";
import { busOf, fact, snapshotApplied } from "../../bus/parties.ts";
import { createDatabase, type TestDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { startNats } from "../../support/servers.ts";
import { type Link, openLink } from "./link.ts";

vi.setConfig({ testTimeout: 60_000 });

let database: TestDatabase;
let link: Link;
beforeAll(async () => {
	database = await createDatabase("queue-ingest");
	link = await openLink(Number(new URL(database.url).port));
});
afterAll(async () => {
	await link[Symbol.asyncDispose]();
	await database.drop();
});

/** Through the link. */
function far(statementTimeoutMs: number): Sql & AsyncDisposable {
	const url = new URL(database.url);
	url.port = String(link.port);
	return connect(url.href, { schema: "queue_ingest", name: "far", max: 2, statementTimeoutMs });
}

const near = () => connect(database.url, { schema: "queue_ingest", name: "near", max: 2 });

test("a statement on a stranded connection is rejected, and the next runs on a new connection", async () => {
	await using sql = far(500);
	await sql`select 1`;
	link.strand(60_000);
	await expect(sql`select 1`).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
	expect([...(await sql`select 2 as n`)]).toEqual([{ n: 2 }]);
});

test("a pool without a statement timeout waits as long as a statement takes", async () => {
	await using sql = far(0);
	await using other = near();
	const [locked, unlocked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
	const holding = other.begin(async (tx) => {
		await tx`select pg_advisory_xact_lock(1)`;
		locked.resolve();
		await unlocked.promise;
	});
	await locked.promise;
	const waiting = sql`select pg_advisory_lock(1)`.then(() => "had");
	await eventually(
		async () => (await other`select from pg_locks where not granted and locktype = 'advisory'`).count === 1,
	);
	await using short = far(500);
	// A pool with a limit that waits for the same lock does not lose its connection either.
	await expect(short`select pg_advisory_lock(1)`).rejects.toMatchObject({ code: "57014" });
	unlocked.resolve();
	await holding;
	expect(await waiting).toBe("had");
});

test("a lock whose holder is silent passes to another after the holder has released it", {
	tags: ["campaign"],
}, async () => {
	await using sql = far(0);
	await using other = near();
	const lease = { aliveEveryMs: 200, statementTimeoutMs: 300, idleTimeoutMs: 9_000 };
	const held = await tryLock(sql, "silence", lease);
	expect(held?.lost.aborted).toBe(false);
	link.hole();
	let lostBefore: boolean | undefined;
	const next = await eventually(
		async () => {
			const lock = await tryLock(other, "silence");
			if (lock !== undefined) lostBefore ??= held?.lost.aborted;
			return lock;
		},
		{ withinMs: 40_000, everyMs: 100 },
	);
	expect(lostBefore).toBe(true);
	await next[Symbol.asyncDispose]();
	link.open();
	await held?.[Symbol.asyncDispose]();
});

test("a holder that reports retains its lock; the session of one that does not is terminated", async () => {
	await using sql = near();
	const limits = { statementTimeoutMs: 10_000, idleTimeoutMs: 700 };
	await using saying = await tryLock(sql, "saying", { ...limits, aliveEveryMs: 100 });
	await using silent = await tryLock(sql, "silent", { ...limits, idleTimeoutMs: 1_500, aliveEveryMs: 1_000_000 });
	await eventually(() => silent?.lost.aborted === true);
	expect(saying?.lost.aborted).toBe(false);
});

test("work longer than the acknowledgement timeout is not redelivered to another consumer meanwhile", async () => {
	await using nats = await startNats();
	await using bus = await busOf(nats.url, "operator");
	await using sql = near();
	const { promise: done, resolve: finish } = Promise.withResolvers<void>();
	let begun = 0;
	await using reaction = await react(bus, sql, {
		service: "queue-ingest",
		name: "work-long",
		event: snapshotApplied,
		ackWaitMs: 900,
		async handler() {
			begun++;
			await done;
		},
	});
	// A consumer that receives the same and never acknowledges: its deliveries are the clock.
	const silent = { name: "queue-ingest-silent", event: snapshotApplied, ackWaitMs: 900, maxAckPending: 10 };
	const { stream, name } = await ensureDurable(bus, silent);
	const consumer = await jetstream(bus.nats).consumers.get(stream, name);
	await publishDirectly(bus, [messageOf(snapshotApplied, fact(1))]);
	await eventually(
		async () => {
			const message = await consumer.next({ expires: 1_000 });
			return (message?.info.deliveryCount ?? 0) > 3;
		},
		{ withinMs: 30_000 },
	);
	const manager = await jetstream(bus.nats).jetstreamManager();
	const { num_redelivered, num_ack_pending } = await manager.consumers.info(stream, "queue-ingest-work-long");
	expect({ begun, num_redelivered, num_ack_pending }).toEqual({ begun: 1, num_redelivered: 0, num_ack_pending: 1 });
	finish();
	await eventually(async () => (await reaction.backlog()) === 0);
});
