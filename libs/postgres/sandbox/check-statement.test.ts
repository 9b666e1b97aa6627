import { describe, expect, test } from "vitest";
import { checkStatement } from "./check-statement.ts";
import { functionNames } from "./functions.ts";

const views = ["projects", "changes"];
const growthOf = async (sql: string) => (await checkStatement(sql, views)).growth;
const faultOf = async (sql: string): Promise<string> =>
	checkStatement(sql, views).then(
		() => "",
		(error: Error) => error.message,
	);

describe("what analysts ask is let through", () => {
	test.each([
		"select * from projects",
		"table projects",
		"values (1, 'a'), (2, 'b')",
		"select p.*, c.field from projects p left join changes c on c.project_id = p.id and c.field = 'status_std'",
		"select region, count(*) filter (where status_std = 'Active') as active from projects group by region having count(*) > 1",
		"select region, grouping(region), sum(capacity_mw) from projects group by rollup (region, state)",
		"select distinct on (region) region, name from projects order by region, capacity_mw desc nulls last",
		"with p as materialized (select * from projects), q as (select region, count(*) n from p group by 1) select * from q join p using (region)",
		"with projects as (select * from projects where state = 'TX') select count(*) from projects",
		"select id from projects where (region, state) in (select region, state from changes) and not exists (select 1 from changes c where c.id = projects.id)",
		"select id from projects where state = any (array['TX', 'CA']) and name ilike '%solar%' and name !~ '^(test|demo)'",
		"select id from projects where state in ('TX', 'CA') and capacity_mw between 10 and 20 and cod is not null and (a is true) is distinct from b",
		"select percentile_cont(0.5) within group (order by capacity_mw), mode() within group (order by state), corr(a, b) from projects",
		"select lag(capacity_mw) over w, row_number() over (partition by region order by id rows between 2 preceding and current row) from projects window w as (order by id)",
		"select date_trunc('quarter', queue_date), extract(epoch from age(cod, queue_date)) / 86400, current_date - interval '1 year', now() at time zone 'America/Chicago' from projects",
		"select cod::date - queue_date::date, cast(capacity_mw as numeric(10, 2)), name::varchar(20), date '2024-01-01' from projects",
		"select upper(left(name, 3)) || '-' || split_part(name, ' ', 2) || coalesce(state, '?'), trim(both ' ' from name), position('a' in name), overlay(name placing 'x' from 1 for 1) from projects",
		"select substring(name from 1 for 3), substring(name from 'a.*'), substr(name, length(name) - 2), regexp_replace(name, ',? LLC$', '', 'i') from projects",
		"select case when capacity_mw > 100 then 'large' else 'small' end, nullif(a, 0), greatest(a, b), a ^ 2, power(a::float8, b), sqrt(a) from projects",
		"select string_agg(distinct name, ', ' order by name), array_agg(id), json_agg(json_build_object('id', id, 'mw', capacity_mw)) from projects group by region",
		"select p.id, t.name from projects p, unnest(p.states) with ordinality as t (name, place)",
		"select m, (select count(*) from projects where queue_date < m) from generate_series(date '2020-01-01', current_date, interval '1 month') as m",
		"select facts ->> 'a', facts #>> '{a,b}', facts @> '{\"a\": 1}' from projects",
		"select 1 union all (select 2 order by 1 limit 1) except select 3",
		"select q.* from (values (1, 'TX')) as q (n, state) natural join projects",
		"select make_interval(days => 3), make_date(2024, 1, 1), to_char(now(), 'YYYY-MM'), o from (select (date '2024-01-01', date '2024-02-01') overlaps (date '2024-01-15', date '2024-03-01') as o) q",
		'select name collate "C" from projects order by name collate "C" limit 10 offset 5',
		"select id from projects fetch first 3 rows only",
		"  /* leading */ ; select 1 as a -- trailing",
		`select ${Array.from({ length: 120 }, (_, n) => `coalesce(c${n}, 0) as c${n}`).join(", ")} from projects`,
	])("%s", async (sql) => {
		expect(await faultOf(sql)).toBe("");
	});
});

describe("the statement that is run", () => {
	test("is the caller's, without what stands around it, and where it begins is known", async () => {
		const { sql, offset } = await checkStatement("-- é\n;; select 'é' as a, 2 ; ", views);
		expect([sql.trim(), "-- é\n;; select 'é' as a, 2 ; ".slice(offset).startsWith(sql)]).toEqual([
			"select 'é' as a, 2",
			true,
		]);
	});

	test("is bounded in its depth and in its parts", async () => {
		const nested = (levels: number) => `select ${"abs(".repeat(levels)}1${")".repeat(levels)}`;
		expect(await faultOf(nested(140))).toBe("");
		expect(await faultOf(nested(160))).toContain("nesting of more than 150 levels");
		const long = (parts: number) => `select ${Array.from({ length: parts }, () => "1").join(",")}`;
		expect(await faultOf(long(1_000))).toBe("");
		expect(await faultOf(long(4_000))).toContain("a statement of more than 6000 parts");
	});
});

describe("a WITH query is known by its name", () => {
	const missing = expect.stringContaining('there is no view "x"');

	test.each([
		"with x as (select 1 as a) select * from x",
		"with x as (select 1 as a), y as (select * from x) select * from y, x",
		"with x as (select 1 as a) select (select a from x), (select 1 from (select * from x) q)",
		"with x as (select 1 as a) select * from x union select * from x order by 1",
		"with x as (with x as (select 1 as a) select * from x) select * from x",
	])("after it and inside: %s", async (sql) => {
		expect(await faultOf(sql)).toBe("");
	});

	test.each([
		"with x as (select * from x) select * from x",
		"with y as (select * from x), x as (select 1 as a) select * from y",
		"select * from (with x as (select 1 as a) select * from x) q, x",
		"select * from x, (with x as (select 1 as a) select * from x) q",
		"(with x as (select 1 as a) select * from x) union select * from x",
		"select (with x as (select 1 as a) select a from x) from x",
	])("and nowhere else: %s", async (sql) => {
		expect(await faultOf(sql)).toEqual(missing);
	});

	test("but not by a name of the catalogs, nor by one twice", async () => {
		expect(await faultOf("with pg_class as (select 1 as a) select * from pg_class")).toContain("the name pg_class");
		expect(await faultOf('with "PG_x" as (select 1 as a) select 1')).toContain("the name PG_x");
		expect(await faultOf("with x as (select 1 as a), x as (select 2 as a) select 1")).toContain(
			"a second WITH query x",
		);
	});
});

describe("a name alone is a whole row", () => {
	const fault = expect.stringContaining("as a whole row");

	test("only where something of that name stands in FROM around it", async () => {
		expect(await faultOf("select projects from projects")).toEqual(fault);
		expect(await faultOf("select p::text from projects p")).toEqual(fault);
		expect(await faultOf("select q from (select 1 as a) q")).toEqual(fault);
		expect(await faultOf("select j from (projects p join changes c using (id)) j")).toEqual(fault);
		expect(await faultOf("select (select p) from projects p")).toEqual(fault);
		expect(await faultOf("select p from projects")).toBe("");
		expect(await faultOf("select (select 1 from changes p), p from projects")).toBe("");
		expect(await faultOf("with a as (select b from projects), b as (select 1 as x) select * from a, b")).toBe("");
		expect(await faultOf("select n from generate_series(1, 3) as n")).toBe("");
	});
});

describe("growth", () => {
	test("is what a value can be longer than what is stored", async () => {
		const factorOf = async (expression: string) => (await growthOf(`select ${expression} as x from projects`)).factor;
		expect(await factorOf("name")).toBe(1);
		expect(await factorOf("name || ', ' || state")).toBe(2);
		expect(await factorOf("concat(a, b, concat_ws('-', c, d))")).toBe(4);
		expect(await factorOf("array[a, b, c]")).toBe(3);
		expect(await factorOf("replace(name, 'a', 'bcde')")).toBe(4);
		expect(await factorOf("regexp_replace(name, 'a*', 'bcde', 'g')")).toBe(5);
		expect(await factorOf("json_build_object('a', a, 'b', b)")).toBe(4);
		expect(await factorOf("capacity_mw * price * 24")).toBe(2);
		// A literal grows, too, where something is made of it.
		expect(await factorOf("replace('aa', 'a', 'bcde')")).toBe(4);
		expect(await factorOf("replace(replace('aa', 'a', 'bcde'), 'b', 'cdefg')")).toBe(20);
		expect(await factorOf("to_json(to_json('a'))")).toBe(4);
		expect(await factorOf("upper(trim(name))")).toBe(1);
	});

	test("of digits is what multiplying and dividing exact numbers adds up to", async () => {
		const digitsOf = async (expression: string) => (await growthOf(`select ${expression} as x from projects`)).digits;
		expect(await digitsOf("a + b - c")).toBe(1);
		expect(await digitsOf("100.0 * a / b")).toBe(2);
		expect(await digitsOf("a * b * 1e99")).toBe(3);
		expect(await digitsOf("a ^ 3")).toBe(3);
		expect(await digitsOf("(a * b)::float8")).toBe(1);
		expect(await digitsOf("stddev(a)")).toBe(2);
		expect(await digitsOf("a || b || c")).toBe(1);
	});

	test("multiplies through subqueries, WITH and LATERAL, and not between neighbours", async () => {
		expect((await growthOf("select x || x as x from (select a || b as x from projects) q")).factor).toBe(4);
		expect((await growthOf("with q as (select a || b as x from projects) select x || x as x from q")).factor).toBe(4);
		expect(
			(await growthOf("select y from projects p, lateral (select a || b as x) q, lateral (select x || x as y) r"))
				.factor,
		).toBe(4);
		expect((await growthOf("select (select x || x) as y from (select a || b as x from projects) q")).factor).toBe(4);
		const neighbours =
			"select q.x, r.x as y from (select a || b as x from projects) q join (select a || b as x from projects) r using (id)";
		expect((await growthOf(neighbours)).factor).toBe(2);
	});

	test("a row is its columns together", async () => {
		expect((await growthOf("select a, b || c as d, 1 as e from projects")).row).toBe(4);
	});

	test("rows may be collected side by side, and not twice over", async () => {
		expect((await growthOf("select string_agg(name, ','), array_agg(id) from projects")).collects).toBe(1);
		expect((await growthOf("select array(select id from projects), array(select id from changes)")).collects).toBe(1);
		expect(await faultOf("select array_agg(x) from (select string_agg(name, ',') as x from projects) q")).toContain(
			"twice over",
		);
		expect(await faultOf("with q as (select array_agg(id) as x from projects) select json_agg(x) from q")).toContain(
			"twice over",
		);
	});
});

test("the parser's own trees of a syntax go by their function's name", async () => {
	for (const sql of [
		"select normalize('a')",
		"select xmlelement(name a)",
		"select json_exists('1', '$')",
		"select json_scalar(1)",
	])
		expect(await faultOf(sql), sql).toContain("is not allowed");
});

test("no function that may be called is of a kind that acts on the server", () => {
	expect(
		functionNames.filter((name) => /^(pg_|lo_|txid|inet_|current_|set_|dblink|query_to|has_|to_reg)/.test(name)),
	).toEqual([]);
	expect(functionNames).toEqual([...new Set(functionNames)]);
});
