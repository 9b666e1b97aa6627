/** Extracts as their readers find them: the same values as the view's own statement, written again only where something changed. */
import { mkdir, mkdtemp, open, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { register } from "prom-client";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Bus, connectBus } from "#libs/bus/connect.ts";
import { bucket, getObject, listObjects, statObject } from "#libs/bus/objects.ts";
import { type ExtractManifest, extractBucket, extractLimits, manifestObject } from "#libs/contract/exports/extracts.ts";
import { readManifest } from "#libs/parquet/bucket.ts";
import {
	bigint,
	boolean,
	type Databases,
	date,
	double,
	integer,
	json,
	moment,
	text,
	texts,
} from "#libs/parquet/view.ts";
import { ensureExtractBucket, writeExtracts } from "#libs/parquet/write-extracts.ts";
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { extractsChannel } from "#libs/postgres/events/outbox.ts";
import { followExtracts } from "../../services/query/extracts/follow.ts";
import { createDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { startNats } from "../support/servers.ts";
import { silent } from "../support/silent.ts";

let stack: AsyncDisposableStack;
let owner: Bus;
let reader: Bus;
let operator: Bus;
let sql: Sql;
let dir: string;
const databases: Databases = {
	master: [
		{
			name: "odd",
			description: "Odd values",
			columns: {
				id: integer("Number"),
				t: text("Text"),
				n: double("Number", "MW"),
				g: bigint("Large"),
				d: date("Day"),
				m: moment("Moment"),
				l: texts("List"),
				j: json("Document"),
				b: boolean("Whether"),
			},
			sql: "select id, t, n, g, d, m, l, j, b from odd",
			order: ["id"],
		},
	],
	grid: [
		{
			name: "plain",
			description: "Plain",
			columns: { id: integer("Number") },
			sql: "select id from plain",
			order: ["id"],
		},
	],
};

beforeEach(async () => {
	stack = new AsyncDisposableStack();
	const nats = stack.use(await startNats());
	const open = async (user: string) =>
		stack.use(await connectBus({ url: nats.url, name: user, log: silent, ...nats.login(user) }));
	[owner, reader, operator] = [await open("queue-ingest"), await open("query"), await open("operator")];
	// NATS 2.9.10 at times answers nothing more about a stream that is made while others ask for it.
	await ensureExtractBucket(owner, "queue-ingest");
	const database = stack.use(await createDatabase("queue-ingest"));
	sql = stack.use(connect(database.url, { schema: "queue_ingest", name: "extracts", max: 4 }));
	dir = await mkdtemp(join(tmpdir(), "extracts-test-"));
	stack.defer(() => rm(dir, { recursive: true, force: true }));
	await sql.unsafe(`
		create table plain (id int primary key);
		insert into plain select * from generate_series(1, 5000);
		create table odd (id int primary key, t text, n float8, g bigint, d date, m timestamptz, l text[], j jsonb, b boolean);
		insert into odd values
			(1, null, null, null, null, null, null, null, null),
			(2, '', 0, 0, '2024-02-29', '2024-05-01 12:00:00.123456+02', '{}', '{}', true),
			(3, e'a,"b"\\nc\\r\\n\\td', -1.5e-300, 9223372036854775807, '0001-01-01', '1999-12-31 23:59:59Z', array['a,b', 'c"d', null, '', e'\\n', 'NULL'], '{"k.x": [1, null, "é\\\\n"], "": ""}', false),
			(4, '\\N', 'NaN', -9223372036854775808, '9999-12-31', '2262-01-01Z', array['😀', '{}', '\\'], '"text"', null),
			(5, repeat('é"', 100000), 0.1, 1, null, null, array_fill('x'::text, array[1000]), to_jsonb(repeat('y', 100000)), true),
			(6, 'NULL', 1e308, 2, null, null, null, '[]', null), (7, ' ', 123456789.123456789, 3, null, null, null, 'null', null)`);
});
afterEach(() => stack.disposeAsync());

const write = () =>
	writeExtracts(owner, sql, {
		owner: "queue-ingest",
		schema: "queue_ingest",
		databases,
		dir,
		quietMs: 20,
		everyMs: 50,
		retryMs: 50,
	});
const manifest = async (): Promise<(ExtractManifest & { sha256: string }) | undefined> =>
	readManifest(bucket(reader, extractBucket("queue-ingest"))).catch(() => undefined);
const current = async () => {
	const [row] = await sql<{ version: number }[]>`select version from data_version`;
	return eventually(async () => {
		const found = await manifest();
		return found?.data_version === row?.version ? found : undefined;
	});
};
const viewOf = (found: ExtractManifest, name: string) => {
	const view = found.views.find((each) => each.name === name);
	if (view === undefined) throw new Error(`no view ${name}`);
	return view;
};

/** Runs of writers that had this outcome. */
const runs = async (outcome: string): Promise<number> => {
	const { values = [] } = (await register.getSingleMetric("extract_runs_total")?.get()) ?? {};
	return values.find(({ labels }) => labels.outcome === outcome)?.value ?? 0;
};

const parsed = (value: unknown): unknown => (value === null ? null : JSON.parse(String(value)));

test("the file equals the result of the view's statement in PostgreSQL, for any values", async () => {
	await using _writing = await write();
	const view = viewOf(await current(), "odd");
	const path = join(dir, "odd.parquet");
	const limits = { maxBytes: extractLimits.viewBytes, timeoutMs: 20_000 };
	await getObject(bucket(reader, extractBucket("queue-ingest")), view.object, path, limits);
	const instance = await DuckDBInstance.create(":memory:");
	const connection = await instance.connect();
	await connection.run("set TimeZone = 'UTC'");
	const read = await connection.runAndReadAll(`
	select id, t, n::varchar as n, g::varchar as g, d::varchar as d, epoch_us(m)::varchar as m, to_json(l)::varchar as l, j::varchar as j, b
	from read_parquet('${path}') order by id`);
	const expected = await sql`
	select id, t, n, g::text as g, d::text as d, (extract(epoch from m) * 1000000)::bigint::text as m, to_json(l) as l, j, b from odd order by id`;
	const rows = read.getRowObjectsJson();
	expect(rows).toHaveLength(expected.length);
	for (const [at, row] of rows.entries()) {
		const own = expected[at] ?? {};
		expect({ ...row, n: row.n === null ? null : Number(row.n), l: parsed(row.l), j: parsed(row.j) }).toEqual({
			...own,
			n: own.n,
		});
	}
	expect(view).toMatchObject({ rows: 7, bytes: expect.any(Number) });
	const described = await connection.runAndReadAll(`describe from read_parquet('${path}')`);
	expect(described.getRowsJson().map(([name, type]) => [name, type])).toEqual(
		view.columns.map(({ name, type }) => [name, type]),
	);
	const keyValues = await connection.runAndReadAll(
		`select decode(key) as k, decode(value) as v from parquet_kv_metadata('${path}')`,
	);
	const metadata = Object.fromEntries(keyValues.getRowsJson().map(([key, value]) => [key, value]));
	expect(JSON.parse(String(metadata.columns))).toContainEqual({ name: "n", description: "Number", unit: "MW" });
	expect(metadata.view).toBe("master.odd");
	connection.closeSync();
	instance.closeSync();
});

test("only the changed view is written again, and unreferenced files are deleted after the next manifest", async () => {
	await using _writing = await write();
	const before = await current();
	for (let n = 0; n < 3; n++) {
		await sql.begin(async (tx) => {
			await tx`insert into plain values (${6_000 + n})`;
			await raiseDataVersion(tx);
		});
		await current();
	}
	const after = await current();
	expect(viewOf(after, "odd")).toEqual(viewOf(before, "odd"));
	expect(viewOf(after, "plain")).toMatchObject({ rows: 5_003, data_version: after.data_version });
	expect(viewOf(after, "plain").object).not.toBe(viewOf(before, "plain").object);
	// The newest and the one before.
	await eventually(async () => (await listObjects(bucket(owner, extractBucket("queue-ingest")))).names.length === 4);
});

test("a second replica, and a restart without a change, write nothing", async () => {
	const before = await (async () => {
		await using _first = await write();
		return await current();
	})();
	await using _one = await write();
	await using _other = await write();
	await sql.begin((tx) => raiseDataVersion(tx));
	const after = await current();
	expect(after.views).toEqual(before.views);
	// The manifest and two views; the manifest before is deleted once there is another.
	await eventually(async () => (await listObjects(bucket(owner, extractBucket("queue-ingest")))).pieces.size === 3);
});

test("a lost bucket is filled again with the next change", async () => {
	const earlier = await runs("written");
	await using _writing = await write();
	const before = await current();
	await eventually(async () => (await runs("written")) > earlier);
	await operator.nats.request(`$JS.API.STREAM.DELETE.OBJ_${extractBucket("queue-ingest")}`);
	expect(await manifest()).toBe(undefined);
	await sql.begin((tx) => raiseDataVersion(tx));
	// Not asked for while it is made, as above.
	await eventually(async () => (await runs("written")) > earlier + 1);
	const after = await current();
	expect(after.views.map(({ source_sha256, rows }) => [source_sha256, rows])).toEqual(
		before.views.map(({ source_sha256, rows }) => [source_sha256, rows]),
	);
});

test("an object with a lost chunk is written again with the next change, and one with a damaged chunk when a reader reports it", async () => {
	await using _writing = await write();
	const name = extractBucket("queue-ingest");
	const damage = async (found: ExtractManifest, content?: string) => {
		const { object } = viewOf(found, "plain");
		const subject = `$O.${name}.C.${(await statObject(bucket(owner, name), object))?.id}`;
		await operator.nats.request(`$JS.API.STREAM.PURGE.OBJ_${name}`, JSON.stringify({ filter: subject }));
		if (content !== undefined) await operator.nats.request(subject, content);
		return found;
	};
	const before = await damage(await current());
	await sql.begin((tx) => raiseDataVersion(tx));
	const after = await current();
	expect(viewOf(after, "plain").source_sha256).toBe(viewOf(before, "plain").source_sha256);
	const limits = { maxBytes: extractLimits.viewBytes, timeoutMs: 20_000 };
	await getObject(bucket(reader, name), viewOf(after, "plain").object, join(dir, "again.parquet"), limits);
	await damage(after, "damaged");
	const followed = join(dir, "followed");
	await mkdir(followed);
	await writeFile(join(followed, "stale.parquet"), "");
	await using folder = await open(followed);
	await using follower = await followExtracts(reader, {
		...{ dir: followed, maxBytes: 1024 ** 3, retryMs: 20, onChange() {} },
	});
	// The bucket may be a volume, which can be emptied and not removed.
	expect((await stat(followed)).ino).toBe((await folder.stat()).ino);
	expect(await readdir(followed)).not.toContain("stale.parquet");
	await eventually(() => follower.missing.length > 0);
	await eventually(() => follower.versionOf("queue-ingest") === after.data_version);
	expect(follower.missing).toEqual([]);
});

test("a damaged manifest is written again when the operator requests a check", async () => {
	await using _writing = await write();
	await current();
	const name = extractBucket("queue-ingest");
	const id = (await statObject(bucket(owner, name), manifestObject))?.id;
	await operator.nats.request(`$JS.API.STREAM.PURGE.OBJ_${name}`, JSON.stringify({ filter: `$O.${name}.C.${id}` }));
	expect(await manifest()).toBe(undefined);
	await sql`select pg_notify(${extractsChannel("queue_ingest")}, '')`;
	await current();
});

test("a file that is acknowledged but cannot be read back is a failure, and all files are written again", async () => {
	await using _writing = await write();
	const before = await current();
	const name = `OBJ_${extractBucket("queue-ingest")}`;
	const info = await operator.nats.request(`$JS.API.STREAM.INFO.${name}`);
	const { config } = info.json<{ config: object }>();
	const update = (change: object) =>
		operator.nats.request(`$JS.API.STREAM.UPDATE.${name}`, JSON.stringify({ ...config, ...change }));
	const failures = await runs("failed");
	// The stream keeps the last message only.
	await update({ max_msgs: 1, discard: "old" });
	await sql.begin((tx) => raiseDataVersion(tx));
	await eventually(async () => (await runs("failed")) > failures);
	await update({});
	const after = await current();
	expect(after.views.map(({ source_sha256 }) => source_sha256)).toEqual(
		before.views.map(({ source_sha256 }) => source_sha256),
	);
});

test("a reader of the manifest always gets the objects that it names, even while it is rewritten", async () => {
	await using _writing = await write();
	await current();
	let changing = true;
	const changes = (async () => {
		for (let n = 0; n < 3; n++) {
			await sql.begin(async (tx) => {
				await tx`update plain set id = id + 1000000 where id = (select max(id) from plain)`;
				await raiseDataVersion(tx);
			});
			await current();
		}
		changing = false;
	})();
	let reads = 0;
	while (changing) {
		const found = await manifest();
		if (found === undefined) continue;
		const path = join(dir, `read-${reads++}.parquet`);
		const { object } = viewOf(found, "plain");
		const limits = { maxBytes: extractLimits.viewBytes, timeoutMs: 20_000 };
		await getObject(bucket(reader, extractBucket("queue-ingest")), object, path, limits);
	}
	await changes;
	expect(reads).toBeGreaterThan(3);
});
