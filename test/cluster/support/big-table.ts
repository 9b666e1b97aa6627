/** A large table, and its readers and writers while it is migrated. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { createDatabase } from "../../support/database.ts";

export const schema = "queue_ingest";

export interface BigTable extends AsyncDisposable {
	url: string;
	sql: Sql;
	/** A folder with these migrations and no others. */
	folder(files: Record<string, string>): URL;
}

/** The table `big` with so many rows, in a database of its own. */
export async function makeBigTable(rows: number): Promise<BigTable> {
	await using stack = new AsyncDisposableStack();
	const { url } = stack.use(await createDatabase());
	const sql = stack.use(connect(url, { schema, name: "big", max: 8, statementTimeoutMs: 0 }));
	await sql`
		create table big as select n as id, (n % 7)::text as region, n::float8 as mw, repeat('x', 50) as note
		from generate_series(1, ${rows}::int) as n`;
	await sql`alter table big add primary key (id)`;
	const owned = stack.move();
	return {
		url,
		sql,
		folder(files) {
			const path = mkdtempSync(join(tmpdir(), "energy-test-migrations-"));
			owned.defer(() => rmSync(path, { recursive: true }));
			for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
			return pathToFileURL(`${path}/`);
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

export interface Traffic extends AsyncDisposable {
	readonly reads: number;
	readonly writes: number;
	/** Statements that failed, or waited longer for a lock than they may. */
	readonly failures: readonly unknown[];
}

/** Reads and writes until disposed; PostgreSQL itself ends what waits for a lock for more than `patienceMs`. */
export function startTraffic(url: string, patienceMs: number): Traffic {
	const sql = connect(url, { schema, name: "traffic", max: 4 });
	const counts = { reads: 0, writes: 0 };
	const failures: unknown[] = [];
	let stopped = false;
	const patiently = (work: (tx: Sql) => Promise<unknown>) =>
		sql.begin(async (tx) => {
			await tx`select set_config('lock_timeout', ${String(patienceMs)}, true)`;
			await work(tx as unknown as Sql);
		});
	const go = async (work: (at: number) => Promise<unknown>) => {
		for (let at = 1; !stopped; at++) await work(at).catch((error: unknown) => failures.push(error));
	};
	const read = async (at: number) => {
		await patiently((tx) => tx`select id, region, mw from big where id between ${at * 10} and ${at * 10 + 50}`);
		counts.reads++;
	};
	const write = async (at: number) => {
		await patiently((tx) => tx`insert into big (id, region, mw, note) values (${-at}, 'new', 1, '')`);
		counts.writes++;
	};
	const running = Promise.all([go(read), go(read), go(write)]);
	return {
		get reads() {
			return counts.reads;
		},
		get writes() {
			return counts.writes;
		},
		failures,
		async [Symbol.asyncDispose]() {
			stopped = true;
			await running;
			await sql[Symbol.asyncDispose]();
		},
	};
}

/** Three migrations of the kinds that a large table takes: a column, an index, a constraint. */
export const gentle = {
	"9001_column.sql": "-- the caller\nalter table big add column asked_by text not null default 'none';\n",
	"9002_index.sql":
		"-- alone: lists by region\ncreate index concurrently if not exists big_region on big (region, mw);\n",
	"9003_check.sql": "-- no negative power\nalter table big add constraint big_mw check (mw >= 0) not valid;\n",
	"9004_checked.sql": "-- reads the table, and blocks no other\nalter table big validate constraint big_mw;\n",
};
