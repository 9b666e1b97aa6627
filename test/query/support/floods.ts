/** What would take too much: time, memory, or an answer without end. */
import type { Attack } from "./attacks.ts";

export const flood = (name: string, sql: string, says: string | RegExp): Attack => ({ name, sql, says });
/** A text of a thousand letters, doubled in each of `levels` subqueries. */
export const doubled = (levels: number, expression: string): string =>
	Array.from({ length: levels }).reduce<string>(
		(inner) => `select ${expression} as x from (${inner}) q`,
		`select '${"x".repeat(1_000)}' as x`,
	);
export const wide = (columns: number, value: string, from: string): string =>
	`select ${Array.from({ length: columns }, (_, n) => `${value} as c${n}`).join(", ")} from ${from}`;

export const floods: Attack[] = [
	flood("sleeping", "select pg_sleep(60)", "the function pg_sleep is not allowed"),
	flood(
		"sleeping in a LATERAL",
		"select * from plants_view, lateral pg_sleep_for('1 min') s",
		"the function pg_sleep_for",
	),
	flood(
		"an endless recursion",
		"with recursive x as (select 1 as n union all select n + 1 from x) select * from x",
		"WITH RECURSIVE",
	),
	flood(
		"a recursion inside",
		"select (with recursive x as (select 1 as n union all select n from x) select max(n) from x)",
		"WITH RECURSIVE",
	),
	flood("a cross join", "select count(*) as n from plants_view a, plants_view b, plants_view c", "would take too long"),
	flood(
		"a cross join in disguise",
		"select count(*) as n from plants_view a join plants_view b on a.id <> b.id join plants_view c on c.id <> a.id",
		"would take too long",
	),
	flood(
		"lateral joins",
		"select sum(b.n) as n from plants_view a, lateral (select count(*) as n from plants_view c, plants_view d where c.id > a.id) b",
		"would take too long",
	),
	flood(
		"a series of a thousand million",
		"select * from generate_series(1, 1000000000) as n",
		"a generate_series of more than 1000000 rows",
	),
	flood(
		"a series in the result",
		"select generate_series(1, 9999999999) as n",
		"a generate_series of more than 1000000 rows",
	),
	flood(
		"a series of a computed length",
		"select * from generate_series(1, (select 1000000000)) as n",
		"a generate_series with other than",
	),
	flood(
		"a series of microseconds",
		"select * from generate_series(now(), now() + interval '1 day', interval '1 microsecond') as n",
		"a generate_series with other than",
	),
	flood(
		"series times series",
		"select sum(a * b) as n from generate_series(1, 100000) a, generate_series(1, 100000) b",
		"would take too long",
	),
	flood(
		"time within the plan's limit",
		"select count(*) as n from generate_series(1, 1000000) a, generate_series(1, 90) b where sqrt(a + b) < 0",
		"took longer than 5 s",
	),
	flood("text doubled in subqueries", doubled(30, "x || x"), "text that is put together more than 256 times over"),
	flood(
		"text doubled in a WITH",
		`with a as (select name as x from plants_view), ${Array.from({ length: 20 }, (_, n) => `${"bcdefghijklmnopqrstuv"[n]} as (select x || x as x from ${"abcdefghijklmnopqrstuv"[n]})`).join(", ")} select length(x) as n from u`,
		"text that is put together",
	),
	flood("text doubled by concat", doubled(30, "concat(x, x)"), "text that is put together"),
	flood(
		"text doubled by LATERAL",
		`select length(x9) as n from (select 'a' as x0) s${Array.from({ length: 9 }, (_, n) => `, lateral (select x${n} || x${n} as x${n + 1}) l${n}`).join("")}`,
		"text that is put together",
	),
	flood("arrays doubled", doubled(12, "array[x, x]::text"), "text that is put together"),
	flood("rows doubled", doubled(12, "row(x, x)::text"), "text that is put together"),
	flood("JSON quoted again and again", doubled(12, "to_json(x)::text"), "text that is put together"),
	flood("JSON built", doubled(6, "json_build_object('a', x, 'b', x)::text"), "text that is put together"),
	flood(
		"replacing each letter by many",
		doubled(2, "replace(x, 'x', 'xxxxxxxxxxxxxxxxxxxxxxxxx')"),
		"text that is put together",
	),
	flood(
		"replacing by a column",
		"select replace(name, 'P', name) as x from plants_view",
		"an argument 3 of replace that is not written out",
	),
	flood(
		"replacing by a pattern",
		doubled(3, "regexp_replace(x, '(.*)', '\\1\\1\\1\\1\\1\\1\\1\\1', 'g')"),
		"text that is put together",
	),
	flood(
		"putting much between elements",
		doubled(
			2,
			"array_to_string(string_to_array(x, null), 'yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy')",
		),
		"text that is put together",
	),
	flood("repeat", "select repeat('x', 1000000000) as x", "the function repeat is not allowed"),
	flood("lpad", "select lpad('x', 1000000000) as x", "the function lpad is not allowed"),
	flood("format with a width", "select format('%1000000000s', 'x') as x", "the function format is not allowed"),
	flood("a padded type", "select 'x'::char(10000000) as x", "a cast to pg_catalog.bpchar is not allowed"),
	flood("a filled array", "select array_fill(0, array[1000000000]) as x", "the function array_fill is not allowed"),
	flood("a random text", "select gen_random_bytes(1000000000) as x", "the function gen_random_bytes is not allowed"),
	flood(
		"collecting what is collected",
		"select array_agg(x) as x from (select string_agg(name, '') as x from plants_view, generate_series(1, 1000)) q",
		"twice over",
	),
	flood(
		"collecting in a window",
		"select array_agg(id) over (order by id) as x from plants_view",
		"array_agg with OVER is not allowed",
	),
	flood(
		"collecting a cross join",
		"select string_agg(a.name || b.name, '') as x from plants_view a, plants_view b",
		"would collect about",
	),
	flood(
		"an array of a cross join",
		"select cardinality(array(select a.name || b.name from plants_view a, plants_view b)) as n",
		"would collect about",
	),
	flood(
		"grown text kept for IN",
		"select 1 as n where 'a' not in (select name || name || name || name || name || name || name || name || name || name || name || name || name || name || name || name || name from plants_view)",
		"in IN (SELECT)",
	),
	flood(
		"a literal of ten thousand letters",
		`select '${"x".repeat(9_000)}' as x`,
		"a literal of more than 1000 characters",
	),
	flood("a wide row of long values", wide(300, "q.x", `(${doubled(4, "x || x")}) q`), "a row of so many long columns"),
	flood(
		"a row longer than a megabyte",
		wide(60, "q.x", `(${doubled(5, "x || x")}) q`),
		"row 1 is longer than 1048576 bytes",
	),
	flood("a power of digits", "select 9.0 ^ 99999 as x", "a power other than a number up to 16"),
	flood(
		"a power by its function",
		"select power(9::numeric, 99999::numeric) as x",
		"a power other than a number up to 16",
	),
	flood("a number of many digits", "select 1e131071 as x", "a number with an exponent of more than two digits"),
	flood("a number of some hundred digits", "select 1e308 as x", "a number with an exponent of more than two digits"),
	flood("one of text", "select '1e131071'::numeric as x", "a number with an exponent of more than two digits"),
	flood(
		"one in JSON",
		"select jsonb_array_elements_text('[1e100000]') as x",
		"a number with an exponent of more than two digits",
	),
	flood(
		"one put together and collected",
		"select array_agg(('1e13' || '1071')::numeric) as x from plants_view",
		"a cast to numeric beside functions that make text",
	),
	flood("a factorial", "select factorial(100000) as x", "the function factorial is not allowed"),
	flood("digits multiplied again and again", doubled(12, "x * x"), "multiplying, dividing or raising"),
	flood(
		"a regular expression's states",
		"select 1 as n where 'a' ~ '((a{100}){100}){100}'",
		"a regular expression with more than 1000 repetitions",
	),
	flood(
		"a back reference",
		"select 1 as n where 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!' ~ '^(a+)+\\1$'",
		"a back reference in a regular expression",
	),
	flood(
		"a long regular expression",
		`select 1 as n where 'a' ~ '${"(a|b)*".repeat(100)}'`,
		"a regular expression of more than 200 characters",
	),
	flood(
		"a computed regular expression",
		"select 1 as n from plants_view where name ~ name",
		"a regular expression that is not written out",
	),
	flood(
		"one for substring",
		"select substring(name from name) as x from plants_view",
		"substring with a place that is computed",
	),
	flood(
		"one of any",
		"select 1 as n from plants_view where name ~ any(states)",
		"a regular expression that is not written out",
	),
	flood(
		"SIMILAR TO with states",
		"select 1 as n where 'a' similar to '(a{200}){200}'",
		"a regular expression with more than 1000 repetitions",
	),
	flood("nested subqueries", `select ${"(select ".repeat(900)}1${")".repeat(900)}`, "nesting of more than 150 levels"),
	flood("nested calls", `select ${"abs(".repeat(1_900)}1${")".repeat(1_900)}`, "nesting of more than 150 levels"),
	flood("a long chain", `select 1${" + 1".repeat(2_400)}`, "nesting of more than 150 levels"),
	flood("parentheses without an end", "(".repeat(9_999), "memory exhausted"),
	flood("many parts", `select ${"1,".repeat(4_900)}1`, "a statement of more than 6000 parts"),
	flood(
		"a cube of columns",
		"select count(*) as n from plants_view group by cube(id, name, capacity_mw, opened_at, states)",
		"CUBE of more than four columns",
	),
	flood(
		"cubes of cubes",
		"select count(*) as n from plants_view group by cube(id, name, capacity_mw, id), cube(id, name, capacity_mw, id), cube(id, name, capacity_mw, id), cube(id, name, capacity_mw, id)",
		"too many grouping sets",
	),
	flood("a sample by a method", "select * from plants_view tablesample system(1)", "TABLESAMPLE is not allowed"),
	flood(
		"a sort on disk",
		"select count(*) as n from (select a, b, md5(a::text) as m, md5(b::text) as k from generate_series(1, 1000000) a, generate_series(1, 9) b order by m, k offset 1) q",
		/temporary space|took longer/,
	),
];
