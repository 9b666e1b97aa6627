import { jetstream } from "@nats-io/jetstream";
import { expect, test } from "vitest";
import { ensureStream } from "#libs/bus/events/topology.ts";
import { announceVersions, watchVersions } from "#libs/bus/version.ts";
import { raiseDataVersion, readDataVersion } from "#libs/postgres/data-version.ts";
import { createDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { startNats } from "../support/servers.ts";
import { busOf, schema, sqlOf } from "./parties.ts";

const nats = await startNats();
const gateway = await busOf(nats.url, "gateway");
const service = await busOf(nats.url, "queue-ingest");

test("a raised data version is announced at once, without waiting for the heartbeat", async () => {
	await using database = await createDatabase();
	await using sql = sqlOf(database.url);
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
	await using database = await createDatabase();
	await using sql = sqlOf(database.url);
	await using _ = await announceVersions(service, sql, schema, "queue-ingest", 20);
	const version = await sql.begin(raiseDataVersion);
	const received: number[] = [];
	using __ = watchVersions(gateway, "queue-ingest", (one) => received.push(one));
	await eventually(() => received.filter((one) => one === version).length > 2);
});

test("a stream is made once and brought to its limits when they change", async () => {
	await using operator = await busOf(nats.url, "operator");
	const manager = await jetstream(operator.nats).jetstreamManager();
	await ensureStream(service, "queue-ingest", { maxAgeHours: 1, maxBytes: 10_000_000 });
	const { config, created } = await manager.streams.info("QUEUE_INGEST");
	expect(config).toMatchObject({ subjects: ["event.queue-ingest.>"], max_age: 3_600e9, max_bytes: 10_000_000 });
	await ensureStream(service, "queue-ingest", { maxAgeHours: 2, maxBytes: 10_000_000 });
	const changed = await manager.streams.info("QUEUE_INGEST");
	expect([changed.config.max_age, changed.created]).toEqual([7_200e9, created]);
});
