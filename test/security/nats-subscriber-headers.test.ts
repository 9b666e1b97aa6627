/** Headers of an event after its way from the outbox through the relay, the stream and its mirror to an external subscriber. */
import { jetstream } from "@nats-io/jetstream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { relay } from "#libs/bus/events/relay.ts";
import { snapshotApplied } from "#libs/contract/events/queue-ingest.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { publish } from "#libs/postgres/events/outbox.ts";
import { fact, schema, sqlOf } from "../bus/parties.ts";
import { createDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { openWorld, type World } from "./support/subscribers.ts";

const stack = new AsyncDisposableStack();
let world: World;
let sql: Sql;

beforeAll(async () => {
	world = stack.use(await openWorld());
	const database = stack.use(await createDatabase());
	sql = stack.use(sqlOf(database.url));
	// A new database has the register of developers to tell.
	await sql`delete from outbox`;
	stack.use(relay(world.busOf("queue-ingest"), sql, schema));
});
afterAll(() => stack.disposeAsync());

test("a subscriber gets CloudEvents in binary mode: attributes in the headers, the payload as it was published", async () => {
	const event = fact(7, "snapshot.applied:PJM queue:7:1");
	await sql.begin((tx) => publish(tx, snapshotApplied, event));
	await eventually(async () => (await world.mirrored("queue-ingest")) === 1);
	const consumer = await jetstream(world.busOf("subscriber").nats).consumers.get("QUEUE_INGEST", {
		filter_subjects: "event.queue-ingest.snapshot.applied",
	});
	const message = await consumer.next({ expires: 5_000 });
	await consumer.delete();
	expect(message?.json()).toEqual(event);
	const headers = Object.fromEntries(
		(message?.headers?.keys() ?? []).map((name) => [name, message?.headers?.get(name)]),
	);
	expect(headers).toEqual({
		"Nats-Msg-Id": event.id,
		"Nats-Expected-Last-Sequence": "0",
		"ce-specversion": "1.0",
		"ce-id": "snapshot.applied:PJM%20queue:7:1",
		"ce-source": "/queue-ingest",
		"ce-type": "queue-ingest.snapshot.applied",
		"ce-time": event.occurred_at,
		"ce-subject": "PJM%20queue:7",
		"ce-datacontenttype": "application/json",
	});
});
