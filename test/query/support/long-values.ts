/** What would keep PostgreSQL busy with single values, where it hears no timeout, or fill its memory. */
import type { Attack } from "./attacks.ts";
import { doubled, flood, wide } from "./floods.ts";

export const longValues: Attack[] = [
	flood("digits divided again and again", doubled(12, "x / (1 / x)"), "multiplying, dividing or raising"),
	flood(
		"a power of a power",
		"select ((capacity_mw ^ 9) ^ 9) as x from plants_view",
		"multiplying, dividing or raising",
	),
	flood("e to the power of many", "select exp(300000::numeric) as x", "exp of other than a number up to 100"),
	flood("a literal of many digits", `select ${"9".repeat(200)} as x`, "a number of more than 100 digits"),
	flood("a text of many digits", `select '${"9".repeat(200)}'::numeric as x`, "a number of more than 100 digits"),
	flood(
		"many places",
		"select round(capacity_mw, 2000) / 3 as x from plants_view",
		"round to other than a number of places",
	),
	flood(
		"digits put together",
		wide(20, "(y % (y - 1))", `(select replace('${"9".repeat(90)}', '9', '${"9".repeat(90)}')::numeric as y) q`),
		"a cast to numeric beside functions that make text",
	),
	flood(
		"digits collected",
		"select x % (x - 1) as y from (select string_agg('9', '')::numeric as x from generate_series(1, 128000)) q",
		"a cast to numeric beside functions that make text",
	),
	flood(
		"literals made long inside each other",
		`select length(replace(replace('${"a".repeat(990)}', 'a', '${"b".repeat(990)}'), 'b', '${"c".repeat(990)}')) as x`,
		"text that is put together",
	),
	flood(
		"literals put between literals",
		`select length(array_to_string(string_to_array(replace('${"a".repeat(900)}', 'a', '${"b".repeat(900)}'), null), '${"c".repeat(900)}')) as x`,
		"text that is put together",
	),
	flood(
		"a computed pattern of LIKE",
		"select q.x like ('%' || lower(q.x) || 'b') as y from (select string_agg('a', '') as x from generate_series(1, 127000)) q",
		"a pattern of LIKE that is computed",
	),
	flood(
		"one from a subquery",
		"select q.x ilike q.p as y from (select string_agg('a', '') as x, '%' || string_agg('a', '') || 'b' as p from generate_series(1, 127000)) q",
		"a pattern of LIKE from a column, beside subqueries",
	),
	flood(
		"a long pattern beside collected rows",
		`select string_agg(name, '') like '%${"a".repeat(300)}b' as y from plants_view`,
		"searching for more than 200 characters beside rows that are collected",
	),
	flood(
		"a long needle in long text",
		`select strpos(x, '${"x".repeat(990)}y') as y from (${doubled(8, "x || x")}) q`,
		"searching for so many characters",
	),
	...[
		"strpos(x, initcap(x) || 'b')",
		"split_part(x, upper(x), 2)",
		"string_to_array(x, reverse(x))",
		"btrim(x, lower(x))",
	].map((each) =>
		flood(
			`searching for what is computed: ${each}`,
			`select ${each} as y from (${doubled(7, "x || x")}) q`,
			"that is computed",
		),
	),
	flood(
		"searching by the function of a syntax",
		`select position(reverse(x) in x) as y from (${doubled(7, "x || x")}) q`,
		"an argument 2 of position that is computed",
	),
	flood(
		"arrays in arrays",
		"select array(select id from plants_view) @> array(select id from plants_view) as y",
		"@> of two values that are computed",
	),
	flood(
		"literals collected",
		`select length(string_agg('${"x".repeat(990)}', '')) as n from generate_series(1, 900000)`,
		"would collect about",
	),
	flood(
		"collected text gone through again and again",
		`select ${Array.from({ length: 60 }, (_, n) => `md5(x) as c${n}`).join(", ")} from (select string_agg(n::text, '') as x from generate_series(1, 200000) n) q`,
		"would collect about",
	),
	flood(
		"sorts side by side",
		Array.from({ length: 60 }, () => "(select n from generate_series(1, 200000) n order by n desc offset 199999)").join(
			" union all ",
		),
		"in memory to sort, group and join",
	),
];
