import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { jetstream } from "@nats-io/jetstream";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Bus, Log } from "#libs/bus/connect.ts";
import { react } from "#libs/bus/events/react.ts";
import { ensureStream } from "#libs/bus/events/topology.ts";
import { usageRecorded } from "#libs/contract/events/gateway.ts";
import { usageOperations } from "../../services/billing/operations/usage.ts";
import { recordUsage } from "../../services/billing/reactions/record-usage.ts";
import { openUsage, type Usage, type UsageEntry } from "../../services/gateway/authorization/usage.ts";
import { openUsageFiles } from "../../services/gateway/authorization/usage-files.ts";
import { type AnsweredRequest, answered, busOf, countByHand, sqlOf, sumsOf } from "../billing/support/usage.ts";
import { type MortalNats, mortalNats } from "../bus/servers.ts";
import { createDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { silent } from "../support/silent.ts";

const resources = new AsyncDisposableStack();
let nats: MortalNats;
let bus: Bus;
let operator: Bus;
interface Line {
	fields: object;
	message: string;
}
let errors: Line[];
let warnings: Line[];
let log: Log;

beforeAll(async () => {
	nats = resources.use(await mortalNats());
	bus = resources.use(await busOf(nats.url, "gateway"));
	operator = resources.use(await busOf(nats.url, "operator"));
});
afterAll(() => resources.disposeAsync());
beforeEach(async () => {
	// A test before this one may have killed the server.
	await eventually(() => operator.connected && bus.connected);
	await (await jetstream(operator.nats).jetstreamManager()).streams.delete("GATEWAY").catch(() => false);
	await ensureStream(bus, "gateway");
	errors = [];
	warnings = [];
	log = {
		...silent,
		warn: (fields, message) => warnings.push({ fields, message }),
		error: (fields, message) => errors.push({ fields, message }),
	};
});

const open = (capacity = 10_000) => openUsage({ bus, log, capacity, now: () => new Date() });
/** Usage that is written to a folder, and the ledger that is to have it. */
async function openWritten() {
	await using resources = new AsyncDisposableStack();
	const dir = mkdtempSync(join(tmpdir(), "usage-"));
	resources.defer(() => rmSync(dir, { recursive: true }));
	const database = resources.use(await createDatabase("billing"));
	const sql = resources.use(sqlOf(database.url));
	const billing = resources.use(await busOf(nats.url, "billing"));
	const ask = usageOperations({ sql, now: () => new Date() }).listRecordedUsage;
	const findRecorded = async (ids: string[]) => {
		const { json } = await ask({ ids });
		return (JSON.parse(String(json)) as { ids: string[] }).ids;
	};
	const owned = resources.move();
	return {
		dir,
		sql,
		startBilling: async () => void owned.use(await react(billing, sql, recordUsage)),
		async start() {
			const files = await openUsageFiles({ dir, bus, log, findRecorded, everyMs: 50 });
			const usage = openUsage({ bus, log, capacity: 10_000, files, now: () => new Date() });
			return Object.assign(usage, { end: () => usage[Symbol.asyncDispose]().then(() => files[Symbol.asyncDispose]()) });
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}
const entryOf = ({ occurred_at, ...request }: AnsweredRequest): UsageEntry => ({
	...request,
	occurred_at: new Date(occurred_at),
});
const upTo = (count: number, from = 0): AnsweredRequest[] =>
	Array.from({ length: count }, (_, number) => answered(from + number));
const recordAll = (usage: Usage, events: readonly AnsweredRequest[]) => {
	for (const event of events) usage.record(entryOf(event));
};

/** The requests in the stream, in its order, each event as the contract declares it. */
async function stored(): Promise<AnsweredRequest[]> {
	// This may be the last to reconnect to a server that was killed.
	await eventually(() => operator.connected);
	const { state } = await (await jetstream(operator.nats).jetstreamManager()).streams.info("GATEWAY");
	if (state.messages === 0) return [];
	const consumer = await jetstream(operator.nats).consumers.get("GATEWAY");
	const requests: AnsweredRequest[] = [];
	for await (const message of await consumer.fetch({ max_messages: state.messages, expires: 10_000 }))
		requests.push(...usageRecorded.payload.parse(message.json()).requests);
	return requests;
}

test("recorded usage is published soon, in order, and leaves the buffer when acknowledged", async () => {
	await using usage = open();
	const events = upTo(1_234);
	recordAll(usage, events);
	expect(usage.waiting).toBe(1_234);
	await eventually(() => usage.waiting === 0);
	expect(await stored()).toEqual(events);
	recordAll(usage, upTo(1, 5_000));
	await eventually(() => usage.waiting === 0);
	expect((await stored()).at(-1)?.id).toBe("request-5000");
});

test("while NATS is down usage is buffered; afterwards each request is on the stream once, and in the ledger", {
	timeout: 60_000,
}, async () => {
	await using database = await createDatabase("billing");
	await using sql = sqlOf(database.url);
	await using billing = await busOf(nats.url, "billing");
	// Messages that were acknowledged as NATS stopped are redelivered after this wait.
	await using reacting = await react(billing, sql, { ...recordUsage, ackWaitMs: 1_000 });
	await using usage = open();
	const events = upTo(1_700);
	recordAll(usage, events.slice(0, 700));
	await eventually(() => usage.waiting === 0);
	// One batch is just being sent.
	recordAll(usage, events.slice(700, 1_300));
	await nats.kill();
	await eventually(() => !bus.connected);
	recordAll(usage, events.slice(1_300));
	expect(usage.waiting).toBeGreaterThanOrEqual(400);
	await nats.start();
	await eventually(() => usage.waiting === 0);
	const ids = (await stored()).map(({ id }) => id);
	expect([...ids].sort()).toEqual(events.map(({ id }) => id).sort());
	await eventually(async () => (await reacting.backlog()) === 0);
	expect(await sumsOf(sql)).toEqual(countByHand(events));
	expect(errors).toEqual([]);
});

test("usage that NATS acknowledged and lost in a power cut is in the ledger once, and then deleted from the gateway's disk", async () => {
	await using written = await openWritten();
	const usage = await written.start();
	nats.sync();
	const events = upTo(1_200);
	recordAll(usage, events);
	await eventually(() => usage.waiting === 0);
	await nats.cutPower("everything");
	await nats.start();
	await eventually(() => bus.connected);
	expect(readdirSync(written.dir)).not.toEqual([]);
	await written.startBilling();
	await eventually(() => readdirSync(written.dir).length === 0);
	expect(await sumsOf(written.sql)).toEqual(countByHand(events));
	await usage.end();
	expect(errors).toEqual([]);
});

test("after a power cut that loses usage received by billing, later requests are in the ledger too", {
	tags: ["campaign"],
}, async () => {
	await using written = await openWritten();
	const usage = await written.start();
	await written.startBilling();
	nats.sync();
	const events = upTo(1_200);
	recordAll(usage, events);
	await eventually(() => usage.waiting === 0);
	await eventually(() => readdirSync(written.dir).length === 0);
	await nats.cutPower("messages");
	await nats.start();
	await eventually(() => bus.connected);
	const later = upTo(5, 5_000);
	recordAll(usage, later);
	const sums = countByHand([...events, ...later]);
	await eventually(async () => isDeepStrictEqual(await sumsOf(written.sql), sums));
	await eventually(() => readdirSync(written.dir).length === 0);
	await usage.end();
	expect(errors).toEqual([]);
});

test("usage that a gateway could not send before it ended is in the ledger after its next start", async () => {
	await using written = await openWritten();
	writeFileSync(join(written.dir, "0-cut-off.json"), '{"id":"request-0","requests":[{');
	const first = await written.start();
	expect(errors).toMatchObject([{ message: "a usage file cannot be read" }]);
	await nats.kill();
	await eventually(() => !bus.connected);
	const events = upTo(700);
	recordAll(first, events);
	await eventually(() => readdirSync(written.dir).length === 2);
	await first.end();
	await nats.start();
	await eventually(() => bus.connected);
	await written.startBilling();
	const second = await written.start();
	await eventually(() => readdirSync(written.dir).length === 0);
	expect(await sumsOf(written.sql)).toEqual(countByHand(events));
	await second.end();
	expect(errors).toHaveLength(1);
});

test("a full buffer accepts nothing until NATS has acknowledged; requests accepted before are still recorded", async () => {
	await using usage = open(100);
	await nats.kill();
	await eventually(() => !bus.connected);
	recordAll(usage, upTo(99));
	expect(usage.hasRoom).toBe(true);
	recordAll(usage, upTo(1, 99));
	expect(usage.hasRoom).toBe(false);
	recordAll(usage, upTo(20, 100));
	expect([usage.hasRoom, usage.waiting]).toEqual([false, 120]);
	await nats.start();
	await eventually(() => usage.hasRoom && usage.waiting === 0);
	expect((await stored()).map(({ id }) => id)).toEqual(upTo(120).map(({ id }) => id));
});

test("usage that its stream refuses, or that has no stream, is retained until it is acknowledged", async () => {
	const manager = await jetstream(operator.nats).jetstreamManager();
	await manager.streams.delete("GATEWAY");
	await using usage = open();
	recordAll(usage, upTo(3));
	await eventually(() => warnings.length === 1);
	await ensureStream(bus, "gateway");
	await eventually(() => usage.waiting === 0);
	await manager.streams.update("GATEWAY", { max_msg_size: 10 });
	recordAll(usage, upTo(2, 3));
	await eventually(() => warnings.length === 2);
	expect(usage.waiting).toBe(2);
	await manager.streams.update("GATEWAY", { max_msg_size: -1 });
	await eventually(() => usage.waiting === 0);
	expect((await stored()).map(({ id }) => id)).toEqual(upTo(5).map(({ id }) => id));
	expect(warnings.map(({ message }) => message)).toEqual(["usage is not acknowledged", "usage is not acknowledged"]);
});

test("closing sends the remaining usage", async () => {
	const usage = open();
	recordAll(usage, upTo(1_100));
	await usage[Symbol.asyncDispose]();
	expect(usage.waiting).toBe(0);
	expect((await stored()).length).toBe(1_100);
	expect(errors).toEqual([]);
});

test("an invalid entry does not delay the others", async () => {
	await using usage = open();
	const [first, second, third] = upTo(3).map(entryOf);
	if (first === undefined || second === undefined || third === undefined) throw new Error("there are three");
	usage.record(first);
	usage.record({ ...second, duration_ms: Number.NaN });
	usage.record(third);
	await eventually(() => usage.waiting === 0);
	expect((await stored()).map(({ id }) => id)).toEqual([first.id, third.id]);
	expect(errors).toMatchObject([{ fields: { dropped: 1 }, message: "invalid usage was dropped" }]);
});

test("an account's counted but unacknowledged usage can be read", async () => {
	await using usage = open();
	recordAll(usage, [
		answered(1, { account_id: 7 }),
		answered(2, { account_id: 7, counted: false }),
		answered(3, { account_id: 8 }),
		answered(4),
		answered(5, { account_id: 7 }),
	]);
	expect([7, 8, 9].map((account_id) => usage.countPending({ account_id }))).toEqual([2, 1, 0]);
	await eventually(() => usage.waiting === 0);
	expect(usage.countPending({ account_id: 7 })).toBe(0);
});

/** The last one, as it leaves no server behind. */
test("beyond twice its capacity usage is dropped, and the loss is logged at the end", async () => {
	const usage = open(100);
	await nats.kill();
	await eventually(() => !bus.connected);
	recordAll(usage, upTo(250));
	expect(usage.waiting).toBe(200);
	expect(errors).toEqual([{ fields: { waiting: 200 }, message: "answered requests cannot be recorded as usage" }]);
	await usage[Symbol.asyncDispose]();
	expect(errors.at(-1)).toEqual({ fields: { lost: 250 }, message: "usage was lost" });
	recordAll(usage, upTo(1, 900));
	expect(usage.waiting).toBe(200);
});
