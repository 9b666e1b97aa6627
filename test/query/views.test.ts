/** The views that extracts and SQL show: documented to the last column, true to their statements, and sorted so that they stay the same. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Database, databaseOwners, databases } from "#libs/contract/databases.ts";
import { connect } from "#libs/postgres/connect.ts";
import type { View } from "../../libs/parquet/view.ts";
import { databases as queues } from "../../services/queue-ingest/extracts/index.ts";
import { databases as scoring } from "../../services/scoring/extracts/scoring.ts";
import { databases as signals } from "../../services/signals/extracts/index.ts";
import { createDatabase, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;
beforeAll(async () => {
	database = await createDatabase();
});
afterAll(() => database?.drop());

const owned = { "queue-ingest": queues, signals, scoring };
const all = databases.flatMap(
	(name) =>
		(owned[databaseOwners[name]] as Partial<Record<Database, readonly View[]>>)[name]?.map((view) => ({
			name,
			view,
		})) ?? [],
);
const columns = all.flatMap(({ name, view }) =>
	Object.entries(view.columns).map(([column, about]) => ({ name: `${name}.${view.name}.${column}`, column, ...about })),
);

const units = new Set(
	"MW kW MWh kWh MWh/year USD USD/MWh USD/kW USD/MW fraction percent points kV degrees days hours years km acres bytes".split(
		" ",
	),
);
/** Units by the end of a column's name. */
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

describe("documents", () => {
	test("every database has views, each of its owner", () => {
		expect(new Set(all.map(({ name }) => name))).toEqual(new Set(databases));
		expect(all).toHaveLength(50);
	});

	test("every view and every column says what it means", () => {
		expect(all.filter(({ view }) => view.description.length < 10)).toEqual([]);
		expect(columns.filter(({ description }) => description.length < 3)).toEqual([]);
	});

	test("a quantity says its unit, and units are of one short list", () => {
		const wrong = columns.flatMap(({ name, column, type, unit }) => {
			if (unit !== null && !units.has(unit)) return [`${name}: ${unit} is no unit of the list`];
			if (unit === null && type === "DOUBLE") return [`${name}: no unit`];
			const ending = endings.find(([pattern]) => pattern.test(column));
			return ending !== undefined && ending[1] !== unit ? [`${name}: not ${ending[1]}`] : [];
		});
		expect(wrong).toEqual([]);
	});
});

const postgresTypes: Record<string, string> = {
	VARCHAR: "text",
	INTEGER: "integer|smallint",
	BIGINT: "bigint",
	DOUBLE: "double precision",
	BOOLEAN: "boolean",
	DATE: "date",
	"TIMESTAMP WITH TIME ZONE": "timestamp with time zone",
	"VARCHAR[]": "text\\[\\]",
	JSON: "jsonb",
};

test("a view's statement has the columns and types that it declares, and is sorted by some of them", async () => {
	for (const { name, view } of all) {
		const owner = databaseOwners[name];
		await using sql = connect(database.urlOf(owner), { schema: owner.replace("-", "_"), name: "test", max: 1 });
		await sql.unsafe(`create temporary table shown as ${view.sql} with no data`);
		const found = await sql<{ column: string; type: string }[]>`
			select attname as column, format_type(atttypid, atttypmod) as type from pg_attribute
			where attrelid = 'shown'::regclass and attnum > 0 order by attnum`;
		expect([name, view.name, found.map(({ column }) => column)]).toEqual([name, view.name, Object.keys(view.columns)]);
		for (const { column, type } of found)
			expect([name, view.name, column, type]).toEqual([
				...[name, view.name, column],
				expect.stringMatching(new RegExp(`^(${postgresTypes[view.columns[column]?.type ?? ""]})$`)),
			]);
		expect(Object.keys(view.columns)).toEqual(expect.arrayContaining([...view.order]));
	}
});
