import { expect, test } from "vitest";
import { connect } from "#libs/postgres/connect.ts";
import { createDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";

const database = await createDatabase();
/** A statement waits for a connection for a quarter of the limit. */
const pool = (statementTimeoutMs: number) =>
	connect(database.url, { schema: "queue_ingest", name: "pool", max: 2, statementTimeoutMs });
/** Whether the server has begun the statement. */
const isRunning = async (text: string) =>
	(await referee`select from pg_stat_activity where query = ${text} and state = 'active'`).count > 0;
const referee = connect(database.url, { schema: "public", name: "referee", max: 1 });

test("a statement that has waited too long for a connection fails, instead of running without a caller", async () => {
	await using sql = pool(8_000);
	await sql`create table ran (who text)`;
	await referee`select pg_advisory_lock(1)`;
	// Both of its connections wait for the referee.
	const held = [sql`select pg_advisory_xact_lock(1), 1`, sql`select pg_advisory_xact_lock(1), 2`].map((statement) =>
		statement.execute(),
	);
	await eventually(() => isRunning("select pg_advisory_xact_lock(1), 2"));
	// Received from the beginning: both may have failed before the referee's own statement is answered.
	const refused = [
		sql`insert into ran values ('statement')`.execute(),
		sql.begin((tx) => tx`insert into ran values ('transaction')`),
	].map((waiting) => expect(waiting).rejects.toMatchObject({ code: "POOL_TIMEOUT" }));
	const since = performance.now();
	await eventually(() => performance.now() - since > 2_000);
	await referee`select pg_advisory_unlock(1)`;
	await Promise.all(refused);
	await Promise.all(held);
	expect((await sql`select from ran`).count).toBe(0);
	// All connections are available again.
	expect(await Promise.all(Array.from({ length: 10 }, (_, n) => sql`select ${n}::int as n`))).toHaveLength(10);
});

test("a statement that waited less runs, and jobs without a limit wait as long as necessary", async () => {
	for (const limit of [60_000, 0]) {
		await using sql = pool(limit);
		const held = [sql`select pg_sleep(0.3), 3`, sql`select pg_sleep(0.3), 4`].map((statement) => statement.execute());
		expect(await sql`select 5 as n`).toEqual([{ n: 5 }]);
		await Promise.all(held);
	}
});

test("a slow statement blocks no other while another connection is free", async () => {
	await using sql = pool(60_000);
	const slow = sql`select pg_sleep(600), 6`.execute();
	slow.catch(() => {});
	await eventually(() => isRunning("select pg_sleep(600), 6"));
	const quick = await Promise.all(Array.from({ length: 200 }, (_, n) => sql`select ${n}::int as n`));
	expect(quick.map(([row]) => row?.n)).toEqual(Array.from({ length: 200 }, (_, n) => n));
	slow.cancel();
	await expect(slow).rejects.toMatchObject({ code: "57014" });
});

test("a connection remains usable after a COPY whose reader was late or disconnected", async () => {
	await using sql = connect(database.url, { schema: "queue_ingest", name: "copy", max: 1 });
	const copied = async (rows: number, stopAfter: number) =>
		sql.begin(async (tx) => {
			let bytes = 0;
			const stream =
				await tx`copy (select repeat('x', 1000000) from generate_series(1, ${tx.unsafe(String(rows))})) to stdout`.readable();
			for await (const chunk of stream) {
				bytes += (chunk as Buffer).length;
				// Meanwhile everything arrives that the socket has.
				await new Promise(setImmediate);
				if (bytes > stopAfter) break;
			}
			const [row] = await tx<{ n: number }[]>`select 1 as n`;
			return { bytes, n: row?.n };
		});
	expect(await copied(3, Number.POSITIVE_INFINITY)).toEqual({ bytes: 3_000_003, n: 1 });
	expect(await copied(20, 1_000_000)).toMatchObject({ n: 1 });
	expect(await copied(1, 0)).toEqual({ bytes: 1_000_001, n: 1 });
});

test("a COPY that fails midway rejects, and its connection remains usable", async () => {
	await using sql = connect(database.url, { schema: "queue_ingest", name: "copy", max: 1 });
	const read = async () => {
		const stream = await sql`copy (select 1 / (50000 - i) from generate_series(1, 60000) i) to stdout`.readable();
		for await (const _ of stream);
	};
	await expect(read()).rejects.toThrow("division by zero");
	expect(await sql`select 1 as n`).toEqual([{ n: 1 }]);
});
