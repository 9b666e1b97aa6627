/** The views that SQL is asked of: documented to the last column, and all that their readers see. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Database, databases } from "#libs/contract/databases.ts";
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { createDatabase, type TestDatabase } from "../support/database.ts";
import { openReaders, type Readers } from "./support/views.ts";

let database: TestDatabase;
let admin: Sql & AsyncDisposable;
let readers: Readers;

beforeAll(async () => {
	database = await createDatabase();
	admin = connect(database.adminUrl, { schema: "public", name: "test", max: 1 });
	readers = openReaders(database.adminUrl);
});
afterAll(async () => {
	await readers?.[Symbol.asyncDispose]();
	await admin?.[Symbol.asyncDispose]();
	await database?.drop();
});

const databaseOf = (schema: string): Database => {
	const found = databases.find((name) => `query_${name}` === schema);
	if (found === undefined) throw new Error(`no database of ${schema}`);
	return found;
};

interface Column {
	database: string;
	view: string;
	kind: string;
	about: string | null;
	column: string;
	type: string;
	meaning: string | null;
}

const units = new Set([
	...[
		"MW",
		"kW",
		"MWh",
		"kWh",
		"MWh/year",
		"USD",
		"USD/MWh",
		"USD/kW",
		"USD/MW",
		"fraction",
		"percent",
		"points",
		"kV",
		"degrees",
	],
	...["days", "hours", "years", "km", "acres", "bytes"],
]);
/** What the end of a name says of the unit. */
const endings: readonly [RegExp, string][] = [
	[/_usd_mwh$/, "USD/MWh"],
	[/_usd_per_kw$|_cost_per_kw$/, "USD/kW"],
	[/(?<!per_operational|per|usd)_mw$/, "MW"],
	[/(?<!per)_kw$/, "kW"],
	[/_kv$/, "kV"],
	[/_usd$/, "USD"],
	[/_hours$/, "hours"],
	[/_km$/, "km"],
];

const unitOf = ({ meaning }: Column): string | undefined => /\[([^[\]]+)\]$/.exec(meaning ?? "")?.[1];

async function readColumns(): Promise<Column[]> {
	return admin<Column[]>`
		select n.nspname as database, c.relname as view, c.relkind as kind, obj_description(c.oid, 'pg_class') as about,
			a.attname as column, format_type(a.atttypid, null) as type, col_description(c.oid, a.attnum) as meaning
		from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
		where n.nspname = any(${databases.map((name) => `query_${name}`)}::text[]) order by 1, 2, a.attnum`;
}

describe("documents", () => {
	test("every database has views, and nothing but views", async () => {
		const columns = await readColumns();
		expect(new Set(columns.map(({ database }) => database))).toEqual(new Set(databases.map((name) => `query_${name}`)));
		expect(columns.filter(({ kind }) => kind !== "v")).toEqual([]);
	});

	test("every view and every column says what it means", async () => {
		const silent = (await readColumns()).filter(
			({ about, meaning }) => (about ?? "").length < 10 || (meaning ?? "").length < 3,
		);
		expect(silent.map(({ database, view, column }) => `${database}.${view}.${column}`)).toEqual([]);
	});

	test("a quantity says its unit, and units are of one short list", async () => {
		const wrong = (await readColumns()).flatMap((column) => {
			const name = `${column.database}.${column.view}.${column.column} (${unitOf(column)})`;
			const unit = unitOf(column);
			if (unit !== undefined && !units.has(unit)) return [`${name}: no unit of the list`];
			if (unit === undefined && /^(double|real|numeric)/.test(column.type)) return [`${name}: no unit`];
			const ending = endings.find(([pattern]) => pattern.test(column.column));
			return ending !== undefined && ending[1] !== unit ? [`${name}: not ${ending[1]}`] : [];
		});
		expect(wrong).toEqual([]);
	});
});

describe("readers", () => {
	test("see every view of their own database", async () => {
		for (const { database, view } of await readColumns()) {
			const rows = await readers.of(databaseOf(database)).unsafe(`select * from ${database}.${view} limit 1`);
			expect([view, rows.length]).toEqual([view, expect.any(Number)]);
		}
	});

	test("see nothing else, and write nowhere", async () => {
		const refused: [Database, string][] = [
			["master", "select * from queue_ingest.projects"],
			["master", "select * from query_developer.developers"],
			["developer", "select * from query_master.projects"],
			["grid", "select * from queue_ingest.plants"],
			["signals", "select * from query_capital.capital_raises"],
			["capital", "select * from signals.raises"],
			["scoring", "select * from scoring.scores"],
			["scoring", "select * from billing.keys"],
			["dg", "select * from queue_ingest.dataset_editions"],
			["datacenter", "select * from query_master.projects"],
			["market", "select * from queue_ingest.market_prices"],
			["master", "delete from query_master.project_raw"],
			["master", "create temporary table mine (a int)"],
			["master", "create table query_master.mine (a int)"],
			["master", "select queue_ingest.portfolio_of(1)"],
			["scoring", "set role scoring"],
		];
		// The role is read-only by default, which it could change: its rights have to do.
		for (const [name, text] of refused)
			await expect(
				readers.of(name).begin("read write", (tx) => tx.unsafe(text)),
				text,
			).rejects.toThrow(/permission denied/);
	});
});
