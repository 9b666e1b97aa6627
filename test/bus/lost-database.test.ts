import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { messageOf, publishDirectly } from "#libs/bus/events/publish.ts";
import { react } from "#libs/bus/events/react.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { tryLock, waitForLock } from "#libs/postgres/lock.ts";
import { migrate } from "#libs/postgres/migrate.ts";
import { eventually } from "../support/eventually.ts";
import { startNats } from "../support/servers.ts";
import { busOf, fact, schema, snapshotApplied, sqlOf } from "./parties.ts";
import { type MortalServer, mortalPostgres } from "./servers.ts";

let postgres: MortalServer;
let sql: Sql;

const resources = new AsyncDisposableStack();
beforeAll(async () => {
	postgres = resources.use(await mortalPostgres());
	await using administrator = sqlOf(postgres.url);
	await administrator`create schema ${administrator(schema)}`;
	const noMigrations = mkdtempSync(join(tmpdir(), "energy-test-migrations-"));
	resources.defer(() => rmSync(noMigrations, { recursive: true }));
	await migrate(postgres.url, schema, pathToFileURL(`${noMigrations}/`));
	sql = resources.use(sqlOf(postgres.url));
	await sql`create table effects (rows int not null)`;
	// A test server does not flush what commits; what is killed must still have the tables.
	await sql`checkpoint`;
});
afterAll(() => resources.disposeAsync());
beforeEach(() => sql`truncate effects`);

const answers = () => sql`select 1`.then(() => true);

test("a transaction whose session is lost fails without effect, and the pool continues", async () => {
	const { promise: blocked, resolve: release } = Promise.withResolvers<void>();
	// One waits for PostgreSQL when its session is lost, one for something else.
	const waiting = sql.begin(async (tx) => {
		await tx`insert into effects values (1)`;
		await tx`select pg_sleep(60)`;
	});
	const idle = sql.begin(async (tx) => {
		await tx`insert into effects values (2)`;
		await blocked;
		await tx`insert into effects values (3)`;
	});
	const plain = sql`select pg_sleep(60)`.execute();
	await eventually(async () => {
		const busy = await sql`select from pg_stat_activity where wait_event = 'PgSleep' or state = 'idle in transaction'`;
		return busy.count === 3;
	});
	const outcomes = Promise.allSettled([waiting, idle, plain]);
	await postgres.kill();
	expect((await outcomes).map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
	await postgres.start();
	await eventually(answers);
	// The abandoned transaction goes on while its connection is another's.
	release();
	await Promise.all(Array.from({ length: 40 }, () => sql.begin((tx) => tx`select pg_sleep(0.01)`)));
	expect((await sql`select from effects`).count).toBe(0);
});

test("a reserved connection whose session is lost refuses further statements, and is returned to the pool as closed", async () => {
	const reserved = await sql.reserve();
	const [backend] = await reserved<{ pid: number }[]>`select pg_backend_pid() as pid`;
	await sql`select pg_terminate_backend(${backend?.pid ?? 0})`;
	await eventually(() =>
		reserved`select 1`.then(
			() => false,
			() => true,
		),
	);
	await Promise.all(Array.from({ length: 20 }, () => sql`select pg_sleep(0.01)`));
	await expect(reserved`insert into effects values (1)`).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
	reserved.release();
	await Promise.all(Array.from({ length: 20 }, () => sql`select pg_sleep(0.01)`));
});

test("a lock belongs to one session, and the loss of the session is reported", async () => {
	await using lock = await tryLock(sql, "a");
	expect(lock).toBeDefined();
	expect(await tryLock(sql, "a")).toBeUndefined();
	await using other = await tryLock(sql, "b");
	expect(other?.lost.aborted).toBe(false);
	await sql`
		select pg_terminate_backend(pid) from pg_locks
		where locktype = 'advisory' and pid <> pg_backend_pid()`;
	await eventually(() => lock?.lost.aborted === true);
	await using next = await waitForLock(sql, "a", new AbortController().signal, 10);
	expect(next.lost.aborted).toBe(false);
});

test("events wait for an unavailable database, however often they are delivered, and do not become dead letters", async () => {
	await using nats = await startNats();
	await using bus = await busOf(nats.url, "operator");
	let retries = 0;
	await using reaction = await react(bus, sql, {
		service: "queue-ingest",
		name: "keep-facts",
		event: snapshotApplied,
		maxDeliver: 2,
		// Back at once, as from a replica that cannot reach it for long.
		holdMs: 0,
		retryMs: () => {
			retries++;
			return 20;
		},
		async handler(tx, events) {
			await tx`insert into effects ${tx(events.map(({ rows }) => ({ rows })))}`;
		},
	});
	await postgres.kill();
	await publishDirectly(
		bus,
		[1, 2, 3].map((number) => messageOf(snapshotApplied, fact(number))),
	);
	await eventually(() => retries > 10);
	await postgres.start();
	await eventually(async () => (await reaction.backlog()) === 0);
	expect((await sql`select from effects`).count).toBe(3);
	expect((await sql`select from dead_letters`).count).toBe(0);
});
