/** POST /query as a caller meets it: rows as JSON, CSV and Parquet, what is cut off and that it is said, what there is to ask for. */
import { zstdDecompressSync } from "node:zlib";
import { tableFromIPC } from "apache-arrow";
import { parquetReadObjects } from "hyparquet";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { operations } from "#libs/contract/index.ts";
import { queryLimits } from "../../libs/contract/databases.ts";
import { startStatements, type TestStatements } from "./support/statements.ts";

let system: TestStatements;
beforeAll(async () => {
	system = await startStatements();
});
afterAll(() => system?.[Symbol.asyncDispose]());

const csv = "text/csv";
const parquet = "application/vnd.apache.parquet";
const arrow = "application/vnd.apache.arrow.stream";
const ZSTD = (input: Uint8Array) => new Uint8Array(zstdDecompressSync(input));

const ofView = (name: string) => ({ name, source: `master.plants_view.${name}`, description: "Of a test" });

describe("JSON", () => {
	test("rows come in the statement's order, with what is said about them", async () => {
		const answer = await system.ask("select id, name, capacity_mw from plants_view order by id desc limit 2;");
		expect(answer.status).toBe(200);
		expect(operations.runQuery.reply.parse(JSON.parse(answer.text))).toEqual({
			data: [
				{ id: 2000, name: "Plant 2000", capacity_mw: 3000 },
				{ id: 1999, name: "Plant 1999", capacity_mw: 2998.5 },
			],
			meta: {
				database: "master",
				columns: [
					{ ...ofView("id"), type: "INTEGER", unit: null },
					{ ...ofView("name"), type: "VARCHAR", unit: null },
					{ ...ofView("capacity_mw"), type: "DOUBLE", unit: "MW" },
				],
				rows: 2,
				truncated: false,
				truncated_by: null,
				row_limit: queryLimits.rows,
				byte_limit: queryLimits.bytes,
				views: [{ view: "master.plants_view", data_version: 7, as_of: "2026-01-02T03:04:05.000Z" }],
			},
		});
		expect(answer.headers.get("cache-control")).toBe("no-store");
	});

	test("numbers are exact, moments are UTC with a Z, and what is no number is text", async () => {
		const { text } = await system.ask(
			`select 9007199254740993 as whole, 0.1 + 0.2 as part, 12345678901234567890.123456789 as long, 'NaN'::double as nan,
			timestamptz '2024-05-01 12:00:00+02' as moment, timestamp '2024-05-01 12:00:00.5' as here, date '2024-05-01' as day,
			null as nothing, [1, 2] as list, true as yes, {'a': 'x', 'b': [null]} as struct, map {'k': 1} as map,
			0.1::float as short, 170141183460469231731687303715884105727 as huge, interval 1 month as span, 'é' as text`,
		);
		expect(text).toContain(
			'"data":[{"whole":9007199254740993,"part":0.3,"long":12345678901234567890.123456789,"nan":"NaN",' +
				'"moment":"2024-05-01T10:00:00Z","here":"2024-05-01T12:00:00.5","day":"2024-05-01",' +
				'"nothing":null,"list":[1,2],"yes":true,"struct":{"a":"x","b":[null]},"map":{"k":1},' +
				'"short":0.1,"huge":170141183460469231731687303715884105727,"span":"1 month","text":"é"}]',
		);
	});

	test("no rows are an empty list, and their columns are known", async () => {
		const { data, meta } = await system.ask("select id from plants_view where false");
		expect([data, meta.rows, meta.columns]).toEqual([[], 0, [{ ...ofView("id"), type: "INTEGER", unit: null }]]);
	});

	test("names of columns are as they were written, and of two with one name the second has a number", async () => {
		const { data } = await system.ask('select 1 as "a ""b""", 2 as "Straße, \\", 3 as id, 4 as id, 5 as id_1');
		expect(data).toEqual([{ 'a "b"': 1, "Straße, \\": 2, id: 3, id_2: 4, id_1: 5 }]);
		const taken = await system.ask(
			"select a.id, b.id, 3 as ID, 4 as id_2 from plants_view a join plants_view b on a.id = 1 and b.id = 2",
		);
		expect(taken.data).toEqual([{ id: 1, id_3: 2, ID_4: 3, id_2: 4 }]);
		expect(taken.meta.columns).toMatchObject([{ name: "id" }, { name: "id_3" }, { name: "ID_4" }, { name: "id_2" }]);
	});

	test.each<[string, Record<string, string>]>([
		[
			"select capacity_mw, round(sum(id)) as total_mw, sum(id) as avg_usd_mwh, id as ranked from plants_view group by all",
			{ capacity_mw: "plants_view.capacity_mw MW", total_mw: "MW", avg_usd_mwh: "USD/MWh", ranked: "" },
		],
		[
			"select 1.5 as MW, 2 as cost_usd, 3 as requests_per_mw, 4 as usd_per_kw, 'x' as text_mw, 5 as farmw",
			{ MW: "MW", cost_usd: "USD", requests_per_mw: "", usd_per_kw: "USD/kW", text_mw: "", farmw: "" },
		],
		[
			"select * from plants_view join requests_view using (id, name) limit 1",
			{
				id: "",
				capacity_mw: "MW",
				capacity_mw_2: "MW",
				region_id: "requests_view.region_id",
				raw: "requests_view.raw",
			},
		],
		[
			"select r.*, o.owner from requests_view r join grid.owners_view o on o.plant_id = r.id limit 1",
			{ id: "requests_view.id", capacity_mw: "requests_view.capacity_mw MW", owner: "grid.owners_view.owner" },
		],
		["select id as name from plants_view", { name: "" }],
		["describe plants_view", { column_name: "" }],
	])("of %s the names say which columns of views they are, and their units", async (sql, expected) => {
		const { meta } = operations.runQuery.reply.parse(JSON.parse((await system.ask(sql)).text));
		const shown = meta.columns.map(({ name, source, unit }) => [
			name,
			[source?.replace("master.", "") ?? "", unit ?? ""].filter(Boolean).join(" "),
		]);
		expect(Object.fromEntries(shown)).toMatchObject(expected);
		for (const { source, description } of meta.columns) expect(description === null).toBe(source === null);
	});

	test("joins, windows, WITH, recursion, sets, series and JSON work", async () => {
		const { detail, data } = await system.ask(`
			with big as (select id, name, capacity_mw from plants_view where capacity_mw > 2990),
				ranked as (select *, rank() over (order by capacity_mw desc) as place from big)
			select r.name, r.place, p.states[1] as state, extract(year from p.opened_at) as year, m.n,
				(select count(*) from big b where b.capacity_mw < r.capacity_mw) as smaller,
				json_object('mw', r.capacity_mw) as power
			from ranked r join plants_view p using (id), lateral (select r.place * 10 as n) m
			where regexp_matches(r.name, '^Plant \\d+$') and p.opened_at at time zone 'UTC' > timestamp '2024-01-01'
			union all
			select 'month', month(d), strftime(d, '%Y-%m'), null, null, null, null
			from generate_series(date '2024-01-01', date '2024-02-01', interval 1 month) as s (d)
			order by 2, 1`);
		expect(detail).toBe("");
		expect(data[0]).toEqual({
			...{ name: "Plant 2000", place: 1, state: "TX", year: 2024, n: 10, smaller: 6, power: { mw: 3000 } },
		});
		expect(data.map(({ name }) => name)).toContain("month");
		const fibonacci = `with recursive f(a, b) as (select 1, 1 union all select b, a + b from f where b < 50) select a from f`;
		expect((await system.ask(fibonacci)).data.at(-1)).toEqual({ a: 34 });
	});

	test("a WITH query may have the name of the view that it reads", async () => {
		const sql = "with plants_view as (select * from plants_view where id <= 3) select count(*) as n from plants_view";
		const { data, meta } = await system.ask(sql);
		expect(data).toEqual([{ n: 3 }]);
		expect(meta.views).toEqual([expect.objectContaining({ view: "master.plants_view" })]);
	});

	test("views of all databases are joined in one statement, and `database` says where a bare name is looked for", async () => {
		const joined =
			"select p.name, o.owner from plants_view p join grid.owners_view o on o.plant_id = p.id where p.id = 3";
		expect((await system.ask(joined)).data).toEqual([{ name: "Plant 3", owner: "Owner 3" }]);
		const there = await system.ask("select count(*) as n from owners_view", { database: "grid" });
		expect([there.data, there.meta.views]).toEqual([
			[{ n: 100 }],
			[{ view: "grid.owners_view", data_version: 7, as_of: "2026-01-02T03:04:05.000Z" }],
		]);
	});

	test.each([
		["from plants_view limit 1", 1],
		["describe plants_view", 5],
		["summarize plants_view", 5],
		["values (1), (2)", 2],
		["pivot requests_view on region_id in (1, 2) using count(*)", 1],
		["unpivot (select 1 as a, 2 as b) on a, b into name n value v", 2],
		["select columns('^(id|name)$') from plants_view limit 3", 3],
	])("%s is a query too", async (sql, rows) => {
		const { detail, data } = await system.ask(sql);
		expect([detail, data.length > 0, data.length >= rows]).toEqual(["", true, true]);
	});
});

describe("a link", () => {
	const open = (sql: string, more = "", headers: Record<string, string> = {}) =>
		fetch(`${system.url}/query?sql=${encodeURIComponent(sql)}${more}`, { headers });

	test("answers what POST does, in each form", async () => {
		const sql = "select owner, plant_id + 1 as next from owners_view where owner like '%9' order by plant_id";
		const posted = await system.ask(sql, { database: "grid" });
		expect(posted.data.length).toBe(10);
		for (const [accept, more, as] of [
			["application/json", "", "application/json"],
			[csv, "&format=json", "application/json"],
			[csv, "", csv],
			["*/*", "&format=csv", csv],
			[parquet, "", parquet],
			["*/*", "&format=PARQUET", parquet],
			["*/*", "&format=arrow", arrow],
		] as const) {
			const linked = await open(sql, `&database=grid${more}`, { accept });
			const same = await system.ask(sql, { database: "grid", accept: as });
			expect([more, linked.status, linked.headers.get("content-type")]).toEqual([
				more,
				200,
				same.headers.get("content-type"),
			]);
			expect(Buffer.from(await linked.arrayBuffer()).equals(same.bytes)).toBe(true);
			expect(linked.headers.get("x-row-count")).toBe(same.headers.get("x-row-count"));
			expect(linked.headers.get("vary")).toContain("Accept");
		}
	});

	test("is run once while the extracts are the same, for a minute, and each time by POST", async () => {
		const sql = "select uuid()::varchar as id";
		const idOf = async () => ((await (await open(sql)).json()) as { data: { id: string }[] }).data[0]?.id;
		const first = await idOf();
		system.clock.now += 59_999;
		expect(await idOf()).toBe(first);
		expect((await system.ask(sql)).data[0]?.id).not.toBe(first);
		expect(await idOf()).toBe(first);
		system.clock.now += 1;
		const later = await idOf();
		expect(later).not.toBe(first);
		expect(await idOf()).toBe(later);
		system.renew();
		expect(await idOf()).not.toBe(later);
	});

	test("is a 304 for a client that has the result", async () => {
		const sql = "select count(*) as n from plants_view";
		const answered = await open(sql);
		const etag = answered.headers.get("etag") ?? "";
		expect([etag.length > 10, answered.headers.get("cache-control")]).toEqual([true, "private, no-cache"]);
		system.renew();
		expect((await open(sql, "", { "if-none-match": etag })).status).toBe(304);
		expect((await open(`${sql} where id > 5`, "", { "if-none-match": etag })).status).toBe(200);
	});

	test("is refused as by POST, naming what is wrong", async () => {
		const refusals = [
			["drop table plants_view", "", 400, "statement_refused"],
			["select 1", "&database=nowhere", 422, "invalid_parameters"],
			["select 1", "&format=xml", 422, "invalid_parameters"],
			["", "", 422, "invalid_parameters"],
		] as const;
		for (const [sql, more, status, code] of refusals) {
			const refused = await open(sql, more);
			expect([sql, more, refused.status]).toEqual([sql, more, status]);
			expect(await refused.json()).toMatchObject({ code });
		}
	});
});

describe("files", () => {
	test("the same rows come as CSV with a header where Accept asks for it", async () => {
		const { status, text, headers } = await system.ask(
			`select n, case n when 1 then 'a,"b"' when 2 then '' when 3 then null else '=1+1' end as t,
			timestamptz '2024-05-01 12:00:00Z' as at from range(1, 5) s(n) order by n`,
			{ accept: csv },
		);
		expect(status).toBe(200);
		expect(headers.get("content-type")).toMatch(/^text\/csv/);
		expect([headers.get("x-truncated"), headers.get("x-row-count"), headers.get("vary")]).toEqual([
			"false",
			"4",
			"Accept, Accept-Encoding",
		]);
		expect(headers.get("access-control-expose-headers")).toMatch(/X-Row-Count, .*X-Truncated/);
		const at = "2024-05-01T12:00:00Z";
		expect(text).toBe(`n,t,at\r\n1,"a,""b""",${at}\r\n2,"",${at}\r\n3,,${at}\r\n4,=1+1,${at}\r\n`);
	});

	test("where it is safe, no text or name of CSV is a formula to a spreadsheet, and numbers stay as they are", async () => {
		const sql = `select t as "=t", -n as n, -n::decimal(4, 1) as d from (values ('=1+1', 1), ('+1', 2), ('-1', 3), ('@a', 4),
			(e'\ta', 5), (e'\ra', 6), ('a=1', 7), ('', 8), (e'\na', 9), ('＝1', 10)) s(t, n) order by s.n`;
		const answer = (more: string) => fetch(`${system.url}/query?${new URLSearchParams({ sql })}&${more}`);
		expect(await (await answer("format=csv&safe=1")).text()).toBe(
			"'=t,n,d\r\n'=1+1,-1,-1.0\r\n'+1,-2,-2.0\r\n'-1,-3,-3.0\r\n'@a,-4,-4.0\r\n" +
				'\'\ta,-5,-5.0\r\n"\'\ra",-6,-6.0\r\na=1,-7,-7.0\r\n"",-8,-8.0\r\n"\'\na",-9,-9.0\r\n\'＝1,-10,-10.0\r\n',
		);
		expect(await (await answer("format=csv")).text()).toMatch(/^=t,n,d\r\n=1\+1,-1,-1.0\r\n/);
		expect((await answer("format=json&safe=1")).status).toBe(422);
	});

	test("of columns with one name all but the first have a number, in CSV and in Parquet", async () => {
		const sql = "select 1 as x, 2 as x, 3 as x";
		expect((await system.ask(sql, { accept: csv })).text).toBe("x,x_2,x_3\r\n1,2,3\r\n");
		const { bytes } = await system.ask(sql, { accept: parquet });
		expect(await parquetReadObjects({ file: new Uint8Array(bytes).buffer, compressors: { ZSTD } })).toEqual([
			{ x: 1, x_2: 2, x_3: 3 },
		]);
	});

	test("no rows are a header alone", async () => {
		const { text } = await system.ask('select id, name as "the, name" from plants_view where false', { accept: csv });
		expect(text).toBe('id,"the, name"\r\n');
	});

	test("the same rows come as typed Parquet where Accept asks for it", async () => {
		const { status, bytes, headers } = await system.ask(
			"select id, name, capacity_mw, opened_at, states, null as nothing from plants_view order by id limit 2",
			{ accept: parquet },
		);
		expect([status, headers.get("content-type"), headers.get("x-row-count")]).toEqual([200, parquet, "2"]);
		const file = new Uint8Array(bytes).buffer;
		expect(await parquetReadObjects({ file, compressors: { ZSTD } })).toEqual([
			{
				id: 1,
				name: "Plant 1",
				capacity_mw: 1.5,
				opened_at: new Date("2024-01-01T01:00:00Z"),
				states: '["TX","CA"]',
				nothing: null,
			},
			{
				id: 2,
				name: "Plant 2",
				capacity_mw: 3,
				opened_at: new Date("2024-01-01T02:00:00Z"),
				states: '["TX","CA"]',
				nothing: null,
			},
		]);
	});

	test("the same rows come as a stream of Arrow with DuckDB's types, also of decimals, lists and large sums", async () => {
		const sql = `select * from (values
			(1.50::decimal(9, 2), 17 * 10::hugeint * 10000000000::hugeint * 10000000000::hugeint, date '2024-02-29',
				timestamptz '2024-01-01 01:00:00.000001Z', [1, null], 'a', 5::utinyint, {'x': 1}),
			(-0.01, -1, date '1969-12-31', null, [], 'b', null, null),
			(null, null, date 'infinity', timestamptz 'infinity', null, null, 7, null)
		) t (money, large, day, moment, list, text, small, object)`;
		const { status, bytes, headers } = await system.ask(sql, { accept: arrow });
		expect([status, headers.get("content-type"), headers.get("x-row-count")]).toEqual([200, arrow, "3"]);
		const table = tableFromIPC(bytes);
		expect(Object.fromEntries(table.schema.fields.map(({ name, type }) => [name, String(type)]))).toEqual({
			...{ money: "Decimal[9e+2]", large: "Decimal[38e0]", day: "Date32<DAY>", moment: "Timestamp<MICROSECOND, UTC>" },
			...{ list: "List<Int32>", text: "Utf8", small: "Uint8", object: "Utf8" },
		});
		const decimals = (name: string) => [...(table.getChild(name) ?? [])].map((each) => each && String(each));
		expect([decimals("money"), decimals("large")]).toEqual([
			["150", "-1", null],
			["17000000000000000000000", "-1", null],
		]);
		expect(table.getChild("moment")?.data[0]?.values[0]).toBe(1_704_070_800_000_001n);
		expect(table.getChild("day")?.toJSON()).toEqual([Date.UTC(2024, 1, 29), Date.UTC(1969, 11, 31), null]);
		expect(
			table
				.getChild("list")
				?.toJSON()
				.map((each) => each && [...each]),
		).toEqual([[1, null], [], null]);
		expect(table.getChild("object")?.toJSON()).toEqual(['{"x":1}', null, null]);
		const nothing = await system.ask("select sum(1) as n from range(0)", { accept: arrow });
		expect(String(tableFromIPC(nothing.bytes).schema.fields[0]?.type)).toBe("Decimal[38e0]");
		expect(tableFromIPC((await system.ask("select 1 as n where false", { accept: arrow })).bytes).numRows).toBe(0);
	});

	test("a client that accepts JSON equally, or anything, gets JSON", async () => {
		for (const accept of ["*/*", "text/csv;q=0.5, application/json", "text/*;q=0.1, */*"])
			expect((await system.ask("select 1 as n", { accept })).headers.get("content-type")).toMatch(/^application\/json/);
	});

	test("an error is JSON all the same", async () => {
		for (const accept of [csv, parquet])
			expect(await system.ask("select nothing from plants_view", { accept })).toMatchObject({
				status: 400,
				detail: expect.stringContaining('"nothing" not found'),
			});
	});
});

describe("GET /query/schema", () => {
	test("views have their true numbers of rows, and each column of each can be asked for", async () => {
		const response = await fetch(`${system.url}/query/schema`);
		const { databases, limits, functions } = operations.getQuerySchema.reply.parse(await response.json());
		expect(limits).toMatchObject({ rows: queryLimits.rows, timeout_ms: queryLimits.timeoutMs, at_once: 2 });
		expect(functions).toEqual(expect.arrayContaining(["count", "percentile_cont", "date_trunc"]));
		expect(functions).not.toContain("getenv");
		const views = databases.flatMap(({ name, views: own }) => own.map((view) => ({ database: name, ...view })));
		expect(views.map(({ name, rows }) => [name, rows])).toEqual([
			["plants_view", 2000],
			["requests_view", 2000],
			["owners_view", 100],
		]);
		for (const { database, name, columns, rows } of views) {
			const names = columns.map((column) => `"${column.name}"`).join(", ");
			const { detail, data, meta } = await system.ask(`select ${names} from ${name}`, { database });
			expect([detail, data.length]).toEqual(["", rows]);
			expect(meta.columns).toMatchObject(columns.map((column) => ({ name: column.name, type: column.type })));
		}
	});
});

describe("truncation", () => {
	test("rows beyond the limit are left out, and the result says so", async () => {
		const many = (rows: number) => `select n from range(1, ${rows + 1}) s(n) order by n`;
		const whole = await system.ask(many(queryLimits.rows));
		expect(whole.meta).toMatchObject({ rows: queryLimits.rows, truncated: false, truncated_by: null });
		const cut = await system.ask(many(queryLimits.rows + 1));
		expect(cut.meta).toMatchObject({ rows: queryLimits.rows, truncated: true, truncated_by: "rows" });
		expect(cut.data.at(-1)).toEqual({ n: queryLimits.rows });
		const { headers, text } = await system.ask(many(queryLimits.rows + 1), { accept: csv });
		expect([headers.get("x-truncated"), headers.get("x-row-count")]).toEqual(["rows", String(queryLimits.rows)]);
		expect(text.split("\r\n")).toHaveLength(queryLimits.rows + 2);
	});

	test("rows beyond the largest answer are left out, and the result says so", async () => {
		const long = "select n, repeat('x', 1800) as x from range(1, 5001) s(n) order by n";
		const { meta, data, text } = await system.ask(long);
		expect(meta).toMatchObject({ truncated: true, truncated_by: "bytes", rows: data.length });
		expect(text.length).toBeGreaterThan(queryLimits.bytes * 0.99);
		expect(text.length).toBeLessThan(queryLimits.bytes + 1_000);
		expect(data.map(({ n }) => n)).toEqual(data.map((_, index) => index + 1));
		for (const accept of [csv, parquet])
			expect((await system.ask(long, { accept })).headers.get("x-truncated")).toBe("bytes");
	});

	test("names of columns are within the limit of the answer, and of a row", async () => {
		const wide = (doublings: number, rows: number) => {
			const twice = Array.from({ length: doublings }, (_, n) => `t${n + 1} as (select a.*, b.* from t${n} a, t${n} b)`);
			const names = [`t0 as (select 1 as "${"x".repeat(9_000)}")`, ...twice];
			return `with ${names.join(", ")} select t${doublings}.* from t${doublings}, range(${rows})`;
		};
		const { status, meta, text } = await system.ask(wide(6, 20));
		expect([status, meta.truncated_by]).toEqual([200, "bytes"]);
		expect(text.length).toBeLessThan(queryLimits.bytes + 10_000);
		for (const accept of ["application/json", csv, parquet])
			expect(await system.ask(wide(7, 0), { accept })).toMatchObject({
				status: 400,
				detail: expect.stringMatching(/^the names and types of the columns are longer than/),
			});
	});

	test("CSV of quotation marks is cut by its own length, not by one that JSON would give it", async () => {
		const quotes = (rows: number) => `select repeat('"', 1980) as q from range(${rows})`;
		const whole = await system.ask(quotes(800), { accept: csv });
		expect([whole.detail, whole.headers.get("x-truncated")]).toEqual(["", "false"]);
		expect(whole.text.split("\r\n")).toHaveLength(802);
		const cut = await system.ask(quotes(1_400), { accept: csv });
		expect([cut.detail, cut.headers.get("x-truncated")]).toEqual(["", "bytes"]);
		expect(cut.text.length).toBeGreaterThan(queryLimits.bytes * 0.99);
	});

	test("a row longer than a row may be is an error", async () => {
		expect(await system.ask("select repeat('x', 1100000) as x")).toMatchObject({
			status: 400,
			detail: `a row is longer than ${queryLimits.rowBytes} bytes: select fewer or shorter columns`,
		});
	});
});

describe("statements of analysts, which the sandbox must not refuse", () => {
	test.each([
		"select count(*) as n from requests_view where name ilike '%solar%'",
		"select id from requests_view where name like '%park 1%' or name similar to '.*park [0-9]' order by id limit 10",
		"select region_id, count(*) as n, round(sum(capacity_mw), 1) as mw from requests_view group by all order by mw desc",
		"select region_id, string_agg(distinct status, ', ' order by status) as names from requests_view group by 1",
		"select length(array_agg(id)) as n, list(id)[1] as first from requests_view",
		"select region_id, json_group_array(json_object('id', id, 'mw', capacity_mw)) as top from requests_view where id < 50 group by 1",
		"select percentile_cont(0.5) within group (order by capacity_mw) as median, quantile_cont(capacity_mw, [0.1, 0.9]) as deciles from requests_view group by region_id",
		"select region_id, stddev(capacity_mw) as s, variance(capacity_mw) as v, corr(id, capacity_mw) as c from requests_view group by 1",
		"select id, rank() over (partition by region_id order by capacity_mw desc) as place from requests_view qualify place <= 3",
		"select queue_date, sum(sum(capacity_mw)) over (order by queue_date) as running from requests_view group by 1 order by 1 limit 10",
		"select id, capacity_mw - lag(capacity_mw) over (order by id) as more from requests_view limit 10",
		"select a.region_id, a.n, b.mw from (select region_id, count(*) as n from requests_view group by 1) a join (select region_id, sum(capacity_mw) as mw from requests_view group by 1) b using (region_id)",
		"with y as (select extract(year from queue_date) as year, status, sum(capacity_mw) as mw from requests_view group by 1, 2), t as (select year, sum(mw) as all_mw from y group by 1) select y.year, y.status, round(100.0 * y.mw / nullif(t.all_mw, 0), 1) as pct from y join t using (year) order by 1, 2",
		"select concat(name, ' (', status, ')') as label, name || ': ' || capacity_mw || ' MW' as text from requests_view limit 10",
		"select strftime(queue_date, '%Y-%m') as month, date_trunc('quarter', queue_date) as quarter, datediff('day', queue_date, current_date) as days from requests_view limit 5",
		"select split_part(name, ' ', 3)::int as n, replace(name, 'Solar ', '') as short, trim(name) as t, position('park' in name) as p from requests_view limit 5",
		"select regexp_replace(name, '[0-9]+$', '') as stem, count(*) as n from requests_view group by 1",
		"select raw ->> 'Fuel' as fuel, (raw ->> 'MW')::int as mw, json_extract_string(raw, '$.Fuel') as f from requests_view limit 5",
		"select r.id from requests_view r where exists (select 1 from plants_view p where p.id = r.id and list_contains(p.states, 'TX')) limit 5",
		"select m::date as month, (select count(*) from plants_view where opened_at < m) as open from generate_series(timestamp '2024-01-01', timestamp '2024-06-01', interval 1 month) as s (m)",
		"select distinct on (region_id) region_id, name from requests_view order by region_id, capacity_mw desc",
		"select state, count(*) as n from (select unnest(states) as state from plants_view) group by 1",
		"select count(*) filter (where status is null) as unknown, count(*) filter (status = 'Active') as active, sum(case when status = 'Active' then capacity_mw else 0 end) as mw from requests_view",
		"select region_id, status, sum(capacity_mw) as mw from requests_view group by rollup (region_id, status)",
		"select median(capacity_mw) as m, mode(status) as s, arg_max(name, capacity_mw) as largest from requests_view",
		"pivot (select region_id, status, capacity_mw from requests_view) on status in ('Active') using sum(capacity_mw) group by region_id",
		"select least(1, 2) as a, greatest(1, 2) as b, coalesce(null, 3) as c, nullif(1, 1) as d, if(true, 1, 2) as e, try_cast('x' as int) as f",
		"select * exclude (raw), * replace (upper(name) as name) from requests_view limit 2",
		"select id, list_transform(states, lambda s: lower(s)) as lower_states, [s for s in states if s = 'TX'] as texas from plants_view limit 2",
		"select a.id, b.id as near from requests_view a asof join requests_view b on a.capacity_mw > b.capacity_mw limit 3",
		"from requests_view select region_id, count() group by 1 having count() > 10 order by all limit 3",
		"select jaro_winkler_similarity('Invenergy', 'Inveneryg') as near, levenshtein('a', 'b') as edits, soundness from (select 1 as soundness)",
		"select (select max(capacity_mw) from plants_view) - capacity_mw as below from plants_view where id in (select id from requests_view where region_id = 3) order by 1 limit 5 offset 2",
		"select count(*) as n from master.plants_view p left join grid.owners_view o on o.plant_id = p.id where o.owner is null",
	])("%s", async (sql) => {
		const { status, detail, data } = await system.ask(sql);
		expect([detail, status]).toEqual(["", 200]);
		expect(data.length).toBeGreaterThan(0);
	});
});
