/** POST /query as a caller meets it: rows as JSON and CSV, what is cut off and that it is said, what there is to ask for. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { operations } from "#libs/contract/index.ts";
import { databasesOf, queryLimits } from "../../libs/contract/databases.ts";
import { makeViews, startSandbox, type TestSandbox } from "./support/sandbox.ts";

let system: TestSandbox;
beforeAll(async () => {
	system = await startSandbox();
	await makeViews(system.owner, system.admin);
});
afterAll(() => system?.[Symbol.asyncDispose]());

const csv = "text/csv";

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
					{ name: "id", type: "integer" },
					{ name: "name", type: "text" },
					{ name: "capacity_mw", type: "numeric" },
				],
				rows: 2,
				truncated: false,
				truncated_by: null,
				row_limit: queryLimits.rows,
				byte_limit: queryLimits.bytes,
			},
		});
		expect(answer.headers.get("cache-control")).toBe("no-store");
	});

	test("numbers are exact, moments are UTC with a Z, and what is no number is text", async () => {
		const { text } = await system.ask(
			`select 9007199254740993 as whole, 0.1 + 0.2 as part, 12345678901234567890.123456789 as long, 'NaN'::float8 as nan,
			timestamptz '2024-05-01 12:00+02' as moment, date '2024-05-01' as day, null as nothing, array[1, 2] as list, true as yes`,
		);
		expect(text).toContain(
			'"data":[{"whole":9007199254740993,"part":0.3,"long":12345678901234567890.123456789,"nan":"NaN",' +
				'"moment":"2024-05-01T10:00:00Z","day":"2024-05-01","nothing":null,"list":[1,2],"yes":true}]',
		);
	});

	test("no rows are an empty list, and their columns are known", async () => {
		const { data, meta } = await system.ask("select id from plants_view where false");
		expect([data, meta.rows, meta.columns]).toEqual([[], 0, [{ name: "id", type: "integer" }]]);
	});

	test("a column may have any name that the text around the statement uses", async () => {
		const sql =
			"select 1 as r, 2 as q, 3 as j, 4 as t, 5 as s, 6 as c1, 7 as n, 8 as bytes, 9 as u, 10 as w, 11 as total";
		const { data } = await system.ask(sql);
		expect(Object.values(data[0] ?? {})).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
		expect((await system.ask(sql, { accept: csv })).text).toBe(
			"r,q,j,t,s,c1,n,bytes,u,w,total\r\n1,2,3,4,5,6,7,8,9,10,11\r\n",
		);
	});

	test("names of columns are as they were written, quotes included", async () => {
		const { data } = await system.ask('select 1 as "a ""b""", 2 as "Straße, \\", 3');
		expect(data).toEqual([{ 'a "b"': 1, "Straße, \\": 2, "?column?": 3 }]);
	});

	test("joins, windows, WITH, sets, series and JSON work", async () => {
		const { status, data } = await system.ask(`
			with big as (select id, name, capacity_mw from plants_view where capacity_mw > 2990),
				ranked as (select *, rank() over (order by capacity_mw desc) as place from big)
			select r.name, r.place, p.states[1] as state, extract(year from p.opened_at) as year, m.n,
				(select count(*) from big b where b.capacity_mw < r.capacity_mw) as smaller,
				json_build_object('mw', r.capacity_mw) as power
			from ranked r join plants_view p using (id), lateral (select r.place * 10 as n) m
			where r.name ~ '^Plant \\d+$' and p.opened_at at time zone 'UTC' > timestamp '2024-01-01'
			union all
			select 'month', n, to_char(d, 'YYYY-MM'), null, null, null, null
			from generate_series(date '2024-01-01', date '2024-02-01', interval '1 month') with ordinality as s (d, n)
			order by 2, 1`);
		expect(status).toBe(200);
		expect(data[0]).toEqual({
			...{ name: "Plant 2000", place: 1, state: "TX", year: 2024, n: 10, smaller: 6, power: { mw: 3000 } },
		});
		expect(data.map(({ name }) => name)).toContain("month");
	});
});

describe("CSV", () => {
	test("the same rows come with a header where Accept asks for it", async () => {
		const { status, text, headers } = await system.ask(
			`select n, case n when 1 then 'a,"b"' when 2 then '' when 3 then null else '=1+1' end as t,
			timestamptz '2024-05-01 12:00Z' as at from generate_series(1, 4) as n order by n`,
			{ accept: csv },
		);
		expect(status).toBe(200);
		expect(headers.get("content-type")).toMatch(/^text\/csv/);
		expect([headers.get("x-truncated"), headers.get("x-row-count"), headers.get("vary")]).toEqual([
			"false",
			"4",
			"Accept",
		]);
		expect(headers.get("access-control-expose-headers")).toMatch(/X-Row-Count, .*X-Truncated/);
		const at = "2024-05-01T12:00:00Z";
		expect(text).toBe(`n,t,at\r\n1,"a,""b""",${at}\r\n2,"",${at}\r\n3,,${at}\r\n4,=1+1,${at}\r\n`);
	});

	test("no rows are a header alone", async () => {
		const { text } = await system.ask('select id, name as "the, name" from plants_view where false', { accept: csv });
		expect(text).toBe('id,"the, name"\r\n');
	});

	test("who accepts JSON as gladly, or anything, gets JSON", async () => {
		for (const accept of ["*/*", "text/csv;q=0.5, application/json", "text/*;q=0.1, */*"])
			expect((await system.ask("select 1 as n", { accept })).headers.get("content-type")).toMatch(/^application\/json/);
	});

	test("an error is JSON all the same", async () => {
		expect(await system.ask("select nothing", { accept: csv })).toMatchObject({
			status: 400,
			detail: 'column "nothing" does not exist (line 1, column 8)',
		});
	});
});

describe("GET /query/schema", () => {
	const schemaOf = async (database: string) => {
		const response = await fetch(`${system.url}/query/schema?database=${database}`);
		expect(response.status).toBe(200);
		return operations.getQuerySchema.reply.parse(await response.json());
	};

	test("a view is described as its comments say, the unit apart from the meaning", async () => {
		const { databases: described, limits, functions } = await schemaOf("master");
		expect(described.map(({ name }) => name)).toEqual(["master"]);
		expect(described[0]?.views.find(({ name }) => name === "plants_view")).toEqual({
			name: "plants_view",
			description: "Plants of a test",
			rows: 2000,
			columns: [
				{ name: "id", type: "integer", description: "Number of the plant", unit: null },
				{ name: "name", type: "text", description: "Its name", unit: null },
				{ name: "capacity_mw", type: "numeric", description: "Power at the grid", unit: "MW" },
				{ name: "opened_at", type: "timestamp with time zone", description: "When it was opened, UTC", unit: null },
				{ name: "states", type: "text[]", description: "Where it stands", unit: null },
			],
		});
		expect(limits).toMatchObject({ rows: queryLimits.rows, timeout_ms: queryLimits.timeoutMs, at_once: 2 });
		expect(functions).toEqual(expect.arrayContaining(["count", "percentile_cont", "date_trunc"]));
		expect(functions).not.toContain("pg_sleep");
	});

	test("a statement can name every view that is described, and every column of it", async () => {
		for (const database of databasesOf("queue-ingest")) {
			const [described] = (await schemaOf(database)).databases;
			expect(described?.description).not.toBe("");
			for (const view of described?.views ?? []) {
				const columns = view.columns.map(({ name }) => `"${name}"`).join(", ");
				const { status, detail, meta } = await system.ask(`select ${columns} from ${view.name} limit 1`, { database });
				expect([view.name, status, detail]).toEqual([view.name, 200, ""]);
				const typeOf = ({ name, type }: { name: string; type: string }) => [name, type.replace(/\([\d,]+\)/, "")];
				expect((meta.columns as { name: string; type: string }[]).map(typeOf)).toEqual(view.columns.map(typeOf));
			}
		}
	});
});

describe("truncation", () => {
	test("the row after the last that is let through is missing, and that is said", async () => {
		const many = (rows: number) => `select n from generate_series(1, ${rows}) as n order by n`;
		const whole = await system.ask(many(queryLimits.rows));
		expect(whole.meta).toMatchObject({ rows: queryLimits.rows, truncated: false, truncated_by: null });
		const cut = await system.ask(many(queryLimits.rows + 1));
		expect(cut.meta).toMatchObject({ rows: queryLimits.rows, truncated: true, truncated_by: "rows" });
		expect(cut.data.at(-1)).toEqual({ n: queryLimits.rows });
		const { headers, text } = await system.ask(many(queryLimits.rows + 1), { accept: csv });
		expect([headers.get("x-truncated"), headers.get("x-row-count")]).toEqual(["rows", String(queryLimits.rows)]);
		expect(text.split("\r\n")).toHaveLength(queryLimits.rows + 2);
	});

	test("rows that would be longer than the answer may be are missing, and that is said", async () => {
		const long = `select n, '${"x".repeat(900)}' as x, '${"y".repeat(900)}' as y from generate_series(1, 5000) as n order by n`;
		const { meta, data, text } = await system.ask(long);
		expect(meta).toMatchObject({ truncated: true, truncated_by: "bytes", rows: data.length });
		expect(text.length).toBeGreaterThan(queryLimits.bytes * 0.99);
		expect(text.length).toBeLessThan(queryLimits.bytes + 1_000);
		expect(data.map(({ n }) => n)).toEqual(data.map((_, index) => index + 1));
		const { headers } = await system.ask(long, { accept: csv });
		expect(headers.get("x-truncated")).toBe("bytes");
	});

	test("CSV that doubles on its way through JSON is cut before it is too long for the bus", async () => {
		const quotes = `select '${'"'.repeat(990)}' as q, '${'"'.repeat(990)}' as r from generate_series(1, 800)`;
		const { status, headers, text, detail } = await system.ask(quotes, { accept: csv });
		expect([detail, status, headers.get("x-truncated")]).toEqual(["", 200, "bytes"]);
		expect(text.length).toBeGreaterThan(1_000_000);
	});
});
