/** Statements that nobody would write: grown at random from what SQL has, and cut up and put together from attacks and honest ones. */

type Random = () => number;
type Pick = <T>(of: readonly T[]) => T;

export interface Material {
	/** Every function that the server knows, allowed or not. */
	functions: readonly string[];
	/** Whole statements to cut up. */
	statements: readonly string[];
}

/** Of a course of random numbers, one statement after another. */
export function randomStatements(random: Random, material: Material): () => string {
	const pick: Pick = (of) => of[Math.floor(random() * of.length)] as (typeof of)[number];
	const kinds = [
		() => select(pick, random, material, 3),
		() => mutant(pick, random, material),
		() => tame(pick, random),
	];
	return () => pick(kinds)().slice(0, 9_000);
}

const relations = [
	"plants_view",
	"plants_view p",
	"pg_class",
	"queue_ingest.projects",
	"w",
	"information_schema.tables",
];
const columns = ["id", "name", "capacity_mw", "opened_at", "states", "*", "p", "p.*", "ctid", "x", "states[1]", "w.id"];
const literals = [
	"1",
	"0",
	"-7",
	"1e300",
	"1e9999",
	"null",
	"true",
	"'TX'",
	"'%a%'",
	"'{1,2}'",
	"'2024-01-01'",
	"$1",
	"b'101'",
	"'\\'",
];
const operators = [
	"+",
	"-",
	"*",
	"/",
	"%",
	"^",
	"||",
	"=",
	"<>",
	"<",
	"like",
	"~",
	"~*",
	"similar to",
	"->",
	"#>>",
	"@>",
	"&&",
	"is distinct from",
	"at time zone",
	"operator(pg_catalog.+)",
];
const types = [
	"int",
	"text",
	"numeric",
	"date",
	"json",
	"jsonb",
	"regclass",
	"oid",
	"xml",
	"int[]",
	"varchar(3)",
	"interval",
	"bytea",
	"name",
];
const tails = [
	"",
	" limit 3",
	" offset 1",
	" for update",
	" order by 1 desc",
	" group by 1",
	" having true",
	" window w as (order by 1)",
	" union all select 1",
	" intersect select 1",
	" fetch first 2 rows with ties",
];

function select(pick: Pick, random: Random, material: Material, depth: number): string {
	const expr = (deep = depth): string => expression(pick, random, material, deep);
	const targets = Array.from({ length: 1 + Math.floor(random() * 3) }, (_, at) => `${expr()} as c${at}`).join(", ");
	const from = random() < 0.8 ? ` from ${source(pick, random, material, depth)}` : "";
	const where = random() < 0.4 ? ` where ${expr()}` : "";
	const head =
		random() < 0.1
			? pick([
					"with w as (select 1 as id) ",
					"with recursive w as (select 1 as id) ",
					"explain ",
					"with w as (delete from plants_view returning id) ",
				])
			: "";
	return `${head}select ${random() < 0.1 ? "distinct " : ""}${targets}${from}${where}${pick(tails)}`;
}

function source(pick: Pick, random: Random, material: Material, depth: number): string {
	const roll = random();
	if (roll < 0.6 || depth <= 0) return pick(relations);
	if (roll < 0.8) return `(${select(pick, random, material, depth - 1)}) s${Math.floor(random() * 9)}`;
	if (roll < 0.9)
		return `${pick(relations)} ${pick(["cross join", "left join lateral", "natural join", ","])} ${pick(relations)} j`;
	return `${pick(material.functions)}(${expression(pick, random, material, 0)}) f`;
}

function expression(pick: Pick, random: Random, material: Material, depth: number): string {
	const roll = random();
	const inner = () => expression(pick, random, material, depth - 1);
	if (depth <= 0 || roll < 0.3) return pick(random() < 0.6 ? columns : literals);
	if (roll < 0.5) return `(${inner()} ${pick(operators)} ${inner()})`;
	if (roll < 0.75) {
		const args = Array.from({ length: Math.floor(random() * 4) }, inner).join(", ");
		return `${random() < 0.1 ? "pg_catalog." : ""}${pick(material.functions)}(${args})`;
	}
	if (roll < 0.85) return `cast(${inner()} as ${pick(types)})`;
	if (roll < 0.9) return `case when ${inner()} then ${inner()} else ${inner()} end`;
	if (roll < 0.95) return `(${select(pick, random, material, depth - 1)})`;
	return pick([
		"current_user",
		"current_date",
		`array[${inner()}]`,
		`row(${inner()})`,
		`array(select ${inner()})`,
		"count(*) over ()",
	]);
}

const noise = [
	";",
	"--",
	"/*",
	"*/",
	"'",
	'"',
	"$$",
	"\\",
	"(",
	")",
	",",
	"\u00a0",
	"\u202e",
	"\u{1f600}",
	"\ud800",
	"ｓｅｌｅｃｔ",
	'U&"\\0061"',
	"e'\\x41'",
	"into t",
	"\n",
	"::",
	"..",
	"0x41",
	"@",
];

/** Pieces of two statements, with noise in between. */
function mutant(pick: Pick, random: Random, { statements }: Material): string {
	const words = `${pick(statements)} ${random() < 0.5 ? pick(statements) : ""}`.slice(0, 4_000).split(/(?<=[\s(),;])/);
	for (let times = 1 + Math.floor(random() * 4); times > 0; times--) {
		const at = Math.floor(random() * words.length);
		const roll = random();
		if (roll < 0.3) words.splice(at, 1 + Math.floor(random() * 3));
		else if (roll < 0.6) words.splice(at, 0, pick(noise));
		else if (roll < 0.8) words.splice(at, 0, ...words.slice(Math.floor(random() * words.length)).slice(0, 5));
		else words[at] = pick(words);
	}
	return words.join("");
}

/** What the check lets through more often than not: otherwise nothing but the check would be tried. */
function tame(pick: Pick, random: Random): string {
	const from = pick([
		"plants_view p",
		"plants_view p join plants_view q using (id)",
		"(select * from plants_view where id < 50) p, generate_series(1, 3) n",
		"plants_view p cross join lateral unnest(p.states) as s (state)",
	]);
	const where = random() < 0.5 ? ` where ${number(pick, 2)} ${pick(["<", ">=", "<>"])} ${number(pick, 1)}` : "";
	if (random() < 0.5)
		return `select ${pick(["count", "sum", "avg", "min", "max", "stddev", "array_agg"])}(${number(pick, 2)}) as a, ${pick(["string_agg", "max"])}(${pick(["p.name", "'x'"])}${pick(["", ", ','"])}) as b from ${from}${where}${pick(["", " having count(*) > 1"])}`;
	return `select ${number(pick, 3)} as a, ${text(pick, 3)} as b from ${from}${where}${pick(["", " order by 1", " limit 7", " order by 2 desc nulls last offset 3"])}`;
}

function number(pick: Pick, depth: number): string {
	if (depth <= 0) return pick(["p.id", "p.capacity_mw", "7", "-0.5", "1e30", "0", "null::numeric"]);
	const inner = () => number(pick, depth - 1);
	return pick([
		() => `(${inner()} ${pick(["+", "-", "*", "/", "%"])} ${inner()})`,
		() => `${pick(["abs", "ceil", "floor", "round", "sqrt", "ln", "exp", "sign", "cbrt"])}(${inner()})`,
		() => `power(${inner()}, 3)`,
		() => `coalesce(${inner()}, ${inner()})`,
		() => `length(${text(pick, depth - 1)})`,
		() => `cast(${inner()} as ${pick(["numeric", "float8", "int", "bigint", "numeric(10,2)"])})`,
		() => `row_number() over (order by ${inner()})`,
	])();
}

function text(pick: Pick, depth: number): string {
	if (depth <= 0) return pick(["p.name", "'\u{1f600} quotes \"'", "''", "null::text", "'a,b\nc'"]);
	const inner = () => text(pick, depth - 1);
	return pick([
		() => `(${inner()} || ${inner()})`,
		() => `${pick(["lower", "upper", "initcap", "reverse", "trim", "md5"])}(${inner()})`,
		() => `replace(${inner()}, 'a', '${pick(["", "b", "long".repeat(9)])}')`,
		() => `concat(${inner()}, ${number(pick, 1)}, p.opened_at)`,
		() => `substr(${inner()}, 2, 5)`,
		() => `regexp_replace(${inner()}, '${pick(["a+", "(x|y)*z", "\\\\d", "[", "^.{3}"])}', '')`,
		() => `to_char(p.opened_at, 'YYYY-MM')`,
		() => `case when p.id > 5 then ${inner()} end`,
	])();
}
