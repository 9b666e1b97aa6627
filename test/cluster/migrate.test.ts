/** Migrations beside readers and writers: no statement waits for one longer than a lock may take, and none is left half done. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrate } from "#libs/postgres/migrate.ts";
import { eventually } from "../support/eventually.ts";
import { type BigTable, gentle, makeBigTable, schema, startTraffic } from "./support/big-table.ts";

let big: BigTable;
beforeAll(async () => {
	big = await makeBigTable(5_000);
});
afterAll(() => big[Symbol.asyncDispose]());

const eager = { lockTimeoutMs: 200, retryMs: () => 50 };
const migratorCount = async (state: string) => {
	const [row] = await big.sql<{ count: number }[]>`
		select count(*) from pg_stat_activity
		where application_name = 'queue_ingest-migrate' and datname = current_database() and query ~* ${state}`;
	return row?.count ?? 0;
};

/** A transaction that looks at the table until it is let go. */
async function holdTable(): Promise<() => Promise<void>> {
	const { promise: let_go, resolve } = Promise.withResolvers<void>();
	const { promise: holding, resolve: held } = Promise.withResolvers<void>();
	const done = big.sql.begin("isolation level repeatable read", async (tx) => {
		await tx`select from big limit 1`;
		held();
		await let_go;
	});
	await holding;
	return async () => {
		resolve();
		await done;
	};
}

test("a statement that arrives while a migration waits for its table runs first", async () => {
	const letGo = await holdTable();
	const folder = big.folder({
		"9101_waits.sql": "-- needs the whole table\nalter table big add column waited text;\n",
	});
	const migrating = migrate(big.url, schema, folder, eager);
	await eventually(async () => {
		const waiting = await big.sql`select from pg_locks where not granted and relation = 'big'::regclass`;
		return waiting.count > 0;
	});
	{
		await using traffic = startTraffic(big.url, 5_000);
		await eventually(() => traffic.reads > 30 && traffic.writes > 10);
		expect(traffic.failures).toEqual([]);
	}
	await big.sql`delete from big where id < 0`;
	await letGo();
	expect(await migrating).toEqual(["9101_waits.sql"]);
});

test("a migration that cannot lock its table gives up without changes", async () => {
	const letGo = await holdTable();
	const text = "-- two things\ncreate table beside (id int);\nalter table big add column never text;\n";
	const migrating = migrate(big.url, schema, big.folder({ "9102_never.sql": text }), { ...eager, attempts: 3 });
	await expect(migrating).rejects.toThrow("migration 9102_never.sql failed");
	await letGo();
	expect((await big.sql`select from pg_class where relname = 'beside'`).count).toBe(0);
});

test("an index is built while rows are inserted, and a second migrator waits without blocking it", async () => {
	const text = "-- alone: for lists by note\ncreate index concurrently if not exists big_note on big (note);\n";
	const folder = big.folder({ "9103_index.sql": text });
	const letGo = await holdTable();
	const first = migrate(big.url, schema, folder);
	await eventually(async () => (await big.sql`select from pg_stat_progress_create_index`).count > 0);
	const second = migrate(big.url, schema, folder);
	await eventually(async () => (await migratorCount("pg_try_advisory_lock")) === 1);
	await big.sql`insert into big (id, region, mw, note) values (0, 'new', 1, 'meanwhile')`;
	await letGo();
	expect([await first, await second]).toEqual([["9103_index.sql"], []]);
	expect((await big.sql`select from big where note = 'meanwhile'`).count).toBe(1);
});

test("an index whose creation was interrupted is built again", async () => {
	const text = "-- alone: for lists by power\ncreate index concurrently if not exists big_mw_only on big (mw);\n";
	const folder = big.folder({ "9104_broken.sql": text });
	const letGo = await holdTable();
	const broken = migrate(big.url, schema, folder).catch((error: unknown) => error);
	await eventually(async () => (await big.sql`select from pg_index where not indisvalid`).count > 0);
	await big.sql`
		select pg_terminate_backend(pid) from pg_stat_activity
		where application_name = 'queue_ingest-migrate' and datname = current_database()`;
	expect(await broken).toBeInstanceOf(Error);
	await letGo();
	expect(await migrate(big.url, schema, folder)).toEqual(["9104_broken.sql"]);
	const [index] = await big.sql`select indisvalid from pg_index where indexrelid = 'big_mw_only'::regclass`;
	expect(index).toEqual({ indisvalid: true });
});

test("a column, an index and a constraint are added to 5,000 rows without blocking readers or writers", async () => {
	await using traffic = startTraffic(big.url, 5_000);
	await eventually(() => traffic.reads > 10 && traffic.writes > 5);
	expect(await migrate(big.url, schema, big.folder(gentle))).toEqual(Object.keys(gentle));
	const { reads, writes } = traffic;
	await eventually(() => traffic.reads > reads + 10 && traffic.writes > writes + 5);
	expect(traffic.failures).toEqual([]);
});

test("a definition derived from code is applied after the files, and again only if it differs", async () => {
	const folder = big.folder({ "9105_seen.sql": "-- for the view\nalter table big add column seen text;\n" });
	const viewOf = (column: string) => ({
		repeatable: [{ name: "view", text: `drop view if exists seen; create view seen as select ${column} from big` }],
	});
	expect(await migrate(big.url, schema, folder, viewOf("seen"))).toEqual(["9105_seen.sql", "view"]);
	expect(await migrate(big.url, schema, folder, viewOf("seen"))).toEqual([]);
	expect(await migrate(big.url, schema, folder, viewOf("note"))).toEqual(["view"]);
});
